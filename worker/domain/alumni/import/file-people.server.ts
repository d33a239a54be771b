import { ALUMNI_FIELDS, type AlumniValues } from "#worker/contract/alumni/columns.ts";
import { foldName, isStateField, mergeRefusals, strengthOf } from "#worker/contract/alumni/duplicate.ts";
import { isSameMemo, withMemoLines } from "#worker/contract/alumni/import/cell-changes.ts";
import type { AlumniFieldCode, OwnFieldCode, OwnValue } from "#worker/contract/alumni/own-fields.ts";
import { fieldsOf } from "../../kernel/fields-of.ts";
import { CANDIDATES_MAX, CONTACTS, type KnownPerson } from "./match.server.ts";
import type { ImportRow } from "./row.server.ts";

/** Of one contact: enough to know that more share it than are asked about. */
const KEPT_MAX = CANDIDATES_MAX + 2;

/** A row of the file as a later one with its contact asks about it. */
export interface FilePerson {
  row: number;
  tail: string;
  values: Partial<
    Pick<AlumniValues, "name" | "cohort" | "graduationYear" | "affiliation" | "state" | "mobile" | "email">
  >;
  /** By which answers name the row, whose person is not in the book yet. */
  value: string;
  /** Of the person; empty while the row is a question itself. */
  id: string;
  isNew: boolean;
  folded: string;
}

/** @param target whose name is that of a row without one */
export const filePersonOf = (
  { row, tail, values }: ImportRow,
  value: string,
  target: KnownPerson | null,
): FilePerson => ({
  row,
  tail,
  values: fieldsOf(values, "name", "cohort", "graduationYear", "affiliation", "state", "mobile", "email"),
  value,
  id: "",
  isNew: false,
  folded: foldName(values.name ?? target?.name ?? ""),
});

const keysOf = ({ values }: FilePerson): string[] =>
  CONTACTS.flatMap((field) => (values[field] ? [`${field} ${values[field]}`] : []));

/** The people of a file by their mobile and e-mail. */
export class FilePeople {
  private readonly byContact = new Map<string, FilePerson[]>();

  private sharing(person: FilePerson): FilePerson[][] {
    return keysOf(person).map((key) => (this.byContact.get(key) ?? []).filter(({ row }) => row !== person.row));
  }

  /** An earlier row of the same name with the same contact. */
  sameName(person: FilePerson): FilePerson | undefined {
    return this.sharing(person)
      .flat()
      .find(({ folded }) => folded === person.folded);
  }

  /** Earlier people of other names with the same contact, unless more share it than are asked about. */
  holders(person: FilePerson): FilePerson[] {
    if (person.folded === "") return [];
    const others = this.sharing(person).map((those) => those.filter(({ folded }) => folded !== person.folded));
    const own = others.filter(({ length }) => length <= CANDIDATES_MAX).flat();
    return [...new Set(own)].filter(({ id }) => id !== "");
  }

  add(person: FilePerson): void {
    for (const key of keysOf(person)) {
      const those = this.byContact.get(key);
      if (!those) this.byContact.set(key, [person]);
      else if (those.length < KEPT_MAX && !those.includes(person)) those.push(person);
    }
  }
}

type Joinable = Pick<ImportRow, "values" | "own">;

const isBlank = (value: unknown) => value === undefined || value === null || value === "";

/** The values of two rows of one person: the first row's, with what it lacks. */
function joinedValues(first: Joinable, other: Joinable): Joinable {
  const stateOf = ({ values }: Joinable) => strengthOf({ state: values.state ?? "" });
  const isStronger = stateOf(other) > stateOf(first);
  const values: Record<string, unknown> = { ...first.values };
  for (const field of ALUMNI_FIELDS) {
    const value = other.values[field];
    if (value !== undefined && (isStateField(field) ? isStronger : isBlank(values[field]))) values[field] = value;
  }
  values.refuses = mergeRefusals([first, other].map((row) => ({ refuses: row.values.refuses ?? "" })));
  const own = { ...first.own };
  for (const [code, value] of Object.entries(other.own) as [OwnFieldCode, OwnValue][])
    if (isBlank(own[code])) own[code] = value;
  return { values: values as Partial<AlumniValues>, own };
}

/** Adds to a row what another row of the same person says. */
export function joinRows(first: ImportRow, other: ImportRow): ImportRow {
  return { ...first, ...joinedValues(first, other), memoLines: [...first.memoLines, ...other.memoLines] };
}

/** A row that says nothing new of a person. A hidden value may be new. */
export function saysNothingNew(
  read: ImportRow,
  { own, ...person }: KnownPerson,
  isShown: (field: AlumniFieldCode) => boolean,
): boolean {
  const filled = [...Object.entries(read.values), ...Object.entries(read.own)].filter(([, value]) => !isBlank(value));
  if (filled.some(([field]) => field !== "name" && !isShown(field as AlumniFieldCode))) return false;
  const joined = joinedValues({ values: person, own }, read);
  return (
    ALUMNI_FIELDS.every((field) => joined.values[field] === person[field]) &&
    Object.keys(joined.own).every((code) => code in own) &&
    isSameMemo(person.memo, withMemoLines(person.memo, read.memoLines))
  );
}

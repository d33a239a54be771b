import { type AlumniField, cellText, EMPTY_ALUMNI_VALUES } from "#worker/contract/alumni/columns.ts";
import { withMemoLines } from "#worker/contract/alumni/import/cell-changes.ts";
import { type AlumniFieldCode, isSameOwnValue, type OwnField } from "#worker/contract/alumni/own-fields.ts";
import { filledOwnValues } from "./staging.server.ts";
import { foldName } from "#worker/contract/alumni/duplicate.ts";
import type { FilePerson } from "./file-people.server.ts";
import { decideAmong, type KnownPerson, type MatchedPeople, type NamedPerson } from "./match.server.ts";
import { isSameValue } from "./changes.server.ts";
import { hasContact, type ImportRow } from "./row.server.ts";

/** Null for a row with an ID, and for an importer who does not see names. A hidden number finds no one. */
export function namedBy(read: ImportRow, isShown: (field: AlumniField) => boolean): NamedPerson | null {
  const { name = "", cohort = null, graduationYear = null, mobile = "" } = read.values;
  if (read.id !== "" || name === "" || !isShown("name")) return null;
  const tail = isShown("mobile") ? read.tail || mobile.slice(-4) : "";
  return { name, cohort, graduationYear, tail, hasContact: hasContact(read) };
}

export type Placed =
  | { to: KnownPerson; by: "id" | "contact" | "name" | "choice" | "equality" }
  | { newId: string | null; by: "choice" | "none" };

/** Where a row goes: to a person, to a new one, nowhere, or to the importer who decides. */
export type Placement = Placed | { ask: KnownPerson[]; askRows: FilePerson[] } | { fault: string } | "skip";

const severalMessage = "이름과 연락처가 같은 사람이 여럿입니다. ID를 적어 주십시오.";
const crowdMessage = "이름만 있는 같은 이름의 사람이 너무 많습니다. 휴대전화나 이메일을 적어 주십시오.";
const unknownIdMessage = "이 ID의 사람이 없습니다. 새로 추가하려면 ID 칸을 비워 주십시오.";

/** A row with the people who may be the one that it names. */
export interface RowToPlace extends MatchedPeople {
  read: ImportRow;
  named: NamedPerson | null;
  /** People of earlier rows with the row's contact and another name. */
  others: readonly FilePerson[];
  /** A person whom a row without contact equals in all that is visible. */
  findEqual: () => KnownPerson | null;
}

/** Places a row, or leaves it to the next rule. */
type Rule = (row: RowToPlace) => Placement | null;

const sameId: Rule = ({ byId }) => byId && { to: byId, by: "id" };

const sameContact: Rule = ({ read, byName: [person, other] }) =>
  hasContact(read) && person && !other ? { to: person, by: "contact" } : null;

/** A contact of one person, whose name is spelled with other spaces or letters. */
const otherSpelling: Rule = ({ named, byName, holders: [holder, other] }) =>
  named && byName.length === 0 && holder && !other && foldName(holder.name) === foldName(named.name)
    ? { to: holder, by: "contact" }
    : null;

const severalOfContact: Rule = ({ read, named, byName }) =>
  hasContact(read) && byName.length > 1 && !named ? { fault: severalMessage } : null;

const unknownId: Rule = ({ read }) => (read.id === "" ? null : { fault: unknownIdMessage });

const unnamed: Rule = (row) => (row.named ? null : placeAmong([], row));

const crowd: Rule = ({ named, isCrowd }) =>
  isCrowd && named && !named.hasContact && named.cohort === null && named.tail === "" ? { fault: crowdMessage } : null;

const equalPerson: Rule = ({ read, named, findEqual }) => {
  const equal = named?.hasContact || read.tail !== "" ? null : findEqual();
  return equal && { to: equal, by: "equality" };
};

const namesakesOf = ({ named, byName, alike }: RowToPlace): ReturnType<typeof decideAmong<KnownPerson>> => {
  if (!named) return { person: null, ask: [] };
  return named.hasContact && byName.length > 1 ? { person: null, ask: byName } : decideAmong(named, alike);
};

/** The only person of the name whose cohort or last digits fit. */
const onlyNamesake: Rule = (row) => {
  const { person } = namesakesOf(row);
  return person && { to: person, by: "name" };
};

const answerOrQuestion = (row: RowToPlace): Placement => {
  const { ask } = namesakesOf(row);
  return placeAmong([...ask, ...row.holders.filter(({ id }) => ask.every((each) => each.id !== id))], row);
};

/** In this order; the first that answers decides. */
export const PLACE_RULES = {
  sameId,
  sameContact,
  otherSpelling,
  severalOfContact,
  unknownId,
  unnamed,
  crowd,
  equalPerson,
  onlyNamesake,
};

export function placeRow(row: RowToPlace): Placement {
  for (const rule of Object.values(PLACE_RULES)) {
    const placed = rule(row);
    if (placed) return placed;
  }
  return answerOrQuestion(row);
}

/** Places a row by the answer about it, or asks. */
function placeAmong(ask: KnownPerson[], { read, choice, holders, others }: RowToPlace): Placement {
  const { name = "" } = read.values;
  const newId = choice?.kind === "new" ? choice.newId : null;
  const askRows = others.filter(({ id }) => ask.every((each) => each.id !== id));
  if (ask.length + askRows.length === 0) return { newId, by: "none" };
  if (choice?.kind === "skip") return "skip";
  if (newId) return { newId, by: "choice" };
  const { person: chosen } = choice ?? {};
  if (
    chosen &&
    (foldName(chosen.name) === foldName(name) || [...holders, ...others].some(({ id }) => id === chosen.id))
  )
    return { to: chosen, by: "choice" };
  return { ask, askRows };
}

interface ImportedBook {
  fields: readonly AlumniField[];
  own: readonly OwnField[];
  isShown: (field: AlumniFieldCode) => boolean;
}

/** People whom a row without contact equals in every visible field, and is empty in the others. */
export function equalPeople(
  read: ImportRow,
  byName: readonly KnownPerson[],
  { fields, own: ownFields, isShown }: ImportedBook,
): KnownPerson[] {
  const values = { ...EMPTY_ALUMNI_VALUES, ...read.values };
  values.memo = withMemoLines(values.memo, read.memoLines);
  const own = filledOwnValues(read.own);
  const isClosed = (field: AlumniFieldCode) => !isShown(field);
  if (fields.some((field) => isClosed(field) && cellText(values[field]) !== "")) return [];
  if (ownFields.some(({ code }) => isClosed(code) && own[code] !== undefined)) return [];
  return byName.filter(
    (person) =>
      fields.every((field) => isClosed(field) || isSameValue(field, person[field], values[field])) &&
      ownFields.every(({ code }) => isClosed(code) || isSameOwnValue(person.own[code], own[code])),
  );
}

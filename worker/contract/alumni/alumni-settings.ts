import { EXPORT_HOURS } from "../file/rules.ts";
import {
  type AlumniField,
  ALUMNI_FIELDS,
  type PrivateField,
  PRIVATE_FIELDS,
  COLUMN_LABELS,
  type AlumniValues,
  cellText,
} from "./columns.ts";
import { type AlumniSortField, ALUMNI_SORTS } from "./sorts.ts";

// How the address book is set up. Free of zod: the browser shows its lists and forms by it.

/** What a member may do with the entry that carries his e-mail address. */
export const OWN_ENTRIES = ["correct", "read", "none"] as const;

export type OwnEntry = (typeof OWN_ENTRIES)[number];

export type ExtraField = Exclude<AlumniField, "name">;

export const EXTRA_FIELDS = ALUMNI_FIELDS.filter((field) => field !== "name");

export interface BookSettings {
  /** Columns that are not used: nobody sees or writes them, and what stands in them is kept. Never the name. */
  off: ExtraField[];
  /** What must be filled in, beside the name. */
  required: ExtraField[];
  /** The columns of the list in their order, beside the name, until a person chooses own ones. */
  shown: ExtraField[];
  /** Field and direction, as in the address of the list. */
  sort: string;
  ownEntry: OwnEntry;
  /** Contact fields that a person may open to other members; the others are closed to them. */
  openable: PrivateField[];
  /** How long an export can be fetched. */
  exportHours: number;
  /** How long an import or a merge can be taken back. */
  undoDays: number;
}

export const DEFAULT_BOOK: BookSettings = {
  off: [],
  required: [],
  shown: ["cohort", "affiliation", "department", "position", "mobile", "email"],
  sort: "name,ASC",
  ownEntry: "correct",
  openable: [...PRIVATE_FIELDS],
  exportHours: EXPORT_HOURS,
  undoDays: 30,
};

/** A file of personal data lies nowhere longer than a day. */
export const BOOK_LIMITS = { exportHours: { min: 1, max: 24 }, undoDays: { min: 1, max: 90 } } as const;

export const isUsed = ({ off }: Pick<BookSettings, "off">, field: AlumniField) =>
  !(off as AlumniField[]).includes(field);

export const usedFields = (book: Pick<BookSettings, "off">) => ALUMNI_FIELDS.filter((field) => isUsed(book, field));

/** Who may not see the memo has no column of it either. */
export interface BookView extends Pick<BookSettings, "sort" | "openable"> {
  /** The columns in use that the caller may see, in the order of forms and files. */
  fields: AlumniField[];
  /** With the name in front. */
  required: AlumniField[];
  shown: AlumniField[];
}

export function bookView(book: BookSettings, seesMemo: boolean): BookView {
  const fields = usedFields(book).filter((field) => field !== "memo" || seesMemo);
  const seen = <F extends AlumniField>(list: readonly F[]) => list.filter((field) => fields.includes(field));
  return {
    fields,
    required: seen(["name", ...book.required]),
    shown: seen(["name", ...book.shown]),
    sort: book.sort,
    openable: seen(book.openable),
  };
}

export const DEFAULT_VIEW = bookView(DEFAULT_BOOK, true);

export interface SortChoice {
  field: AlumniSortField;
  descending: boolean;
}

export function sortOf(text: string): SortChoice {
  const [field, direction] = text.split(",");
  return { field: field as AlumniSortField, descending: direction === "DESC" };
}

export const isSortable = (book: Pick<BookSettings, "off">, field: AlumniSortField) =>
  !(book.off as string[]).includes(field);

export const SORT_LABELS = Object.fromEntries(
  ALUMNI_SORTS.map((field) => [
    field,
    field === "createdDate" ? "등록한 날" : field === "modifiedDate" ? "고친 날" : COLUMN_LABELS[field],
  ]),
) as Record<AlumniSortField, string>;

export const requiredMessage = (field: AlumniField) =>
  field === "name" ? "이름을 입력해 주십시오." : `‘${COLUMN_LABELS[field]}’ 항목을 입력해 주십시오.`;

/** Which of these values are empty and must not be. */
export const missingFields = (required: readonly AlumniField[], values: Partial<AlumniValues>) =>
  required.filter((field) => field in values && cellText(values[field] ?? null) === "");

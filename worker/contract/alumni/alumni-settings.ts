import { EXPORT_HOURS } from "../file/rules.ts";
import {
  type AlumniField,
  ALUMNI_FIELDS,
  type PrivateField,
  PRIVATE_FIELDS,
  ALUMNI_COLUMN_LABELS,
  type AlumniValues,
  cellText,
} from "./columns.ts";
import { type BookField, isOwnFieldCode, type OwnField, ownFieldsFor } from "./own-fields.ts";
import { type AlumniSortField, ALUMNI_SORTS, type BookSortField } from "./sort-fields.ts";

// How the address book is set up. Free of zod: the browser shows its lists and forms by it.

/** What a member may do with the entry that carries their e-mail address. */
export const OWN_ENTRY_RIGHTS = ["correct", "read", "none"] as const;

export type OwnEntryRight = (typeof OWN_ENTRY_RIGHTS)[number];

export type ConfigurableField = Exclude<AlumniField, "name">;

export const CONFIGURABLE_FIELDS = ALUMNI_FIELDS.filter((field) => field !== "name");

export interface AlumniSettings {
  /** Columns that are not used: nobody sees or writes them, and what stands in them is kept. Never the name. */
  off: ConfigurableField[];
  /** What must be filled in, beside the name. */
  required: ConfigurableField[];
  /** The columns of the list in their order, beside the name, until a person chooses own ones. */
  shown: ConfigurableField[];
  /** Field and direction, as in the address of the list. */
  sort: string;
  ownEntry: OwnEntryRight;
  /** Contact fields that a person may open to other members; the others are closed to them. */
  openable: PrivateField[];
  /** How long an export can be fetched. */
  exportHours: number;
  /** How long an import or a merge can be taken back. */
  undoDays: number;
}

export const DEFAULT_ALUMNI_SETTINGS: AlumniSettings = {
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
export const ALUMNI_SETTING_LIMITS = { exportHours: { min: 1, max: 24 }, undoDays: { min: 1, max: 90 } } as const;

export const isFieldUsed = ({ off }: Pick<AlumniSettings, "off">, field: AlumniField) =>
  !(off as AlumniField[]).includes(field);

export const usedFields = (settings: Pick<AlumniSettings, "off">) =>
  ALUMNI_FIELDS.filter((field) => isFieldUsed(settings, field));

/** Who may not see the memo has no column of it either. */
export interface AlumniSettingsView extends Pick<AlumniSettings, "sort" | "openable"> {
  /** The columns in use that the caller may see, in the order of forms and files. */
  fields: AlumniField[];
  /** With the name in front. */
  required: AlumniField[];
  shown: BookField[];
  /** Fields of the office's own that the caller may see. */
  own: OwnField[];
}

export function alumniSettingsView(
  settings: AlumniSettings,
  ownFields: readonly OwnField[],
  office: boolean,
): AlumniSettingsView {
  const fields = usedFields(settings).filter((field) => field !== "memo" || office);
  const own = ownFieldsFor(ownFields, office);
  const seen = <F extends AlumniField>(list: readonly F[]) => list.filter((field) => fields.includes(field));
  return {
    fields,
    required: seen(["name", ...settings.required]),
    shown: [...seen(["name", ...settings.shown]), ...own.filter(({ inList }) => inList).map(({ code }) => code)],
    sort: settings.sort,
    openable: seen(settings.openable),
    own,
  };
}

export const DEFAULT_ALUMNI_SETTINGS_VIEW = alumniSettingsView(DEFAULT_ALUMNI_SETTINGS, [], true);

/** The columns of either sort, in the order of forms and files. */
export const bookFields = ({ fields, own }: Pick<AlumniSettingsView, "fields" | "own">): BookField[] => [
  ...fields,
  ...own.map(({ code }) => code),
];

export interface AlumniSortChoice {
  field: BookSortField;
  descending: boolean;
}

export function parseAlumniSort(text: string): AlumniSortChoice {
  const [field, direction] = text.split(",");
  return { field: field as BookSortField, descending: direction === "DESC" };
}

/** Of the contract's own fields; whether another can be sorted by hangs on its kind. */
export const isFieldSortable = (settings: Pick<AlumniSettings, "off">, field: BookSortField) =>
  !isOwnFieldCode(field) && !(settings.off as string[]).includes(field);

export const ALUMNI_SORT_LABELS = Object.fromEntries(
  ALUMNI_SORTS.map((field) => [
    field,
    field === "createdDate" ? "등록한 날" : field === "modifiedDate" ? "고친 날" : ALUMNI_COLUMN_LABELS[field],
  ]),
) as Record<AlumniSortField, string>;

export const requiredFieldMessage = (field: AlumniField) =>
  field === "name" ? "이름을 입력해 주십시오." : `‘${ALUMNI_COLUMN_LABELS[field]}’ 항목을 입력해 주십시오.`;

/** Which of these values are empty and must not be. */
export const missingRequiredFields = (required: readonly AlumniField[], values: Partial<AlumniValues>) =>
  required.filter((field) => field in values && cellText(values[field] ?? null) === "");

import { whole } from "../kernel/row.ts";
import { EXPORT_HOURS } from "../file/rules.ts";
import {
  ALUMNI_COLUMN_LABELS,
  ALUMNI_FIELDS,
  ALUMNI_WHO_FIELDS,
  type AlumniField,
  type AlumniValues,
  cellText,
  isOfficeField,
  PRIVATE_FIELDS,
  type PrivateField,
} from "./columns.ts";
import { type AlumniFieldCode, isOwnFieldCode, type OwnField, type OwnFieldCode, ownFieldsFor } from "./own-fields.ts";

export const ALUMNI_SORTS = [...ALUMNI_WHO_FIELDS, "createdDate", "modifiedDate"] as const;

export type AlumniSortField = (typeof ALUMNI_SORTS)[number];

export type BookSortField = AlumniSortField | OwnFieldCode;

// Free of zod, because the browser uses it for lists and forms.

/** Rights of a member on the entry with their own e-mail address. */
export const OWN_ENTRY_RIGHTS = ["correct", "read", "none"] as const;

export type OwnEntryRight = (typeof OWN_ENTRY_RIGHTS)[number];

export type ConfigurableField = Exclude<AlumniField, "name">;

export const CONFIGURABLE_FIELDS = ALUMNI_FIELDS.filter((field) => field !== "name");

export interface AlumniSettings {
  /** Disabled columns: hidden and read-only, their values are kept. Never the name. */
  off: ConfigurableField[];
  required: ConfigurableField[];
  /** The default columns of the list, after the name. */
  shown: ConfigurableField[];
  sort: string;
  ownEntry: OwnEntryRight;
  /** Contact fields that a person may open to other members; others stay private. */
  openable: PrivateField[];
  /** Hours. */
  exportHours: number;
  /** For imports and merges. */
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

export const ALUMNI_PERIOD_FIELDS = {
  /** An exported file of personal data is deleted after a day at most. */
  exportHours: whole("내보낸 파일 보관(시간)", {
    ask: "내보낸 파일을 내려받을 수 있는 시간",
    hint: `1~24시간. 기본값은 ${DEFAULT_ALUMNI_SETTINGS.exportHours}시간입니다.`,
    start: DEFAULT_ALUMNI_SETTINGS.exportHours,
    min: 1,
    max: 24,
  }),
  undoDays: whole("되돌릴 수 있는 기간(일)", {
    ask: "가져오기와 합치기를 되돌릴 수 있는 날",
    hint: `1~90일. 기본값은 ${DEFAULT_ALUMNI_SETTINGS.undoDays}일입니다.`,
    start: DEFAULT_ALUMNI_SETTINGS.undoDays,
    min: 1,
    max: 90,
  }),
};

export const isFieldUsed = ({ off }: Pick<AlumniSettings, "off">, field: AlumniField) =>
  !(off as AlumniField[]).includes(field);

/** @param own the fields that the caller may use */
export const isBookFieldUsed = (
  settings: Pick<AlumniSettings, "off">,
  own: readonly Pick<OwnField, "code">[],
  field: AlumniFieldCode,
) => (isOwnFieldCode(field) ? own.some(({ code }) => code === field) : isFieldUsed(settings, field));

export const usedFields = (settings: Pick<AlumniSettings, "off">) =>
  ALUMNI_FIELDS.filter((field) => isFieldUsed(settings, field));

/** Excludes fields of the office for other callers. */
export interface AlumniSettingsView extends Pick<AlumniSettings, "sort" | "openable"> {
  fields: AlumniField[];
  required: AlumniField[];
  shown: AlumniFieldCode[];
  own: OwnField[];
}

export function alumniSettingsView(
  settings: AlumniSettings,
  ownFields: readonly OwnField[],
  office: boolean,
): AlumniSettingsView {
  const fields = usedFields(settings).filter((field) => !isOfficeField(field) || office);
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

export const bookFields = ({ fields, own }: Pick<AlumniSettingsView, "fields" | "own">): AlumniFieldCode[] => [
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

/** For contract fields; whether an own field is sortable depends on its kind. */
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

export const missingRequiredFields = (required: readonly AlumniField[], values: Partial<AlumniValues>) =>
  required.filter((field) => field in values && cellText(values[field] ?? null) === "");

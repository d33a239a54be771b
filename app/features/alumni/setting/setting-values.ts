import {
  ALUMNI_SORT_LABELS,
  type AlumniSettings,
  isFieldSortable,
  type OwnEntryRight,
} from "#worker/contract/alumni/alumni-settings.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { ALUMNI_SORTS } from "#worker/contract/alumni/sort-fields.ts";

export const OWN_ENTRY_OPTIONS: { value: OwnEntryRight; label: string }[] = [
  { value: "correct", label: "보고 고칠 수 있음" },
  { value: "read", label: "보기만 함" },
  { value: "none", label: "다른 회원의 정보와 같음" },
];

export const alumniSortOptions = (settings: AlumniSettings) =>
  ALUMNI_SORTS.filter((field) => isFieldSortable(settings, field)).flatMap((field) => {
    const isDate = field.endsWith("Date");
    return [
      { value: `${field},ASC`, label: `${ALUMNI_SORT_LABELS[field]} (${isDate ? "오래된 것부터" : "오름차순"})` },
      { value: `${field},DESC`, label: `${ALUMNI_SORT_LABELS[field]} (${isDate ? "최근 것부터" : "내림차순"})` },
    ];
  });

const labelsOf = (fields: readonly (keyof typeof ALUMNI_COLUMN_LABELS)[]) =>
  fields.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", ");

export const describeAlumniSettings = (settings: AlumniSettings) => ({
  "쓰지 않는 항목": labelsOf(settings.off),
  "필수 항목": labelsOf(settings.required),
  "처음에 보이는 열과 차례": labelsOf(settings.shown),
  "처음 정렬": alumniSortOptions(settings).find(({ value }) => value === settings.sort)?.label ?? settings.sort,
  "회원 본인의 정보": OWN_ENTRY_OPTIONS.find(({ value }) => value === settings.ownEntry)?.label ?? "",
  "본인이 공개할 수 있는 항목": labelsOf(settings.openable),
  "내려받을 수 있는 시간": String(settings.exportHours),
  "되돌릴 수 있는 날": String(settings.undoDays),
});

export const typedPeriods = ({ exportHours, undoDays }: AlumniSettings) => ({
  exportHours: String(exportHours),
  undoDays: String(undoDays),
});

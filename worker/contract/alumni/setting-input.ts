import { type AlumniField, PRIVATE_FIELDS } from "./columns.ts";
import { z } from "zod";
import {
  CONFIGURABLE_FIELDS,
  OWN_ENTRY_RIGHTS,
  ALUMNI_PERIOD_FIELDS,
  type AlumniSettings,
  isFieldUsed,
  isFieldSortable,
  parseAlumniSort,
  DEFAULT_ALUMNI_SETTINGS,
} from "./alumni-settings.ts";
import type { FieldOf } from "../kernel/row.ts";
import { ALUMNI_SORT_PATTERN } from "./list.ts";

const fieldList = <F extends AlumniField>(fields: readonly F[]) =>
  z
    .array(z.enum(fields, "없는 항목입니다."))
    .max(fields.length, "같은 항목이 두 번 있습니다.")
    .refine((list) => new Set(list).size === list.length, "같은 항목이 두 번 있습니다.");

const integerBetween = ({ min = 0, max = 0 }: FieldOf<"number">, unit: string) => {
  const message = `${min}${unit}에서 ${max}${unit} 사이로 입력해 주십시오.`;
  return z.number(message).int(message).min(min, message).max(max, message);
};

const settingShape = {
  off: fieldList(CONFIGURABLE_FIELDS),
  required: fieldList(CONFIGURABLE_FIELDS),
  shown: fieldList(CONFIGURABLE_FIELDS),
  sort: z.string().regex(ALUMNI_SORT_PATTERN, "정렬 기준이 올바르지 않습니다."),
  ownEntry: z.enum(OWN_ENTRY_RIGHTS, "목록에 있는 것 가운데 골라 주십시오."),
  openable: fieldList(PRIVATE_FIELDS),
  exportHours: integerBetween(ALUMNI_PERIOD_FIELDS.exportHours, "시간"),
  undoDays: integerBetween(ALUMNI_PERIOD_FIELDS.undoDays, "일"),
};

/** A disabled field cannot be required, shown or sorted by. */
function refuseUnusedFields(settings: AlumniSettings, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (!settings.required.every((field) => isFieldUsed(settings, field)))
    refuse("required", "쓰지 않는 항목은 필수로 정할 수 없습니다.");
  if (!settings.shown.every((field) => isFieldUsed(settings, field)))
    refuse("shown", "쓰지 않는 항목은 목록에 보일 수 없습니다.");
  if (!isFieldSortable(settings, parseAlumniSort(settings.sort).field))
    refuse("sort", "쓰지 않는 항목으로 정렬할 수 없습니다.");
}

export const alumniSettingsDocument = z.object(settingShape).superRefine(refuseUnusedFields);

export const updateAlumniSettingsInput = z
  .object({ ...settingShape, version: z.number().int().min(0) })
  .superRefine(refuseUnusedFields);

/** Unreadable values fall back one by one, contradicting ones all together. */
const storedFields = z.object({
  off: settingShape.off.catch(DEFAULT_ALUMNI_SETTINGS.off),
  required: settingShape.required.catch(DEFAULT_ALUMNI_SETTINGS.required),
  shown: settingShape.shown.catch(DEFAULT_ALUMNI_SETTINGS.shown),
  sort: settingShape.sort.catch(DEFAULT_ALUMNI_SETTINGS.sort),
  ownEntry: settingShape.ownEntry.catch(DEFAULT_ALUMNI_SETTINGS.ownEntry),
  openable: settingShape.openable.catch(DEFAULT_ALUMNI_SETTINGS.openable),
  exportHours: settingShape.exportHours.catch(DEFAULT_ALUMNI_SETTINGS.exportHours),
  undoDays: settingShape.undoDays.catch(DEFAULT_ALUMNI_SETTINGS.undoDays),
});

export const storedAlumniSettings = storedFields.transform((settings): AlumniSettings => {
  const used = <F extends AlumniField>(list: readonly F[]) => list.filter((field) => isFieldUsed(settings, field));
  const sort = isFieldSortable(settings, parseAlumniSort(settings.sort).field)
    ? settings.sort
    : DEFAULT_ALUMNI_SETTINGS.sort;
  return { ...settings, required: used(settings.required), shown: used(settings.shown), sort };
});

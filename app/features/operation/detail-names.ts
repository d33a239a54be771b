import { lookUp } from "#worker/contract/kernel/labels.ts";
import { ROW_FIELD_NAMES, SETTING_KIND_NAMES } from "#app/features/site/setting-labels.ts";
import { SETTING_SECTION_NAMES } from "#worker/contract/kernel/setting/setting-sections.ts";
import { BOARD_TYPES } from "#worker/contract/board/rules.ts";
import { BOARD_ACTION_NAMES } from "#worker/contract/kernel/permissions.ts";
import { HELD_DECISIONS } from "#worker/contract/alumni/held-address.ts";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import names from "./detail-names.json" with { type: "json" };
import { REQUEST_DESK, REQUEST_KIND_NAMES } from "#worker/contract/privacy/privacy.ts";

const FIELDS: Record<string, string> = { ...ROW_FIELD_NAMES, ...names.fields };
const VALUES: Record<string, string> = {
  ...SETTING_SECTION_NAMES,
  ...SETTING_KIND_NAMES,
  ...ALUMNI_COLUMN_LABELS,
  ...REQUEST_DESK.states,
  ...REQUEST_KIND_NAMES,
  ...BOARD_ACTION_NAMES,
  ...BOARD_TYPES,
  ...HELD_DECISIONS,
  ...names.values,
};
export const auditFieldName = (key: string): string => lookUp(FIELDS, key) ?? lookUp(VALUES, key) ?? key;

/** Fields that hold codes; in other fields the same word is free text. */
const CODED_FIELDS = new Set([
  "status",
  "letter",
  "kind",
  "roleCode",
  "boardType",
  "grant",
  "filter",
  "off",
  "required",
  "shown",
  "ownEntry",
  "openable",
  "mode",
  "userKeyType",
  "section",
  "heldAddress",
]);

/** Matches ids, which are shown shortened. */
export const IS_AUDIT_ID = /^[\da-f]{8}-[\da-f-]{27}$/;

export function formatAuditValue(field: string, value: unknown): string {
  if (value === undefined || value === null || value === "") return "(없음)";
  if (value === true) return "예";
  if (value === false) return "아니요";
  // The first eight characters are enough to tell ids apart.
  if (typeof value === "string" && IS_AUDIT_ID.test(value)) return `번호 ${value.slice(0, 8)}`;
  if (typeof value === "string") return (CODED_FIELDS.has(field) ? lookUp(VALUES, value) : undefined) ?? value;
  if (Array.isArray(value)) return value.map((each) => formatAuditValue(field, each)).join(", ") || "(없음)";
  if (typeof value !== "object") return String(value);
  const parts = Object.entries(value).map(
    ([key, each]) => `${auditFieldName(key)}: ${formatAuditValue(CODED_FIELDS.has(key) ? key : field, each)}`,
  );
  return parts.join("\n") || "(없음)";
}

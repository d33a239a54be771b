import { optionalParameter, lineField, dayField, pageNumber, reasonField, pageFields } from "../kernel/fields.ts";
import { z } from "zod";
import { AUDIT_FILTER_LIMITS } from "./log.ts";

const auditFilter = {
  /** A prefix of an action's code, for example `member` or `signin.failed`. */
  action: optionalParameter(z.string().regex(/^[A-Za-z][A-Za-z.-]{0,60}$/, "형식이 올바르지 않습니다.")),
  actor: lineField(AUDIT_FILTER_LIMITS.actor).optional(),
  targetId: lineField(100).optional(),
  /** The person concerned: name, ID, e-mail or number; includes exports with that person. */
  subject: lineField(AUDIT_FILTER_LIMITS.subject).optional(),
  address: lineField(AUDIT_FILTER_LIMITS.address).optional(),
  from: optionalParameter(dayField),
  to: optionalParameter(dayField),
};

export const listAuditQuery = z.object({
  ...auditFilter,
  /** Read events, such as opened lists, are hidden and counted. */
  reads: optionalParameter(z.enum(["shown", "folded"])),
  ...pageFields(30),
});

export type ListAuditQuery = z.output<typeof listAuditQuery>;

export const exportAuditInput = z.object({
  filter: z.object(auditFilter).default({}),
  format: z.enum(["csv", "xlsx"]).default("csv"),
  reason: reasonField,
});

export const auditPath = z.object({
  auditId: z
    .string()
    .regex(/^[1-9]\d{0,11}$/)
    .transform(Number),
});

export const auditSubjectsQuery = z.object({ page: pageNumber });

export type ExportAuditInput = z.output<typeof exportAuditInput>;

export const exportFormatShape = { format: z.enum(["csv", "xlsx"]).default("csv"), reason: reasonField };

const destructionFilter = {
  rule: lineField(30).optional(),
  from: optionalParameter(dayField),
  to: optionalParameter(dayField),
};

export const listDestructionsQuery = z.object({ ...destructionFilter, ...pageFields(30) });

export const exportDestructionsInput = z.object({
  filter: z.object(destructionFilter).default({}),
  ...exportFormatShape,
});

export type ExportDestructionsInput = z.output<typeof exportDestructionsInput>;

export type ListDestructionsQuery = z.output<typeof listDestructionsQuery>;

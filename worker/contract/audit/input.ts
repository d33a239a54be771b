import { optionalParameter, lineField, pageNumber, pageFields } from "../kernel/fields.ts";
import { z } from "zod";
import { exportInput, filterShape } from "../kernel/row-input.ts";
import { DESTRUCTION_FILTERS } from "./retention-rules.ts";
import { AUDIT_FILTERS } from "./log.ts";

const { reads: _reads, ...conditions } = AUDIT_FILTERS;
const auditFilter = {
  ...filterShape(conditions),
  action: optionalParameter(z.string().regex(/^[A-Za-z][A-Za-z.-]{0,60}$/, "형식이 올바르지 않습니다.")),
  targetId: lineField(100).optional(),
};

export const listAuditQuery = z.object({
  ...auditFilter,
  reads: optionalParameter(z.enum(["shown", "folded"])),
  ...pageFields(30),
});

export const exportAuditInput = exportInput(auditFilter);

export const auditPath = z.object({
  auditId: z
    .string()
    .regex(/^[1-9]\d{0,11}$/)
    .transform(Number),
});

export const auditSubjectsQuery = z.object({ page: pageNumber });

const destructionFilter = filterShape(DESTRUCTION_FILTERS);

export const listDestructionsQuery = z.object({ ...destructionFilter, ...pageFields(30) });

export const exportDestructionsInput = exportInput(destructionFilter);

import { z } from "zod";
import { publishAgreementInput } from "./agreement-input.ts";
import { contentCode } from "./info-page-input.ts";
import { saveContentInput } from "./input.ts";
import { CONTENT_FILES } from "./rules.ts";
import { idField, lineField } from "../kernel/fields.ts";

export const pageTextDocument = saveContentInput.omit({ version: true, fileIds: true }).extend({
  code: contentCode,
  /** Names only: the files stay with their site. */
  files: z
    .array(z.object({ fileId: idField, fileName: lineField(255) }))
    .max(CONTENT_FILES.maxCount)
    .default([]),
});

export type PageTextDocument = z.output<typeof pageTextDocument>;

export const agreementDocument = publishAgreementInput.omit({ effectiveDate: true, baseVersion: true });

export type AgreementDocument = z.output<typeof agreementDocument>;

import { z } from "zod";
import { publishAgreementInput } from "./agreement-input.ts";
import { contentCode } from "./info-page-input.ts";
import { saveContentInput } from "./input.ts";
import { CONTENT_FILES } from "./rules.ts";
import { idField, lineField } from "../kernel/fields.ts";

/** The text of an information page, a legal text or the banner in a file of settings, as its readers see it. */
export const pageTextDocument = saveContentInput.omit({ version: true, fileIds: true }).extend({
  code: contentCode,
  /** By name, since they stay with the site that they are on. */
  files: z
    .array(z.object({ fileId: idField, fileName: lineField(255) }))
    .max(CONTENT_FILES.maxCount)
    .default([]),
});

export type PageTextDocument = z.output<typeof pageTextDocument>;

/** An agreement in a file of settings: the version in force. */
export const agreementDocument = publishAgreementInput.omit({ effectiveDate: true, baseVersion: true });

export type AgreementDocument = z.output<typeof agreementDocument>;

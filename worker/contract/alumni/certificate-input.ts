import { z } from "zod";
import { idField, lineField, reasonField, pageFields } from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { CERTIFICATE_NUMBER_PATTERN, CERTIFICATE_PURPOSE_LENGTH, cleanCertificateNumber } from "./certificate.ts";

export const checkCertificateInput = z.object({
  number: z
    .string()
    .max(SIZE_LIMITS.codeLength)
    .transform(cleanCertificateNumber)
    .pipe(z.string().regex(CERTIFICATE_NUMBER_PATTERN, "증명서 번호를 증명서에 적힌 그대로 입력해 주십시오.")),
  name: z.string().trim().min(1, "이름을 입력해 주십시오.").max(SIZE_LIMITS.keywordLength),
});

export type CheckCertificateInput = z.output<typeof checkCertificateInput>;

export const issueCertificateInput = z.object({ purpose: lineField(CERTIFICATE_PURPOSE_LENGTH).default("") });

export type IssueCertificateInput = z.output<typeof issueCertificateInput>;

export const issueForPersonInput = z.object({ alumniId: idField, reason: reasonField });

export type IssueForPersonInput = z.output<typeof issueForPersonInput>;

export const listCertificatesQuery = z.object({ ...pageFields(50) });

export type ListCertificatesQuery = z.output<typeof listCertificatesQuery>;

import { z } from "zod";
import { requiredLineField, lineField, versionField } from "../kernel/fields.ts";
import { SITE_LIMITS } from "./rules.ts";
import { isEmail } from "../account/rules.ts";
import { hasAddress, NAME_WITH_ADDRESS } from "../mail/addresses.ts";
import { WIDEST_ACCOUNT_RULES } from "../kernel/identity-rules.ts";

const optionalEmail = lineField(SITE_LIMITS.email).refine(
  (value) => value === "" || isEmail(value, WIDEST_ACCOUNT_RULES),
  "이메일을 형식에 맞게 입력해 주십시오.",
);

export const updateSiteInput = z.object({
  siteName: requiredLineField(SITE_LIMITS.siteName).refine((name) => !hasAddress(name), NAME_WITH_ADDRESS),
  productName: lineField(SITE_LIMITS.productName),
  description: lineField(SITE_LIMITS.description),
  contact: z.object({
    organization: lineField(SITE_LIMITS.organization),
    address: lineField(SITE_LIMITS.address),
    phone: lineField(SITE_LIMITS.phone),
    fax: lineField(SITE_LIMITS.fax),
    email: optionalEmail,
  }),
  copyright: lineField(SITE_LIMITS.copyright),
  replyTo: optionalEmail.optional(),
  version: versionField,
});

export type UpdateSiteInput = z.output<typeof updateSiteInput>;

import { line, optional, day, id, requiredLine, pageNumber, pageSize, reason, version } from "../kernel/fields.ts";
import { z } from "zod";
import { MEMBER_STATUSES } from "./status.ts";
import { roleCode } from "../access/input.ts";
import { profileFieldCode } from "../account/setting-input.ts";
import { MAIL_KINDS } from "../mail/rules.ts";
import { wordingShape, letterVersion } from "../mail/input.ts";
import { email } from "../account/input.ts";

export const filterShape = {
  keyword: line(100).optional(),
  status: optional(z.enum(MEMBER_STATUSES)),
  roleCode: optional(roleCode),
  /** A sign-up field, and what stands somewhere in it. */
  profileCode: optional(profileFieldCode),
  profileValue: line(100).optional(),
  /** Joined, both days counted, in Korean time. */
  from: optional(day),
  to: optional(day),
};

export const bulkMailInput = z.object({
  /** Those chosen, or all whom a filter of the list shows. */
  target: z.union([
    z.object({ ids: z.array(id).min(1, "회원을 한 명 이상 선택해 주십시오.").max(500) }),
    z.object({ filter: z.object(filterShape) }),
  ]),
  kind: z.enum(MAIL_KINDS),
  ...wordingShape,
  reason: requiredLine(200),
  /** One a form: sent twice, nobody gets two. */
  key: id,
  /** Counts, and sends nothing. */
  dryRun: z.boolean().default(false),
});

export type BulkMailInput = z.output<typeof bulkMailInput>;

/** What stands under `site_setting.consent`. The law asks for the reminder, so that it goes out unless switched off. */
export const consentSettings = z.object({ automatic: z.boolean().catch(true) });

export const updateConsentInput = z.object({ automatic: z.boolean(), version: letterVersion });

export type UpdateConsentInput = z.output<typeof updateConsentInput>;

export const listMembersQuery = z.object({
  ...filterShape,
  sort: z
    .enum([
      "createdDate,DESC",
      "createdDate,ASC",
      "lastSigninDate,DESC",
      "lastSigninDate,ASC",
      "userName,ASC",
      "userName,DESC",
    ])
    .default("createdDate,DESC"),
  page: pageNumber,
  size: pageSize(20),
});

export type ListMembersQuery = z.output<typeof listMembersQuery>;

export const memberPath = z.object({ id });

const ids = z.array(id).min(1, "회원을 한 명 이상 선택해 주십시오.").max(500);

export const membersInput = z.object({ ids });

export const membersReasonInput = z.object({ ids, reason });

export const memberRoleInput = z.object({ ids, roleCode, userType: z.enum(["Member", "Admin"]).optional() });

export type MemberRoleInput = z.output<typeof memberRoleInput>;

export const memberEmailInput = z.object({ email, reason, version });

export type MemberEmailInput = z.output<typeof memberEmailInput>;

export const exportMembersInput = z.object({
  filter: z.object(filterShape).default({}),
  format: z.enum(["csv", "xlsx"]),
  reason,
});

export type ExportMembersInput = z.output<typeof exportMembersInput>;

import { z } from "zod";
import { id, requiredLine, requiredText } from "../kernel/fields.ts";
import { filterShape } from "../member/member.ts";
import type { LetterKind } from "./templates.ts";

/** A kind that is not there is a path that is not there; the verb says so. */
export const letterPath = z.object({ kind: z.string().max(40) });
const wordingShape = { subject: requiredLine(150), text: requiredText(5000) };
export const letterTextInput = z.object(wordingShape);
/** 0 until the office words it for the first time. */
const letterVersion = z.number().int().min(0);
export const updateLetterInput = z.object({ ...wordingShape, version: letterVersion });
export type UpdateLetterInput = z.output<typeof updateLetterInput>;

export interface LetterRow {
  kind: LetterKind;
  isChanged: boolean;
  modifiedDate: string | null;
}
export interface LetterView {
  kind: LetterKind;
  subject: string;
  text: string;
  isChanged: boolean;
  version: number;
  /** What letters say and link to, for the preview. */
  siteName: string;
  origin: string;
  /** Where a test goes: the caller's own address; null without one. */
  ownAddress: string | null;
}

export const MAIL_KINDS = ["informational", "advertising"] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
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

export interface BulkMailResult {
  /** How many are written to. */
  count: number;
  /** Left out: without a verified address, blocked, retired or suspended, or without the consent to advertising. */
  leftOut: number;
  /** Advertising at night waits for the morning; null when it goes out at once. */
  sendDate: string | null;
  /** As the first of them will read it. */
  sample: { subject: string; text: string };
}

/** What stands under `site_setting.consent`. The law asks for the reminder, so that it goes out unless switched off. */
export const consentSettings = z.object({ automatic: z.boolean().catch(true) });
export const updateConsentInput = z.object({ automatic: z.boolean(), version: letterVersion });
export type UpdateConsentInput = z.output<typeof updateConsentInput>;

/** Who agreed to advertising two years ago or more, and was not reminded since. */
export interface DueConsents {
  count: number;
  people: { userName: string; email: string; consentDate: string; confirmedDate: string | null }[];
  /** Does the scheduled job remind them? */
  automatic: boolean;
  version: number;
  /** The last times that people were reminded, newest first. */
  sent: { sentDate: string; count: number }[];
}

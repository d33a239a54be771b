import type { AppContext } from "#worker/domain/kernel/context.ts";
import { markAsAdvertising, signAsOffice } from "#worker/contract/mail/advertising.ts";
import { ADVERTISING_AGREEMENT } from "#worker/contract/mail/rules.ts";
import {
  type MailTemplateText,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import type { SiteSettings } from "#worker/contract/kernel/site-setting.ts";
import type { NewBulkMessage } from "../mail/message.server.ts";
import { signUnsubscribeToken } from "../mail/unsubscribe.server.ts";
import type { MailingFile } from "#worker/contract/mailing/view.ts";
import { describeAttachedFiles } from "./attached-file.server.ts";
import { type Mailing, type MailingPerson, usedPlaces } from "./people.server.ts";

/** By which a message of a mailing is known: the unique index gives each person one. */
export const mailingOnceKey = (mailingId: string, personId: string) => `mailing:${mailingId}:${personId}`;

/** The SQL of the same, for a row of `mailing_recipient`. */
export const MAILING_ONCE_KEY_SQL =
  "('mailing:' || mailing_recipient.mailing_id || ':' || mailing_recipient.person_id)";

/** What is alike in all mails of a mailing. */
export interface MailingFrame {
  site: SiteSettings;
  files: MailingFile[];
}

/** What one of the people gets. @param token of the way off; `…` where it is looked at alone */
export function renderMailing(
  ctx: AppContext,
  mailing: Mailing,
  { site, files }: MailingFrame,
  person: MailingPerson,
  token: string,
): MailTemplateText {
  const values = Object.fromEntries(usedPlaces(ctx, mailing).map(({ label, column }) => [label, person[column] ?? ""]));
  const filled = renderTemplate(
    { subject: mailing.subject, text: mailing.body },
    { ...values, [SITE_NAME_FIELD]: site.siteName, [SITE_LINK_FIELD]: ctx.config.SITE_ORIGIN },
  );
  const text = { ...filled, text: `${filled.text}${describeAttachedFiles(files, ctx.config.SITE_ORIGIN)}` };
  const off = `${ctx.config.SITE_ORIGIN}/mail/off/${token}`;
  return mailing.kind === "advertising" ? markAsAdvertising(text, site, off) : signAsOffice(text, site, off);
}

export function mailingMessage(
  ctx: AppContext,
  mailing: Mailing,
  frame: MailingFrame,
  person: MailingPerson,
): NewBulkMessage {
  const { personId, userId, address } = person;
  const offToken = signUnsubscribeToken(
    ctx,
    mailing.kind === "advertising"
      ? { kind: "advertising", target: ADVERTISING_AGREEMENT, userId: userId ?? "" }
      : { kind: "office", target: mailing.id, userId: personId },
  );
  return {
    userId,
    recipient: address,
    ...renderMailing(ctx, mailing, frame, person, offToken),
    onceKey: mailingOnceKey(mailing.id, personId),
    offToken,
  };
}

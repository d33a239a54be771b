import type { AppContext } from "#worker/domain/kernel/context.ts";
import { markAsAdvertising, markTextAsAdvertising, signAsOffice } from "#worker/contract/mail/advertising.ts";
import { advertisingAgreement } from "#worker/contract/mail/rules.ts";
import {
  type MailTemplateText,
  renderTemplate,
  SITE_LINK_FIELD,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import type { SiteSettings } from "#worker/contract/kernel/site-setting.ts";
import type { NewBulkMessage } from "../mail/message.server.ts";
import { signUnsubscribeToken } from "../mail/unsubscribe.server.ts";
import { REFUSAL_FIELD } from "#worker/contract/mailing/rules.ts";
import type { MailingFile } from "#worker/contract/mailing/view.ts";
import { describeAttachedFiles } from "./attached-file.server.ts";
import { templateVariables } from "./channel.server.ts";
import { type Mailing, type MailingPerson, mailingText, usedPlaceholders } from "./people.server.ts";

/** Idempotency key; a unique index allows one message per person. */
export const mailingOnceKey = (mailingId: string, personId: string) => `mailing:${mailingId}:${personId}`;

export const MAILING_ONCE_KEY_SQL =
  "('mailing:' || mailing_recipient.mailing_id || ':' || mailing_recipient.person_id)";

export interface MailingFrame {
  site: SiteSettings;
  files: MailingFile[];
}

const placeValues = (
  ctx: AppContext,
  mailing: Mailing,
  { site }: MailingFrame,
  person: MailingPerson,
  off: string,
) => ({
  ...Object.fromEntries(usedPlaceholders(ctx, mailing).map(({ label, column }) => [label, person[column] ?? ""])),
  [SITE_NAME_FIELD]: site.siteName,
  [SITE_LINK_FIELD]: ctx.config.SITE_ORIGIN,
  ...(mailing.channel === "sms" ? { [REFUSAL_FIELD]: off } : {}),
});

const offAddress = (ctx: AppContext, token: string) => `${ctx.config.SITE_ORIGIN}/mail/off/${token}`;

/** @param token unsubscribe token; `…` in a preview */
export function renderMailing(
  ctx: AppContext,
  mailing: Mailing,
  frame: MailingFrame,
  person: MailingPerson,
  token: string,
): MailTemplateText {
  const { site, files } = frame;
  const { kind, channel } = mailing;
  const off = offAddress(ctx, token);
  const filled = renderTemplate(mailingText(mailing), placeValues(ctx, mailing, frame, person, off));
  if (channel === "alimtalk") return filled;
  const text = { ...filled, text: `${filled.text}${describeAttachedFiles(files, ctx.config.SITE_ORIGIN)}` };
  if (channel === "sms")
    return kind === "advertising" ? { ...text, text: markTextAsAdvertising(text.text, site, off) } : text;
  return kind === "advertising" ? markAsAdvertising(text, site, off) : signAsOffice(text, site, off);
}

export const alimtalkOf = (ctx: AppContext, mailing: Mailing, frame: MailingFrame, person: MailingPerson) =>
  mailing.channel === "alimtalk"
    ? {
        templateCode: mailing.templateCode,
        variables: templateVariables(mailing, placeValues(ctx, mailing, frame, person, "")),
      }
    : null;

export const offTokenOf = (
  ctx: AppContext,
  { id, kind, channel }: Mailing,
  { personId, userId }: Pick<MailingPerson, "personId" | "userId">,
): string =>
  signUnsubscribeToken(
    ctx,
    kind === "advertising"
      ? { kind: "advertising", target: advertisingAgreement(channel), userId: userId ?? "" }
      : { kind: "office", target: id, userId: personId },
  );

export function mailingMessage(
  ctx: AppContext,
  mailing: Mailing,
  frame: MailingFrame,
  person: MailingPerson,
): NewBulkMessage {
  const offToken = offTokenOf(ctx, mailing, person);
  return {
    channel: mailing.channel,
    userId: person.userId,
    recipient: person.address,
    ...renderMailing(ctx, mailing, frame, person, offToken),
    onceKey: mailingOnceKey(mailing.id, person.personId),
    offToken,
    alimtalk: alimtalkOf(ctx, mailing, frame, person),
  };
}

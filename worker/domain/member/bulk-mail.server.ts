import { eq, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { auditLog } from "#db/schema/audit.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BulkMailInput } from "#worker/contract/member/input.ts";
import type { BulkMailResult } from "#worker/contract/member/view.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import {
  renderTemplate,
  mailTemplateProblems,
  type MailTemplateText,
  SITE_NAME_FIELD,
} from "#worker/contract/mail/templates.ts";
import { ADVERTISING_AGREEMENT, ADVERTISING_MARK, BULK_MAIL_FIELDS } from "#worker/contract/mail/rules.ts";
import { type SiteSettings, siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { keepAnswer } from "../kernel/idempotency.server.ts";
import { auditIf } from "../kernel/audit-entry.server.ts";
import { isConsentGiven } from "../mail/advertising-consent.server.ts";
import { nextDaytime } from "../mail/advertising-hours.ts";
import { signUnsubscribeToken } from "../mail/unsubscribe.server.ts";
import { type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import { isNotSuspended } from "../mail/suspension-filter.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { memberWhere } from "./list.server.ts";

/** Members a batch: their messages are one parameter, which may hold two megabytes. */
const MEMBERS_PER_BATCH = 200;

interface Recipient {
  id: string;
  userName: string;
  address: string;
}

/** POST member/mail: one message to many, through the outbox. Sent twice with one key, nobody gets two. */
export async function mailMembers(ctx: AppContext, input: BulkMailInput): Promise<BulkMailResult> {
  authorizeConsole(ctx);
  const problems = mailTemplateProblems(BULK_MAIL_FIELDS, input);
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  const isAdvertising = input.kind === "advertising";
  const chosen = chosenWhere(input);
  const reached = sql`${chosen} AND ${isReachable(isAdvertising)}`;
  const [counts, settings, first] = await ctx.db.batch([
    ctx.db
      .select({
        all: sql<number>`count(*)`,
        reached: sql<number>`count(*) FILTER (WHERE ${isReachable(isAdvertising)})`.as("reached"),
      })
      .from(user)
      .where(chosen),
    ctx.db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site")),
    bulkRecipientsStatement(ctx, reached, "", 1),
  ]);
  const count = counts[0]?.reached ?? 0;
  const write = bulkMessageWriter(ctx, input, siteSettings.parse(settings[0]?.value ?? {}));
  const notBefore = isAdvertising ? nextDaytime(ctx.now()) : ctx.now();
  // Nobody's way off: the preview must not be able to turn off somebody's mail.
  const sample = write({ id: "", address: "", userName: first[0]?.userName ?? BULK_MAIL_FIELDS.이름.sample });
  const result = {
    count,
    leftOut: (counts[0]?.all ?? 0) - count,
    sendDate: notBefore > ctx.now() ? notBefore.toISOString() : null,
    sample: { subject: sample.subject, text: sample.text },
  };
  if (input.dryRun) return result;
  if (count === 0) throw invalidInput({ target: "메일을 받을 수 있는 회원이 없습니다." });
  let done = "";
  for (let statements = [auditMail(ctx, input, count)]; ; statements = []) {
    const people: Recipient[] = await bulkRecipientsStatement(ctx, reached, done, MEMBERS_PER_BATCH);
    const isLast = people.length < MEMBERS_PER_BATCH;
    const [begin, ...rest] = [
      ...statements,
      ...queueBulkMessages(ctx, people.map(write), { isAdvertising, notBefore }),
      // Cut off before the last, the same sending goes on where it stopped: nobody gets two.
      ...(isLast ? keepAnswer(ctx, result) : []),
    ];
    if (begin) await ctx.db.batch([begin, ...rest]);
    if (isLast) return result;
    done = people.at(-1)?.id ?? "";
  }
}

function chosenWhere({ target }: BulkMailInput): SQL {
  if ("ids" in target) return sql`"user"."id" IN (SELECT value FROM json_each(${JSON.stringify(target.ids)}))`;
  return memberWhere(target.filter) ?? sql`1`;
}

const ADDRESS = sql`SELECT user_key_code FROM user_key WHERE user_key.user_id = "user"."id" AND user_key_type = 'Email' AND verified_date IS NOT NULL`;

const IS_NOT_SUSPENDED = isNotSuspended(sql`"user"."id"`);
/** Advertising goes to those alone who agreed to it, and whose last word that is. */
const isReachable = (isAdvertising: boolean) =>
  isAdvertising
    ? sql`"user"."status" = 'active' AND EXISTS (${ADDRESS}) AND ${IS_NOT_SUSPENDED} AND ${isConsentGiven(ADVERTISING_AGREEMENT)}`
    : sql`"user"."status" IN ('active', 'waiting') AND EXISTS (${ADDRESS}) AND ${IS_NOT_SUSPENDED}`;

const bulkRecipientsStatement = (ctx: AppContext, where: SQL, behind: string, limit: number) =>
  ctx.db
    .select({ id: user.id, userName: user.userName, address: sql<string>`(${ADDRESS})`.as("address") })
    .from(user)
    .where(sql`${where} AND "user"."id" > ${behind}`)
    .orderBy(user.id)
    .limit(limit);

function bulkMessageWriter(ctx: AppContext, input: BulkMailInput, site: SiteSettings) {
  return ({ id, userName, address }: Recipient): NewBulkMessage => {
    const text = renderTemplate(input, { 이름: userName, [SITE_NAME_FIELD]: site.siteName });
    const outgoing = { userId: id, recipient: address, onceKey: `bulk:${input.key}:${id}` };
    if (input.kind === "informational") return { ...outgoing, ...text, offToken: null };
    const token =
      id === "" ? "…" : signUnsubscribeToken(ctx, { kind: "advertising", target: ADVERTISING_AGREEMENT, userId: id });
    return {
      ...outgoing,
      ...asAdvertising(text, site, `${ctx.config.SITE_ORIGIN}/mail/off/${token}`),
      offToken: token,
    };
  };
}

/** The mark, who sends it, and how to refuse it for nothing (망법 제50조 제4항). */
function asAdvertising(text: MailTemplateText, site: SiteSettings, off: string): MailTemplateText {
  const { organization, address, phone, email } = site.contact;
  const sender = [organization || site.siteName, address, phone, email].filter(Boolean).join(" · ");
  const subject = text.subject.startsWith(ADVERTISING_MARK) ? text.subject : `${ADVERTISING_MARK} ${text.subject}`;
  return {
    subject,
    text: `${text.text}\n\n보낸 곳: ${sender}\n\n이 메일은 수신에 동의하신 분께 보내 드립니다. 받지 않으시려면 아래 주소에서 언제든지 무료로 수신을 거부하실 수 있습니다. 로그인하지 않으셔도 됩니다.\n${off}`,
  };
}

function auditMail(ctx: AppContext, input: BulkMailInput, count: number) {
  const { kind, subject, reason, key, target } = input;
  const { keyword, ...filter } = "filter" in target ? target.filter : { keyword: undefined };
  return auditIf(
    ctx,
    {
      action: "member.mail",
      targetType: "mail",
      targetId: key,
      subjectCount: count,
      reason,
      detail: {
        kind,
        subject,
        ...("filter" in target ? { filter: { ...filter, withKeyword: Boolean(keyword) } } : {}),
      },
    },
    sql`NOT EXISTS (SELECT 1 FROM ${auditLog} WHERE target_type = 'mail' AND target_id = ${key})`,
  );
}

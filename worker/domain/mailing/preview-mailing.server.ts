import { eq, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { siteSettings } from "#worker/contract/kernel/site-setting.ts";
import { maskRecipient } from "#worker/contract/mail/rules.ts";
import { ALUMNI_SAMPLES, type MailingCause } from "#worker/contract/mailing/rules.ts";
import type { MailingPreview } from "#worker/contract/mailing/view.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { nextDaytime } from "../mail/advertising-hours.ts";
import { deliverMessageSoon, queueMessage } from "../mail/message.server.ts";
import { readAttachedFiles } from "./attached-file.server.ts";
import { requireMailing, requireUsableText } from "./mailing.server.ts";
import { type Mailing, mailingPeopleOnce, type MailingPerson, readMailingPerson, usedPlaces } from "./people.server.ts";
import { type MailingFrame, renderMailing } from "./render-mailing.server.ts";

const SAMPLES = 3;

export async function readFrame(ctx: Pick<AppContext, "db">, { fileIds }: Mailing): Promise<MailingFrame> {
  const [rows, files] = await Promise.all([
    ctx.db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site")),
    readAttachedFiles(ctx, fileIds),
  ]);
  return { site: siteSettings.parse(rows[0]?.value ?? {}), files };
}

/** How many get it and why others do not, and what three of them get. */
export async function previewMailing(ctx: AppContext, id: string): Promise<MailingPreview> {
  const row = await requireMailing(ctx, id);
  requireUsableText(ctx, row);
  const places = usedPlaces(ctx, row);
  const [frame, counts, samples] = await Promise.all([
    readFrame(ctx, row),
    countPeople(ctx, row),
    readSamples(ctx, row),
  ]);
  const reached = counts.find(({ cause }) => cause === "")?.count ?? 0;
  if (samples.length > 0)
    ctx.defer(
      audit(ctx, {
        action: "mailing.preview",
        targetType: "mailing",
        targetId: id,
        subjectCount: samples.length,
      }).run(),
    );
  const start = row.kind === "advertising" ? nextDaytime(ctx.now()) : ctx.now();
  return {
    count: reached,
    leftOut: counts.flatMap(({ cause, count }) => (cause === "" ? [] : { cause, count })),
    emptyFields: places
      .map(({ label, column }) => ({
        field: label,
        count: counts.reduce((sum, each) => sum + Number(each[`empty_${column}`] ?? 0), 0),
      }))
      .filter(({ count }) => count > 0),
    samples: samples.map((person) => ({
      name: person.name,
      address: maskRecipient(person.address),
      // Nobody's way off: the preview must not be able to turn off somebody's mail.
      ...renderMailing(ctx, row, frame, person, "…"),
    })),
    notBefore: start > ctx.now() ? start.toISOString() : null,
  };
}

type CauseCount = { cause: MailingCause; count: number } & Record<string, unknown>;

/** By cause, with how often each field of the text is empty among those who could be written to. */
export function countPeople(ctx: AppContext, row: Mailing): Promise<CauseCount[]> {
  const empty = usedPlaces(ctx, row).map(
    ({ column }) =>
      sql`, count(*) FILTER (WHERE p.${sql.identifier(column)} = '' AND p.cause IN ('', 'empty-field')) AS ${sql.identifier(`empty_${column}`)}`,
  );
  return ctx.db.all<CauseCount>(
    sql`SELECT p.cause AS cause, count(*) AS count ${sql.join(empty)} FROM (${mailingPeopleOnce(ctx, row)}) p GROUP BY p.cause ORDER BY count(*) DESC, p.cause`,
  );
}

async function readSamples(ctx: AppContext, row: Mailing): Promise<MailingPerson[]> {
  const found = await ctx.db.all<Record<string, string | null>>(
    sql`SELECT * FROM (${mailingPeopleOnce(ctx, row)}) p WHERE p.cause = '' ORDER BY p.person_id LIMIT ${SAMPLES}`,
  );
  return found.map(readMailingPerson);
}

/** What they would get, with examples in the places of their fields, to the caller alone. */
export async function testMailing(ctx: AppContext, id: string): Promise<{ recipient: string }> {
  const row = await requireMailing(ctx, id);
  requireUsableText(ctx, row);
  const { userId } = requireSignedIn(ctx);
  const [own] = await ctx.db
    .select({ address: userKey.userKeyCode })
    .from(userKey)
    .where(sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} = 'Email'`);
  if (!own) throw invalidInput({ recipient: "회원정보에 이메일이 없어 시험 메일을 보낼 수 없습니다." });
  await countLimits(ctx, ["testMailHour", userId]);
  const example: MailingPerson = {
    ...ALUMNI_SAMPLES,
    personId: "",
    userId: null,
    address: own.address,
    cause: "",
  };
  const filled = renderMailing(ctx, row, await readFrame(ctx, row), example, "…");
  const letter = queueMessage(ctx, {
    channel: "email",
    recipient: own.address,
    userId,
    subject: `[시험] ${filled.subject}`,
    text: filled.text,
  });
  await ctx.db.batch([letter.statement, audit(ctx, { action: "mailing.test", targetType: "mailing", targetId: id })]);
  deliverMessageSoon(ctx, letter.id);
  return { recipient: own.address };
}

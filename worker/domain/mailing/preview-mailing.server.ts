import { type AskedQuestion, askedStatement } from "./question.server.ts";
import { eq, type SQL, sql } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { mailing } from "#db/schema/mailing.ts";
import type { AppContext, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { ALUMNI_SAMPLE } from "#worker/contract/alumni/columns.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { maskRecipient } from "#worker/contract/mail/mail.ts";
import {
  EMPTY_NAMED,
  MAILING_PEOPLE_MAX,
  type MailingCause,
  UNREACHABLE_CAUSES,
  UNREACHABLE_NAMED,
} from "#worker/contract/mailing/mailing.ts";
import { ENDS_BEFORE_SENDING } from "#worker/contract/mailing/question.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { nextDaytime } from "../mail/advertising.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { type NewMessage, queueMessage, sendCodeMessageNow } from "../mail/message.server.ts";
import {
  alimtalkOf,
  mailingFiles,
  mailingFilesStatement,
  type MailingFrame,
  NO_TOKEN,
  offTokenOf,
  readAttachedFiles,
  renderMailing,
} from "./render-mailing.server.ts";
import { fittingBytes, requireUsable } from "./channel.server.ts";
import { requireFound, requireMailing } from "./mailing.server.ts";
import {
  type Mailing,
  mailingPeopleOnce,
  type MailingPerson,
  readMailingPerson,
  usedPlaceholders,
} from "./people.server.ts";

const SAMPLES = 3;

const siteStatement = (db: AppContext["db"]) =>
  db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site"));

type AskedRow = Pick<Mailing, "question" | "answerUntil">;

const askedIn = ([row]: readonly AskedRow[]): AskedQuestion | null =>
  row?.question ? { question: row.question, answerUntil: row.answerUntil } : null;

/** @throws AppError INVALID_INPUT when the question's last day is over */
function requireOpenQuestion(ctx: Pick<AppContext, "now">, rows: readonly AskedRow[]): void {
  const until = askedIn(rows)?.answerUntil;
  if (until && until < ctx.now()) throw invalidInput({ "question.endDay": ENDS_BEFORE_SENDING });
}

export const requireUsableQuestion = async (ctx: AppContext, id: string) =>
  requireOpenQuestion(ctx, await askedStatement(ctx.db, id));

export async function readFrame(ctx: Pick<AppContext, "db">, { id, fileIds }: Mailing): Promise<MailingFrame> {
  const [settings, files, asked] = await Promise.all([
    siteStatement(ctx.db),
    readAttachedFiles(ctx, fileIds),
    askedStatement(ctx.db, id),
  ]);
  return { site: siteSettings.parse(settings[0]?.value ?? {}), files, asked: askedIn(asked) };
}

export async function previewMailing(scope: RequestScope, id: string) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(mailing).where(eq(mailing.id, id)),
    siteStatement(scope.db),
    mailingFilesStatement(scope.db, id),
    askedStatement(scope.db, id),
  ]);
  const [found, settings, files, asked] = rows;
  const row = requireFound(ctx, found[0]);
  requireUsable(ctx, row);
  requireOpenQuestion(ctx, asked);
  const frame = {
    site: siteSettings.parse(settings[0]?.value ?? {}),
    files: mailingFiles(files, row.fileIds),
    asked: askedIn(asked),
  };
  const placeholders = usedPlaceholders(ctx, row);
  const [counts, people, [named]] = await ctx.db.batch([
    countPeople(ctx, row),
    samplesStatement(ctx, row),
    namesStatement(ctx, row),
  ]);
  const samples = people.map(readMailingPerson);
  const bytes = longestText(ctx, row, frame, counts);
  const unreachable = namedIn(named?.unreachable);
  const empty = new Map(placeholders.map(({ column }) => [column, namedIn(named?.[`empty_${column}`])]));
  const quoted = [
    ...samples.map(({ personId }) => personId),
    ...idsOf(unreachable),
    ...[...empty.values()].flatMap(idsOf),
  ];
  auditLook(ctx, { action: "mailing.preview", targetId: id }, [...new Set(quoted)]);
  const start = row.kind === "advertising" ? nextDaytime(ctx.now()) : ctx.now();
  return {
    ...reachedOf(counts),
    unreachable: namesOf(unreachable),
    /** Greatest length of a text message with its fields filled in; null for a mail. */
    bytes,
    emptyFields: placeholders
      .map(({ label, column }) => ({
        field: label,
        names: namesOf(empty.get(column) ?? []),
        count: counts.reduce((sum, each) => sum + Number((each as CauseCount)[`empty_${column}`] ?? 0), 0),
      }))
      .filter(({ count }) => count > 0),
    samples: samples.map((person) => ({
      name: person.name,
      address: maskRecipient(person.address),
      // Renders a dummy token, so that a preview cannot unsubscribe anyone.
      ...renderMailing(ctx, row, frame, person, NO_TOKEN),
    })),
    /** The first moment at which advertising may be sent; null for immediately. */
    notBefore: start > ctx.now() ? start.toISOString() : null,
  };
}

type NamedPerson = [id: string, name: string];

const namedIn = (json: string | undefined) => JSON.parse(json ?? "[]") as NamedPerson[];
const idsOf = (people: readonly NamedPerson[]) => people.map(([id]) => id);
const namesOf = (people: readonly NamedPerson[]) => people.map(([, name]) => name);

export type MailingPreview = View<typeof previewMailing>;

type CauseCount = { cause: MailingCause; count: number } & Record<string, unknown>;

export function reachedOf(counts: readonly CauseCount[]) {
  const leftOut = counts.flatMap(({ cause, count }) => (cause === "" ? [] : { cause, count }));
  const isUnreachable = ({ cause }: { cause: MailingCause }) => UNREACHABLE_CAUSES.includes(cause);
  return {
    count: counts.find(({ cause }) => cause === "")?.count ?? 0,
    leftOut: leftOut.toSorted((a, b) => Number(isUnreachable(b)) - Number(isUnreachable(a))),
  };
}

export function countPeople(ctx: AppContext, row: Mailing) {
  const fields: [string, SQL.Aliased<number>][] = usedPlaceholders(ctx, row).flatMap(({ column }) => {
    const value = sql`p.${sql.identifier(column)}`;
    const empty = sql<number>`count(*) FILTER (WHERE ${value} = '' AND ${IS_COUNTED_EMPTY})`;
    const longest = sql<number>`max(iif(p.cause = '', length(${value}), 0))`;
    return [
      [`empty_${column}`, empty.as(`empty_${column}`)],
      [`longest_${column}`, longest.as(`longest_${column}`)],
    ];
  });
  const perField: Record<string, SQL.Aliased<number>> = Object.fromEntries(fields);
  return ctx.db
    .select({
      ...perField,
      cause: sql<MailingCause>`p.cause`.as("cause"),
      count: sql<number>`count(*)`.as("people"),
    })
    .from(sql`(${mailingPeopleOnce(ctx, row)}) p`)
    .groupBy(sql`p.cause`)
    .orderBy(sql`count(*) DESC, p.cause`);
}

/** @throws AppError INVALID_INPUT for an overlong text */
export function longestText(ctx: AppContext, row: Mailing, frame: MailingFrame, counts: readonly CauseCount[]) {
  const longest = (column: string) =>
    "가".repeat(Math.max(0, ...counts.map((each) => Number(each[`longest_${column}`] ?? 0))));
  const values = Object.fromEntries(usedPlaceholders(ctx, row).map(({ column }) => [column, longest(column)]));
  // The mailing's id replaces the person's: all ids have the same length.
  const person = {
    ...values,
    name: values["name"] ?? "",
    personId: row.id,
    userId: row.id,
    address: "",
    cause: "" as const,
  };
  return fittingBytes(row, renderMailing(ctx, row, frame, person, offTokenOf(ctx, row, person)).text);
}

const personColumns = (ctx: AppContext, row: Mailing) => {
  const names = ["person_id", "address", "user_id", "name", ...usedPlaceholders(ctx, row).map(({ column }) => column)];
  return Object.fromEntries(
    names.map((name) => [name, sql<string | null>`p.${sql.identifier(name)}`.as(`of_${name}`)] as const),
  );
};

const samplesStatement = (ctx: AppContext, row: Mailing) =>
  ctx.db
    .select(personColumns(ctx, row))
    .from(sql`(${mailingPeopleOnce(ctx, row)}) p`)
    .where(sql`p.cause = ''`)
    .orderBy(sql`p.person_id`)
    .limit(SAMPLES);

const IS_COUNTED_EMPTY = sql`p.cause IN ('', 'empty-field')`;

/** The first names without an address and without each placeholder, by one look at the people. */
function namesStatement(ctx: AppContext, row: Mailing) {
  const first = (name: string, where: SQL, count: number) => {
    const names = sql`SELECT p.person_id, p.name FROM p WHERE ${where} ORDER BY p.name, p.person_id LIMIT ${sql.raw(String(count))}`;
    return [
      name,
      sql<string>`(SELECT json_group_array(json_array(person_id, name)) FROM (${names}))`.as(name),
    ] as const;
  };
  const causes = UNREACHABLE_CAUSES.map((cause) => sql`${cause}`);
  return ctx.db
    .with(ctx.db.$with("p", {}).as(sql`SELECT * FROM (${mailingPeopleOnce(ctx, row)})`))
    .select(
      Object.fromEntries([
        first("unreachable", sql`p.cause IN (${sql.join(causes, sql`, `)})`, UNREACHABLE_NAMED),
        ...usedPlaceholders(ctx, row).map(({ column }) =>
          first(`empty_${column}`, sql`p.${sql.identifier(column)} = '' AND ${IS_COUNTED_EMPTY}`, EMPTY_NAMED),
        ),
      ]),
    )
    .from(sql`(SELECT 1)`);
}

/** @throws AppError INVALID_INPUT without an address or number */
async function ownAddress(ctx: AppContext, userId: string, channel: Mailing["channel"]): Promise<string> {
  const [own] = await ctx.db
    .select({ address: userKey.userKeyCode })
    .from(userKey)
    .where(sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} = ${channel === "email" ? "Email" : "Mobile"}`);
  if (own) return own.address;
  throw invalidInput({
    recipient:
      channel === "email"
        ? "회원정보에 이메일이 없어 시험 메일을 보낼 수 없습니다."
        : "회원정보에 휴대전화번호가 없어 시험 문자를 보낼 수 없습니다.",
  });
}

export async function testMailing(ctx: AppContext, id: string): Promise<{ recipient: string }> {
  const row = await requireMailing(ctx, id);
  requireUsable(ctx, row);
  const { userId } = requireSignedIn(ctx);
  const address = await ownAddress(ctx, userId, row.channel);
  await countLimits(ctx, ["testMailHour", userId]);
  const example: MailingPerson = {
    ...Object.fromEntries(
      usedPlaceholders(ctx, row).map(({ label, column }) => [column, lookUp(ALUMNI_SAMPLE, column) ?? label]),
    ),
    name: ALUMNI_SAMPLE.name,
    personId: "",
    userId: null,
    address,
    cause: "",
  };
  const frame = await readFrame(ctx, row);
  const filled = renderMailing(ctx, row, frame, example, NO_TOKEN);
  const tested = audit(ctx, { action: "mailing.test", targetId: id });
  if (row.channel !== "email") {
    await tested.run();
    const { channel } = row;
    await sendTestText(ctx, {
      channel,
      recipient: address,
      userId,
      ...filled,
      alimtalk: alimtalkOf(ctx, row, frame, example),
    });
    return { recipient: address };
  }
  const letter = queueMessage(ctx, {
    channel: "email",
    recipient: address,
    userId,
    subject: `[시험] ${filled.subject}`,
    text: filled.text,
    fileId: row.attachmentId,
  });
  await runGuardedBatch(ctx, [], [letter, tested]);
  return { recipient: address };
}

/** Never retried: the text provider would send a second message. */
const sendTestText = (ctx: AppContext, newMessage: NewMessage): Promise<void> =>
  sendCodeMessageNow(ctx, newMessage, null, "시험 문자를 보내지 못했습니다. 잠시 후 다시 시도해 주십시오.");

const NOBODY_REACHED: Record<Mailing["channel"], string> = {
  email: "메일을 받을 수 있는 사람이 없습니다.",
  sms: "문자를 받을 수 있는 사람이 없습니다.",
  alimtalk: "알림톡을 받을 수 있는 사람이 없습니다.",
};

/**
 * Compares the recipients with the previewed count. @returns the count including those left out, and a guard for the
 * batch
 */
export async function requireSamePeople(ctx: AppContext, row: Mailing, count: number) {
  const counts = await countPeople(ctx, row);
  const all = counts.reduce((sum, each) => sum + each.count, 0);
  const reached = reachedOf(counts).count;
  if (reached === 0) throw invalidInput({ target: NOBODY_REACHED[row.channel] });
  if (all > MAILING_PEOPLE_MAX)
    throw invalidInput({ target: "한 번에 10만 명까지 보낼 수 있습니다. 조건을 좁혀 주십시오." });
  if (reached !== count)
    throw conflict(`미리 본 뒤에 받을 사람이 ${count}명에서 ${reached}명으로 바뀌었습니다. 다시 확인해 주십시오.`);
  const sameCount = {
    holds: sql`(SELECT count(*) FROM (${mailingPeopleOnce(ctx, row)}) p WHERE p.cause = '') = ${count}`,
    error: () => conflict("미리 본 뒤에 받을 사람이 바뀌었습니다. 다시 확인해 주십시오."),
  };
  return { all, counts, sameCount };
}

import { eq, type SQL, sql } from "drizzle-orm";
import { mailing } from "#db/schema/mailing.ts";
import { unchanged } from "#db/sql.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import type { exportAnswersInput, listAnswersQuery } from "#worker/contract/mailing/input.ts";
import { type MailingQuestion, NO_ANSWER_NAME } from "#worker/contract/mailing/question.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { auditedSheet, countExport } from "../kernel/sheet-download.server.ts";
import { requireFound, requireMailing } from "./mailing.server.ts";
import { duesFilterOf, type Mailing, registeredOf } from "./people.server.ts";

const noQuestion = () => new AppError("NOT_FOUND", { message: "질문이 없는 메일입니다." });

/** Everybody who got the letter, with their answer. */
const askedPeople = (id: string): SQL => sql`
  SELECT r.person_id, a.answer, a.modified_date AS answered_date, alumni.cohort,
    coalesce(iif(m.source = 'alumni', alumni.name, coalesce(user.user_name,
      (SELECT guest_name FROM event_registration WHERE event_registration.user_id = r.person_id LIMIT 1))), '') AS name
  FROM mailing m JOIN mailing_recipient r ON r.mailing_id = m.id
  LEFT JOIN mailing_answer a ON a.mailing_id = m.id AND a.person_id = r.person_id
  LEFT JOIN alumni ON m.source = 'alumni' AND alumni.id = r.person_id AND alumni.deleted_date IS NULL
  LEFT JOIN user ON m.source = 'member' AND user.id = r.person_id
  WHERE m.id = ${id} AND (r.state <> 'left' OR a.answer IS NOT NULL)`;

const PERSON_COLUMNS = {
  personId: sql<string>`person_id`.as("asked_id"),
  name: sql<string>`name`.as("asked_name"),
  cohort: sql<number | null>`cohort`.as("asked_cohort"),
  answer: sql<number | null>`answer`.as("asked_answer"),
  answeredDate: sql<number | null>`answered_date`.as("asked_date"),
};
const BY_NAME = [
  sql`answer IS NULL`,
  sql`answer`,
  sql`cohort IS NULL`,
  sql`cohort`,
  sql`name`,
  sql`person_id`,
] as const;

type Asking = Mailing & { question: MailingQuestion };

function requireQuestion(row: Mailing): Asking {
  if (!row.question) throw noQuestion();
  return row as Asking;
}

const isOpen = (ctx: Pick<AppContext, "now">, { answerUntil }: Pick<Mailing, "answerUntil">) =>
  answerUntil === null || answerUntil >= ctx.now();

const countsStatement = (db: AppContext["db"], id: string) =>
  db
    .select({
      answer: sql<number | null>`answer`.as("counted_answer"),
      count: sql<number>`count(*)`.as("counted_people"),
    })
    .from(sql`(${askedPeople(id)})`)
    .groupBy(sql`answer`);

/** The question with its counts; the people are a list of their own. */
export async function getAnswers(scope: RequestScope, id: string) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(mailing).where(eq(mailing.id, id)),
    countsStatement(scope.db, id),
  ]);
  const row = requireQuestion(requireFound(ctx, rows[0][0]));
  const countOf = (wanted: number | null) => rows[1].find(({ answer }) => answer === wanted)?.count ?? 0;
  const asked = rows[1].reduce((sum, { count }) => sum + count, 0);
  const isSent = row.status !== "draft";
  return {
    ...fieldsOf(row, "id", "source", "subject", "version", "question"),
    answerUntil: row.answerUntil?.toISOString() ?? null,
    counts: row.question.answers.map((_, at) => countOf(at + 1)),
    asked,
    waiting: countOf(null),
    can: {
      close: isSent && isOpen(ctx, row),
      remind: isSent && isOpen(ctx, row) && countOf(null) > 0,
    },
  };
}

export type AnswersView = View<typeof getAnswers>;

const isWanted = (wanted: Parsed<typeof listAnswersQuery>["answer"]): SQL => {
  if (wanted === undefined) return sql`1`;
  return wanted === "none" ? sql`answer IS NULL` : sql`answer = ${Number(wanted)}`;
};

export async function listAnswers(scope: RequestScope, id: string, query: Parsed<typeof listAnswersQuery>) {
  const where = isWanted(query.answer);
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(mailing).where(eq(mailing.id, id)),
    rowsOfPage(
      scope.db
        .select(PERSON_COLUMNS)
        .from(sql`(${askedPeople(id)})`)
        .where(where)
        .orderBy(...BY_NAME),
      query,
    ),
    scope.db
      .select({ count: sql<number>`count(*)`.as("asked_count") })
      .from(sql`(${askedPeople(id)})`)
      .where(where),
  ]);
  const [found, people, counts] = rows;
  requireQuestion(requireFound(ctx, found[0]));
  auditLook(
    ctx,
    { action: "mailing.view", targetId: id, detail: { page: query.page, answer: query.answer } },
    people.map(({ personId }) => personId),
  );
  const content = people.map(({ answeredDate, ...row }) => ({
    ...row,
    answeredDate: answeredDate === null ? null : new Date(answeredDate).toISOString(),
  }));
  return makeCountedPage(query, content, counts);
}

/** Each person with the answer or without one; needs a reason. */
export async function exportAnswers(ctx: AppContext, id: string, asked: Parsed<typeof exportAnswersInput>) {
  const row = requireQuestion(await requireMailing(ctx, id));
  await countExport(ctx);
  const people = await ctx.db
    .select(PERSON_COLUMNS)
    .from(sql`(${askedPeople(id)})`)
    .orderBy(...BY_NAME);
  const { answers } = row.question;
  const entry = { action: "mailing.export", targetId: id, people: people.map(({ personId }) => personId) } as const;
  return auditedSheet(ctx, asked, entry, "메일 질문의 답", people, [
    { label: "이름", text: ({ name }) => name },
    { label: "기수", text: ({ cohort }) => cohort ?? "" },
    { label: "답", text: ({ answer }) => (answer === null ? NO_ANSWER_NAME : (answers[answer - 1] ?? "")) },
    {
      label: "답한 때",
      text: ({ answeredDate }) => (answeredDate === null ? "" : koreanDateTime(new Date(answeredDate))),
    },
  ]);
}

const closedConflict = () => conflict("보내지 않았거나 답받기가 끝난 질문입니다.");

/** A draft to those without an answer, with the same question; the office edits and sends it as any mailing. */
export async function remindUnanswered(ctx: AppContext, id: string, version: number): Promise<{ id: string }> {
  const row = requireQuestion(await requireMailing(ctx, id));
  if (row.status === "draft" || !isOpen(ctx, row)) throw closedConflict();
  if (row.version !== version) throw conflict();
  const now = ctx.now();
  const draft = crypto.randomUUID();
  const asked = "asked" in row.target ? row.target.asked : undefined;
  await ctx.db.batch([
    ctx.db.insert(mailing).values({
      ...fieldsOf(row, "source", "kind", "channel", "subject", "body", "isEach", "keepsEmpty"),
      id: draft,
      target: { unansweredTo: id, dues: duesFilterOf(row.target), asked, registered: registeredOf(row.target) },
      questionId: id,
      status: "draft",
      createdUserId: requireSignedIn(ctx).userId,
      createdDate: now,
      modifiedDate: now,
    }),
    audit(ctx, { action: "mailing.remind", targetId: id }),
    ...storeIdempotentAnswer(ctx, { id: draft }),
  ]);
  return { id: draft };
}

/** No link answers from now on. */
export async function closeQuestion(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  const row = requireQuestion(await requireMailing(ctx, id));
  if (row.status === "draft" || !isOpen(ctx, row)) throw closedConflict();
  const now = ctx.now();
  const guard = { holds: unchanged(mailing, id, version), error: closedConflict };
  await runGuardedBatch(ctx, guard, [
    ctx.db
      .update(mailing)
      .set({ answerUntil: new Date(now.getTime() - 1), modifiedDate: now, version: version + 1 })
      .where(eq(mailing.id, id)),
    audit(ctx, { action: "mailing.close", targetId: id }),
  ]);
  return {};
}

import { type SQL, sql } from "drizzle-orm";
import { mailing, mailingAnswer } from "#db/schema/mailing.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { ANSWER_REFUSED, type MailingQuestion } from "#worker/contract/mailing/question.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { mayBeSent } from "../alumni/segment.server.ts";
import { TRUSTED_EMAIL } from "../alumni/row.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { isNotSuspended } from "../mail/message.server.ts";

export interface AskedQuestion {
  question: MailingQuestion;
  answerUntil: Date | null;
}

/** The question of the mailing, or of the one that it reminds of. */
export const askedStatement = (db: AppContext["db"], mailingId: string) =>
  db
    .select({ questionId: mailing.id, question: mailing.question, answerUntil: mailing.answerUntil })
    .from(mailing)
    .where(sql`${mailing.id} = (SELECT coalesce(m.question_id, m.id) FROM mailing m WHERE m.id = ${mailingId})`);

interface LinkedQuestion {
  questionId: string;
  personId: string;
  question: MailingQuestion;
  answerUntil: number | null;
  answer: number | null;
  answeredDate: number | null;
}

const OWNER = sql`(SELECT user_id FROM user_key WHERE user_key_type = 'Email' AND user_key_code = ${TRUSTED_EMAIL} AND verified_date IS NOT NULL)`;

const isAlumnusAsked = sql`EXISTS (SELECT 1 FROM alumni WHERE alumni.id = r.person_id AND alumni.deleted_date IS NULL
  AND ${TRUSTED_EMAIL} = r.address AND ${mayBeSent("email")} AND ${isNotSuspended(OWNER)})`;

const isMemberAsked = sql`EXISTS (SELECT 1 FROM user JOIN user_key ON user_key.user_id = user.id WHERE user.id = r.person_id
  AND user.status = 'active' AND user_key.user_key_type = 'Email' AND user_key.user_key_code = r.address
  AND user_key.verified_date IS NOT NULL AND ${isNotSuspended(sql`user.id`)})`;

const isGuestAsked = sql`EXISTS (SELECT 1 FROM event_registration WHERE event_registration.user_id = r.person_id
  AND event_registration.guest_email = r.address AND event_registration.status <> 'cancelled')`;

/** The question of a link whose person may answer now. */
const openQuestion = (ctx: Pick<AppContext, "now">, token: string): SQL => sql`
  FROM mailing_recipient r JOIN mailing m ON m.id = r.mailing_id JOIN mailing q ON q.id = coalesce(m.question_id, m.id)
  WHERE r.link_hash = ${sha256Base64Url(token)} AND q.question IS NOT NULL
    AND (q.answer_until IS NULL OR q.answer_until >= ${ctx.now().getTime()})
    AND iif(q.source = 'alumni', ${isAlumnusAsked}, ${isMemberAsked} OR ${isGuestAsked})`;

const linkNotFound = () => new AppError("NOT_FOUND", { message: ANSWER_REFUSED });

/**
 * The link authorises its own answer only. All dead links get the same answer and count against their address. @throws
 * AppError NOT_FOUND, TOO_MANY_REQUESTS
 */
async function requireLink(ctx: AppContext, token: string, chosen: number): Promise<LinkedQuestion> {
  const [row] = await ctx.db.all<Omit<LinkedQuestion, "question"> & { question: string }>(sql`
    SELECT q.id AS questionId, r.person_id AS personId, q.question, q.answer_until AS answerUntil,
      (SELECT answer FROM mailing_answer a WHERE a.mailing_id = q.id AND a.person_id = r.person_id) AS answer,
      (SELECT modified_date FROM mailing_answer a WHERE a.mailing_id = q.id AND a.person_id = r.person_id) AS answeredDate
    ${openQuestion(ctx, token)}`);
  const question = row && (JSON.parse(row.question) as MailingQuestion);
  if (row && question && chosen <= question.answers.length) return { ...row, question };
  await countLimits(ctx, ["confirmLinkAddress", ctx.client.address]);
  throw linkNotFound();
}

const isoOrNull = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** Changes nothing, since mail programs prefetch links. */
export async function getQuestion(ctx: AppContext, token: string, chosen: number) {
  const { question, answerUntil, answer, answeredDate } = await requireLink(ctx, token, chosen);
  return { ...question, answerUntil: isoOrNull(answerUntil), answer, answeredDate: isoOrNull(answeredDate) };
}

export type QuestionPage = View<typeof getQuestion>;

/** Stores the person's answer in place of an earlier one. The log says that somebody answered, never what. */
export async function answerQuestion(ctx: AppContext, token: string, answer: number): Promise<Record<string, never>> {
  const { questionId, personId } = await requireLink(ctx, token, answer);
  const now = ctx.now();
  const stillOpen = { holds: sql`EXISTS (SELECT 1 ${openQuestion(ctx, token)})`, error: linkNotFound };
  await runGuardedBatch(ctx, stillOpen, [
    ctx.db
      .insert(mailingAnswer)
      .values({ mailingId: questionId, personId, answer, createdDate: now, modifiedDate: now })
      .onConflictDoUpdate({
        target: [mailingAnswer.mailingId, mailingAnswer.personId],
        set: { answer, modifiedDate: now },
      }),
    ...auditPeople(ctx, { action: "mailing.answer", targetId: questionId }, [personId]),
  ]);
  return {};
}

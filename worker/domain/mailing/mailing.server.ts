import { askedStatement } from "./question.server.ts";
import { and, desc, eq, type SQL, sql, type SQLWrapper } from "drizzle-orm";
import { userKey } from "#db/schema/account.ts";
import { mailing, mailingRecipient, type RegisteredPeople } from "#db/schema/mailing.ts";
import { columnsOf, unchanged } from "#db/sql.ts";
import type { AppContext, BatchStatements, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { endOfKoreanDay } from "#worker/contract/kernel/day-ends.ts";
import { koreanDay, startOfKoreanDay } from "#worker/contract/kernel/korea.ts";
import { ENDS_BEFORE_SENDING } from "#worker/contract/mailing/question.ts";
import { maskRecipient } from "#worker/contract/mail/mail.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import type {
  createMailingInput,
  listMailingsQuery,
  listRecipientsQuery,
  updateMailingInput,
} from "#worker/contract/mailing/input.ts";
import { isBounced, type MailingRecipients, type MailingSource } from "#worker/contract/mailing/mailing.ts";
import { authoritySql, canAdminister } from "../access/account-authority.server.ts";
import { seesDues } from "../alumni/dues/person.server.ts";
import { requireSegment, segmentWords } from "../alumni/segment.server.ts";
import { targetsDues, targetsRegistered } from "../audit/audit-log.server.ts";
import { audit, auditLook } from "../kernel/audit-entry.server.ts";
import { authorize, authorizeConsole, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { MEMBER_STATUS_NAMES } from "#worker/contract/account/rules.ts";
import type { MemberFilter } from "../member/list.server.ts";
import {
  attachmentStatement,
  changeAttachment,
  mailingFiles,
  mailingFilesStatement,
  releaseAttachments,
  requireAttachable,
} from "./render-mailing.server.ts";
import { channelsSetUp, readTemplateText, requireSetUp } from "./channel.server.ts";
import { duesFilterOf, type Mailing, mailingText, registeredOf, usableFields } from "./people.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

const mailingNotFound = () => new AppError("NOT_FOUND", { message: "단체 메일을 찾을 수 없습니다." });

/** Requires console access, full address book access for alumni, and the right to that by which people are chosen. */
export function authorizeMailing(ctx: Pick<AppContext, "actor">, source: MailingSource, target?: Mailing["target"]) {
  authorizeConsole(ctx);
  if (source === "alumni") authorize(ctx, { action: "Alumni_Write" });
  if (source === "alumni" && target && duesFilterOf(target)) authorize(ctx, { action: "Dues_Manage" });
  if (target && registeredOf(target)) authorize(ctx, { action: "Event_Manage" });
}

export async function requireMailing(ctx: AppContext, id: string): Promise<Mailing> {
  authorizeConsole(ctx);
  const [row] = await ctx.db.select().from(mailing).where(eq(mailing.id, id));
  return requireFound(ctx, row);
}

export function requireFound<M extends Pick<Mailing, "source" | "target">>(ctx: AppContext, row: M | undefined): M {
  if (!row) throw mailingNotFound();
  authorizeMailing(ctx, row.source, row.target);
  return row;
}

export const isStillDraftGuard = (id: string, version: number): BatchGuard => ({
  holds: sql`${unchanged(mailing, id, version)} AND EXISTS (SELECT 1 FROM mailing WHERE id = ${id} AND status = 'draft')`,
  error: () => conflict("그사이 다른 관리자가 고쳤거나 보냈습니다. 화면을 새로 확인해 주십시오."),
});

export async function createMailing(
  ctx: AppContext,
  input: Parsed<typeof createMailingInput> | { source: "member"; target: { registered: RegisteredPeople } },
): Promise<{ id: string }> {
  authorizeMailing(ctx, input.source, input.target);
  if (input.source === "alumni") requireSegment(ctx, input.target, { path: "target" });
  const id = crypto.randomUUID();
  const now = ctx.now();
  await ctx.db.batch([
    ctx.db.insert(mailing).values({
      id,
      source: input.source,
      target: input.target,
      kind: "informational",
      status: "draft",
      createdUserId: requireSignedIn(ctx).userId,
      createdDate: now,
      modifiedDate: now,
    }),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}

export async function updateMailing(
  ctx: AppContext,
  id: string,
  { text, version, question, ...changes }: Parsed<typeof updateMailingInput>,
): Promise<{ version: number }> {
  const row = await requireMailing(ctx, id);
  requireSetUp(ctx, changes.channel);
  await requireAttachable(ctx, changes.fileIds);
  const asked = askedColumns(ctx, row, question);
  const content =
    changes.channel === "alimtalk"
      ? await readTemplateText(ctx, { ...changes, source: row.source })
      : { body: text, templateCode: "", templateValues: {} };
  const attachment = await changeAttachment(ctx, row, changes.attachmentId);
  const guards = [isStillDraftGuard(row.id, version), ...attachment.guards];
  await runGuardedBatch(ctx, guards, [
    ...attachment.statements,
    ctx.db
      .update(mailing)
      .set({ ...changes, ...content, ...asked, modifiedDate: ctx.now(), version: version + 1 })
      .where(eq(mailing.id, id)),
  ]);
  return { version: version + 1 };
}

/** A reminder asks the question of its first mailing. @throws AppError INVALID_INPUT for a last day that is over */
function askedColumns(ctx: AppContext, row: Mailing, question: Parsed<typeof updateMailingInput>["question"]) {
  if (row.questionId !== null || !question) return { question: null, answerUntil: null };
  const { endDay, ...asked } = question;
  if (endDay !== "" && endDay < koreanDay(ctx.now())) throw invalidInput({ "question.endDay": ENDS_BEFORE_SENDING });
  return { question: asked, answerUntil: endDay === "" ? null : endOfKoreanDay(startOfKoreanDay(endDay)) };
}

export async function deleteMailing(ctx: AppContext, id: string, version: number): Promise<Record<string, never>> {
  await requireMailing(ctx, id);
  await runGuardedBatch(ctx, isStillDraftGuard(id, version), [
    releaseAttachments(ctx.db, sql`id = ${id}`),
    ctx.db.delete(mailing).where(eq(mailing.id, id)),
    audit(ctx, { action: "mailing.delete", targetId: id }),
  ]);
  return {};
}

const isScheduled = (ctx: AppContext, { status, sendDate }: Pick<Mailing, "status" | "sendDate">) =>
  status === "sending" && sendDate !== null && sendDate > ctx.now();

const MAILING_ROW_COLUMNS = {
  ...columnsOf(mailing, "id", "source", "channel", "kind", "subject", "status", "sendDate", "createdDate"),
  createdUserName: sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${mailing.createdUserId}), '')`,
};

/** Reads again for callers from whom `listedFor` hides rows; others need one trip. */
export async function readListed<T extends BatchStatements>(
  scope: RequestScope,
  check: (ctx: AppContext) => void,
  listedFor: (ctx: AppContext) => SQL | undefined,
  statementsOf: (where?: SQL) => T,
) {
  const all = await scope.readFor(check, statementsOf());
  const listed = listedFor(all.ctx);
  return listed ? scope.readFor(check, statementsOf(listed)) : all;
}

/** A choice by dues shows how many owe. */
export const listedByDues = (ctx: AppContext, target: SQLWrapper): SQL | undefined =>
  seesDues(ctx) ? undefined : sql`NOT ${targetsDues(sql`${target}`)}`;

const listedMailings = (ctx: AppContext) =>
  and(
    can(ctx.actor, { action: "Alumni_Write" }) ? listedByDues(ctx, mailing.target) : eq(mailing.source, "member"),
    can(ctx.actor, { action: "Event_Manage" }) ? undefined : sql`NOT ${targetsRegistered(sql`${mailing.target}`)}`,
  );

export async function listMailings(scope: RequestScope, query: Parsed<typeof listMailingsQuery>) {
  const { ctx, rows } = await readListed(scope, authorizeConsole, listedMailings, (where) => [
    rowsOfPage(
      scope.db
        .select({ ...MAILING_ROW_COLUMNS, people: mailing.people })
        .from(mailing)
        .where(where)
        .orderBy(desc(mailing.createdDate), desc(mailing.id)),
      query,
    ),
    countRows(scope.db, mailing, where),
  ]);
  const content = rows[0].map((row) => ({
    ...row,
    sendDate: row.sendDate?.toISOString() ?? null,
    isScheduled: isScheduled(ctx, row),
    createdDate: row.createdDate.toISOString(),
  }));
  return makeCountedPage(query, content, rows[1]);
}

export async function getMailing(scope: RequestScope, id: string) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, (viewerId) => [
    scope.db
      .select({
        mailing,
        createdUserName: MAILING_ROW_COLUMNS.createdUserName.as("author_name"),
        roleName: sql<string | null>`(SELECT role_name FROM role
          WHERE role_code = json_extract(${mailing.target}, '$.filter.roleCode'))`.as("role_name"),
        profileName: sql<string | null>`(SELECT name FROM profile_field
          WHERE code = json_extract(${mailing.target}, '$.filter.profileCode'))`.as("profile_name"),
      })
      .from(mailing)
      .where(eq(mailing.id, id)),
    scope.db
      .select({
        state: mailingRecipient.state,
        cause: mailingRecipient.cause,
        count: sql<number>`count(*)`,
      })
      .from(mailingRecipient)
      .where(eq(mailingRecipient.mailingId, id))
      .groupBy(mailingRecipient.state, mailingRecipient.cause),
    scope.db
      .select({ type: userKey.userKeyType, code: userKey.userKeyCode })
      .from(userKey)
      .where(eq(userKey.userId, viewerId)),
    mailingFilesStatement(scope.db, id),
    attachmentStatement(scope.db, id),
    askedStatement(scope.db, id),
  ]);
  const [found, counts, keys, files, [attachment = null], [asked]] = rows;
  const row = requireFound(ctx, found[0]?.mailing);
  const isWaiting = counts.some(({ state }) => state === "waiting");
  return {
    ...fieldsOf(row, "id", "source", "channel", "kind", "subject"),
    text: row.status === "draft" ? row.body : mailingText(row).text,
    files: mailingFiles(files, row.fileIds),
    attachment,
    ...fieldsOf(row, "isEach", "keepsEmpty", "templateCode", "templateValues"),
    isSetUp: channelsSetUp(ctx),
    ...fieldsOf(row, "status", "reason", "sendDate"),
    isScheduled: isScheduled(ctx, row),
    createdDate: row.createdDate.toISOString(),
    createdUserName: found[0]?.createdUserName ?? "",
    doneDate: row.doneDate?.toISOString() ?? null,
    version: row.version,
    /** The question that its letters ask: its own, or that of the mailing which a reminder repeats. */
    asked: asked?.question
      ? {
          ...asked.question,
          mailingId: asked.questionId,
          endDay: asked.answerUntil ? koreanDay(asked.answerUntil) : "",
        }
      : null,
    isReminder: row.questionId !== null,
    chosen: "ids" in row.target ? row.target.ids.length : null,
    segment:
      row.status === "draft" ? segmentOf(ctx, row, found[0]?.roleName ?? null, found[0]?.profileName ?? null) : [],
    fields: [...usableFields(ctx, row.source).keys()],
    counts: counts.map(({ state, cause, count }) => ({ state, cause, count })),
    can: {
      edit: row.status === "draft",
      cancel: row.status === "sending" && isWaiting,
      resend: row.status !== "draft" && counts.some(({ state }) => state === "failed" || state === "unknown"),
    },
    own: {
      email: keys.find(({ type }) => type === "Email")?.code ?? null,
      mobile: keys.find(({ type }) => type === "Mobile")?.code ?? null,
    },
  };
}

export type MailingView = View<typeof getMailing>;

function segmentOf(ctx: AppContext, { source, target }: Mailing, roleName: string | null, profileName: string | null) {
  if ("unansweredTo" in target) return ["질문에 답하지 않은 사람"];
  if (source === "alumni") return segmentWords(ctx, target as ParsedAlumniSelection);
  if ("registered" in target && target.registered) return [target.registered.words];
  if (!("filter" in target)) return [];
  const { keyword, status, roleCode, profileValue, from, to } = target.filter as MemberFilter;
  const words = [
    keyword && `검색어 ‘${keyword}’`,
    status && `상태 ‘${MEMBER_STATUS_NAMES[status]}’`,
    roleCode && `역할 ‘${roleName ?? roleCode}’`,
    (from ?? to) && `가입일 ${from ?? ""}~${to ?? ""}`,
    profileValue && `${profileName ?? "가입 항목"} ‘${profileValue}’`,
  ].filter(Boolean);
  return words.length === 0 ? ["모든 회원"] : words;
}

export async function listMailingRecipients(
  scope: RequestScope,
  id: string,
  query: Parsed<typeof listRecipientsQuery>,
): Promise<MailingRecipients> {
  const where = and(
    eq(mailingRecipient.mailingId, id),
    query.state ? eq(mailingRecipient.state, query.state) : undefined,
  );
  const name = sql<string>`coalesce(iif((SELECT source FROM mailing WHERE mailing.id = ${id}) = 'alumni',
    (SELECT name FROM alumni WHERE alumni.id = ${mailingRecipient.personId} AND deleted_date IS NULL),
    coalesce((SELECT user_name FROM user WHERE user.id = ${mailingRecipient.personId}),
      (SELECT guest_name FROM event_registration WHERE user_id = ${mailingRecipient.personId} LIMIT 1))), '')`;
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    scope.db.select({ source: mailing.source, target: mailing.target }).from(mailing).where(eq(mailing.id, id)),
    rowsOfPage(
      scope.db
        .select({
          personId: mailingRecipient.personId,
          name: name.as("person_name"),
          ...columnsOf(mailingRecipient, "address", "state", "cause", "stateDate"),
          authority: sql<string>`iif((SELECT source FROM mailing WHERE mailing.id = ${id}) = 'member',
            ${authoritySql(sql`"user"."id" = ${mailingRecipient.personId}`, scope.now())}, NULL)`.as("authority"),
        })
        .from(mailingRecipient)
        .where(where)
        .orderBy(mailingRecipient.state, mailingRecipient.cause, mailingRecipient.personId),
      query,
    ),
    countRows(scope.db, mailingRecipient, where),
  ]);
  const [found, people, counts] = rows;
  const { source } = requireFound(ctx, found[0]);
  const detail = { page: query.page, state: query.state };
  auditLook(
    ctx,
    { action: "mailing.view", targetId: id, detail },
    people.map(({ personId }) => personId),
  );
  const content = people.map(({ authority, ...row }) => {
    const canMend = isBounced(row) && row.name !== "" && (source === "alumni" || canAdminister(ctx, authority));
    const address = canMend ? row.address : maskRecipient(row.address);
    return { ...row, address, canMend, stateDate: row.stateDate.toISOString() };
  });
  return makeCountedPage(query, content, counts);
}

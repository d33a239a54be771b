import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { columnsOf } from "#db/sql.ts";
import { roleGrant } from "#db/schema/access.ts";
import { secondFactor, secondFactorRecovery } from "#db/schema/account.ts";
import { alumniCertificate, alumniCorrection, alumniView } from "#db/schema/alumni.ts";
import { dueListPerson, dueWork } from "#db/schema/alumni-dues.ts";
import { boardItem, boardItemComment, boardItemRevision, itemDraft, itemReport } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import { file } from "#db/schema/file.ts";
import { activity, mailAddress, message, noticeChoice } from "#db/schema/mail.ts";
import { confirmationAnswer, confirmationRound, mailing, mailingAnswer, mailingRecipient } from "#db/schema/mailing.ts";
import { movedThing, oldNote } from "#db/schema/moving.ts";
import { proposal, proposalCall, proposalReview } from "#db/schema/proposal.ts";
import { retentionNotice } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { showPaidAmount } from "#worker/contract/alumni/certificate.ts";
import { exportOwnDues } from "../alumni/dues/person.server.ts";
import { exportOwnEntry, ownEntriesSql } from "../alumni/own-entry.server.ts";
import { type OwnPersonPart, PERSON_TABLES } from "../alumni/person-tables.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { listNotifications } from "../board/follow.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { exportOwnInquiries } from "../inquiry/inquiry.server.ts";
import { getUser } from "../account/user.server.ts";
import { listConsents } from "../account/consent.server.ts";
import { listSessions } from "../account/user-session.server.ts";
import { ACCOUNT_COLUMNS, type OwnAccountPart } from "./account-columns.server.ts";
import { listOwnPrivacyRequests } from "./request.server.ts";
import { getOwnSuspension } from "./suspension.server.ts";
import { authorizeOwnAccount } from "../account/credential.server.ts";

type OwnPart = OwnAccountPart | OwnPersonPart;

const ownAddresses = (userId: string) =>
  sql`(SELECT user_key_code FROM user_key WHERE user_id = ${userId} AND user_key_type IN ('Email', 'Mobile') AND verified_date IS NOT NULL)`;

/** Rows of a table that the two lists declare as part of the own data. */
function isOwn(userId: string, part: OwnPart, table: SQLiteTable): SQL {
  const accounts = ACCOUNT_COLUMNS.filter(({ column, own }) => column.table === table && own === part);
  const people = PERSON_TABLES.filter((each) => each.table === table && each.own === part);
  return sql`(${sql.join(
    [
      ...accounts.map(({ column, holds, when }) =>
        and(holds === "key" ? sql`${column} IN ${ownAddresses(userId)}` : sql`${column} = ${userId}`, when),
      ),
      ...people.flatMap(({ columns }) =>
        columns.map((name) => sql`${table}.${sql.raw(name)} IN ${ownEntriesSql(userId)}`),
      ),
    ],
    sql` OR `,
  )})`;
}

/** Parts that a function of their area reads. */
const READ_PARTS = {
  user: getUser,
  consents: listConsents,
  sessions: listSessions,
  privacyRequests: (ctx) => listOwnPrivacyRequests(ctx),
  inquiries: (ctx) => exportOwnInquiries(ctx),
  suspendedDate: getOwnSuspension,
  alumniEntry: exportOwnEntry,
  dues: exportOwnDues,
} satisfies Partial<Record<OwnPart, (ctx: AppContext, userId: string) => Promise<unknown>>>;

type RowPart = Exclude<OwnPart, keyof typeof READ_PARTS>;

/** Rows of the other parts, the oldest first. */
function rowStatements({ db }: AppContext, userId: string) {
  const own = (part: RowPart, table: SQLiteTable) => isOwn(userId, part, table);
  return {
    roleGrants: db
      .select(columnsOf(roleGrant, "roleCode", "startDate", "endDate"))
      .from(roleGrant)
      .where(own("roleGrants", roleGrant))
      .orderBy(asc(roleGrant.startDate)),
    secondFactors: db
      .select(columnsOf(secondFactor, "kind", "name", "createdDate", "lastUsedDate"))
      .from(secondFactor)
      .where(own("secondFactors", secondFactor))
      .orderBy(asc(secondFactor.createdDate)),
    secondFactorRecoveries: db
      .select(columnsOf(secondFactorRecovery, "createdDate", "usableDate", "expiresDate", "closedDate"))
      .from(secondFactorRecovery)
      .where(own("secondFactorRecoveries", secondFactorRecovery))
      .orderBy(asc(secondFactorRecovery.createdDate)),
    items: db
      .select(columnsOf(boardItem, "boardCode", "itemNo", "title", "content", "createdDate", "deletedDate"))
      .from(boardItem)
      .where(own("items", boardItem))
      .orderBy(asc(boardItem.createdDate)),
    // Of their own items: an earlier text of another item is its author's.
    revisions: db
      .select({
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(boardItemRevision, "title", "content", "modifiedDate"),
      })
      .from(boardItemRevision)
      .innerJoin(boardItem, and(eq(boardItem.id, boardItemRevision.itemId), eq(boardItem.createdUserId, userId)))
      .where(own("revisions", boardItemRevision))
      .orderBy(asc(boardItemRevision.modifiedDate)),
    comments: db
      .select({
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(boardItemComment, "content", "createdDate", "deletedDate"),
      })
      .from(boardItemComment)
      .innerJoin(boardItem, eq(boardItem.id, boardItemComment.itemId))
      .where(own("comments", boardItemComment))
      .orderBy(asc(boardItemComment.createdDate)),
    files: db
      .select({ fileId: file.id, ...columnsOf(file, "fileName", "size", "contentType", "createdDate") })
      .from(file)
      .where(own("files", file))
      .orderBy(asc(file.createdDate)),
    reports: db
      .select({
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(itemReport, "reason", "text", "createdDate"),
      })
      .from(itemReport)
      .innerJoin(boardItem, eq(boardItem.id, itemReport.itemId))
      .where(own("reports", itemReport))
      .orderBy(asc(itemReport.createdDate)),
    drafts: db
      .select(columnsOf(itemDraft, "boardCode", "itemNo", "title", "content", "fields", "modifiedDate"))
      .from(itemDraft)
      .where(own("drafts", itemDraft))
      .orderBy(asc(itemDraft.modifiedDate)),
    registrations: db
      .select({
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        questions: event.questions,
        ...columnsOf(eventRegistration, "status", "answers", "fee", "reason", "createdDate", "attendedDate"),
        paid: sql<number>`coalesce((SELECT paid FROM due WHERE due.id = "event_registration"."id"), 0)`.as("paid_fee"),
      })
      .from(eventRegistration)
      .innerJoin(boardItem, eq(boardItem.id, eventRegistration.itemId))
      .leftJoin(event, eq(event.itemId, eventRegistration.itemId))
      .where(own("registrations", eventRegistration))
      .orderBy(asc(eventRegistration.createdDate)),
    researchProposals: db
      .select({
        ...columnsOf(proposal, "number", "title", "englishTitle", "affiliation", "status", "answers", "reason"),
        questions: proposalCall.questions,
        ...columnsOf(proposal, "createdDate", "submittedDate", "decidedDate"),
      })
      .from(proposal)
      .leftJoin(proposalCall, eq(proposalCall.id, proposal.callId))
      .where(own("researchProposals", proposal))
      .orderBy(asc(proposal.createdDate)),
    reviews: db
      .select(columnsOf(proposalReview, "round", "status", "reason", "scores", "opinion", "createdDate"))
      .from(proposalReview)
      .where(own("reviews", proposalReview))
      .orderBy(asc(proposalReview.createdDate)),
    oldNotes: db
      .select(columnsOf(oldNote, "folder", "otherName", "title", "content", "sentDate", "readDate"))
      .from(oldNote)
      .where(own("oldNotes", oldNote))
      .orderBy(asc(oldNote.sentDate)),
    oldAccounts: db
      .select({ site: movedThing.site, userId: movedThing.oldKey })
      .from(movedThing)
      .where(own("oldAccounts", movedThing))
      .orderBy(asc(movedThing.site)),
    // Without its text, which may hold a code or a link.
    messages: db
      .select(columnsOf(message, "channel", "recipient", "subject", "status", "createdDate", "sentDate"))
      .from(message)
      .where(own("messages", message))
      .orderBy(asc(message.createdDate)),
    mailings: db
      .select({
        subject: mailing.subject,
        ...columnsOf(mailingRecipient, "address", "state", "cause"),
        date: mailingRecipient.stateDate,
      })
      .from(mailingRecipient)
      .innerJoin(mailing, eq(mailing.id, mailingRecipient.mailingId))
      .where(own("mailings", mailingRecipient))
      .orderBy(asc(mailingRecipient.stateDate)),
    mailingAnswers: db
      .select({
        question: sql<string>`${mailing.question} ->> '$.text'`.as("question_text"),
        answer: sql<string>`json_extract(${mailing.question}, '$.answers[' || (${mailingAnswer.answer} - 1) || ']')`.as(
          "answer_text",
        ),
        ...columnsOf(mailingAnswer, "createdDate", "modifiedDate"),
      })
      .from(mailingAnswer)
      .innerJoin(mailing, eq(mailing.id, mailingAnswer.mailingId))
      .where(own("mailingAnswers", mailingAnswer))
      .orderBy(asc(mailingAnswer.createdDate)),
    mailAddresses: db.select().from(mailAddress).where(own("mailAddresses", mailAddress)),
    choices: db
      .select(columnsOf(noticeChoice, "kind", "target", "isOn", "createdDate"))
      .from(noticeChoice)
      .where(own("choices", noticeChoice))
      .orderBy(asc(noticeChoice.kind), asc(noticeChoice.target)),
    // The text belongs to someone else, so only its number is exported.
    activities: db
      .select({
        kind: activity.kind,
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(activity, "detail", "createdDate", "readDate"),
      })
      .from(activity)
      .leftJoin(boardItem, eq(boardItem.id, activity.itemId))
      .where(own("activities", activity))
      .orderBy(asc(activity.id)),
    deletionWarnings: db
      .select(columnsOf(retentionNotice, "createdDate"))
      .from(retentionNotice)
      .where(own("deletionWarnings", retentionNotice))
      .orderBy(asc(retentionNotice.createdDate)),
    certificates: db
      .select({
        ...columnsOf(alumniCertificate, "number", "kindName", "name", "affiliation", "body", "purpose"),
        ...columnsOf(alumniCertificate, "createdDate", "expiresDate"),
        ...columnsOf(alumniCertificate, "withdrawnDate", "withdrawReason"),
      })
      .from(alumniCertificate)
      .where(own("certificates", alumniCertificate))
      .orderBy(asc(alumniCertificate.createdDate)),
    confirmations: db
      .select({
        kind: confirmationAnswer.kind,
        answeredDate: confirmationAnswer.createdDate,
        roundStartDate: confirmationRound.startDate,
      })
      .from(confirmationAnswer)
      .innerJoin(confirmationRound, eq(confirmationRound.id, confirmationAnswer.roundId))
      .where(own("confirmations", confirmationAnswer))
      .orderBy(asc(confirmationAnswer.createdDate)),
    corrections: db
      .select(columnsOf(alumniCorrection, "fields", "values", "note", "state", "createdDate", "decidedDate"))
      .from(alumniCorrection)
      .where(own("corrections", alumniCorrection))
      .orderBy(asc(alumniCorrection.createdDate)),
    // Omits the values: they belong to another person.
    proposals: db
      .select(columnsOf(alumniCorrection, "cohort", "fields", "note", "state", "answer", "createdDate"))
      .from(alumniCorrection)
      .where(own("proposals", alumniCorrection))
      .orderBy(asc(alumniCorrection.createdDate)),
    dueLists: db
      .select({ list: dueWork.name, state: dueListPerson.state, createdDate: dueWork.createdDate })
      .from(dueListPerson)
      .innerJoin(dueWork, eq(dueWork.id, dueListPerson.workId))
      .where(own("dueLists", dueListPerson))
      .orderBy(asc(dueWork.createdDate)),
    savedViews: db
      .select(columnsOf(alumniView, "name", "isShared", "content", "createdDate"))
      .from(alumniView)
      .where(and(own("savedViews", alumniView), isNull(alumniView.deletedDate)))
      .orderBy(asc(alumniView.createdDate)),
  } satisfies Record<RowPart, { then: unknown }>;
}

type Rows = { [Part in RowPart]: Awaited<ReturnType<typeof rowStatements>[Part]> };

async function readRows(ctx: AppContext, userId: string): Promise<Rows> {
  const statements = rowStatements(ctx, userId);
  const logged = audit(ctx, { action: "user.export", targetId: userId, subjectCount: 1 });
  const [, ...found] = await ctx.db.batch([logged, ...Object.values(statements)]);
  return Object.fromEntries(Object.keys(statements).map((part, at) => [part, found[at]])) as Rows;
}

/** Exports all data about a person, for that person only (법 제35조). @throws AppError TOO_MANY_REQUESTS */
export async function exportOwnData(ctx: AppContext, userId: string) {
  authorizeOwnAccount(ctx, userId);
  await countLimits(ctx, ["ownDataDay", userId]);
  const read: Record<string, unknown> = {};
  for (const [part, reads] of Object.entries({ ...READ_PARTS, notices: listNotifications }))
    read[part] = await reads(ctx, userId);
  const rows = await readRows(ctx, userId);
  const certificates = rows.certificates.map((row) => ({ ...row, body: showPaidAmount(row.body, true) }));
  return { exportedDate: ctx.now().toISOString(), ...read, ...rows, certificates };
}

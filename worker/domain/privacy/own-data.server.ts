import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { columnsOf } from "#db/sql.ts";
import { alumniCertificate, alumniCorrection, alumniView } from "#db/schema/alumni.ts";
import { boardItem, boardItemComment, itemDraft, itemReport } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { activity, mailAddress, notificationChoice } from "#db/schema/mail.ts";
import { confirmationAnswer, confirmationRound, mailing, mailingRecipient } from "#db/schema/mailing.ts";
import { oldNote } from "#db/schema/moving.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { showPaidAmount } from "#worker/contract/alumni/certificate.ts";
import { exportOwnDues } from "../alumni/dues/person.server.ts";
import { exportOwnEntry } from "../alumni/own-entry.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { listNotifications } from "../board/follow.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { exportOwnInquiries } from "../inquiry/inquiry.server.ts";
import { getUser, listConsents, listSessions } from "../account/user.server.ts";
import { listOwnPrivacyRequests } from "./request.server.ts";
import { getOwnSuspension } from "./suspension.server.ts";
import { authorizeOwnAccount } from "../account/credential.server.ts";

const ownAddresses = (userId: string) =>
  sql`SELECT user_key_code FROM user_key WHERE user_id = ${userId} AND user_key_type IN ('Email', 'Mobile') AND verified_date IS NOT NULL`;

const ownEntries = (userId: string) =>
  sql`SELECT id FROM alumni WHERE deleted_date IS NULL AND email <> '' AND email IN (${ownAddresses(userId)})`;

const bookStatements = (ctx: AppContext, userId: string) =>
  [
    ctx.db
      .select({
        ...columnsOf(alumniCertificate, "number", "kindName", "name", "affiliation", "body", "purpose"),
        ...columnsOf(alumniCertificate, "createdDate", "expiresDate"),
        ...columnsOf(alumniCertificate, "withdrawnDate", "withdrawReason"),
      })
      .from(alumniCertificate)
      .where(sql`user_id = ${userId} OR alumni_id IN (${ownEntries(userId)})`)
      .orderBy(asc(alumniCertificate.createdDate)),
    ctx.db
      .select({
        kind: confirmationAnswer.kind,
        answeredDate: confirmationAnswer.createdDate,
        roundStartDate: confirmationRound.startDate,
      })
      .from(confirmationAnswer)
      .innerJoin(confirmationRound, eq(confirmationRound.id, confirmationAnswer.roundId))
      .where(sql`person_id IN (${ownEntries(userId)})`)
      .orderBy(asc(confirmationAnswer.createdDate)),
    ctx.db
      .select(columnsOf(alumniCorrection, "fields", "values", "note", "state", "createdDate", "decidedDate"))
      .from(alumniCorrection)
      .where(sql`alumni_id IN (${ownEntries(userId)})`)
      .orderBy(asc(alumniCorrection.createdDate)),
    // Omits the values: they belong to another person.
    ctx.db
      .select(columnsOf(alumniCorrection, "cohort", "fields", "note", "state", "answer", "createdDate"))
      .from(alumniCorrection)
      .where(eq(alumniCorrection.userId, userId))
      .orderBy(asc(alumniCorrection.createdDate)),
  ] as const;

const keptStatements = (ctx: AppContext, userId: string) =>
  [
    ctx.db
      .select(columnsOf(itemDraft, "boardCode", "itemNo", "title", "content", "fields", "modifiedDate"))
      .from(itemDraft)
      .where(eq(itemDraft.userId, userId))
      .orderBy(asc(itemDraft.modifiedDate)),
    ctx.db
      .select(columnsOf(alumniView, "name", "isShared", "content", "createdDate"))
      .from(alumniView)
      .where(and(eq(alumniView.userId, userId), isNull(alumniView.deletedDate)))
      .orderBy(asc(alumniView.createdDate)),
  ] as const;

/** Exports all data about a person, for that person only (법 제35조). @throws AppError TOO_MANY_REQUESTS */
export async function exportOwnData(ctx: AppContext, userId: string) {
  authorizeOwnAccount(ctx, userId);
  await countLimits(ctx, ["ownDataDay", userId]);
  const user = await getUser(ctx, userId);
  const consents = await listConsents(ctx, userId);
  const sessions = await listSessions(ctx, userId);
  const privacyRequests = await listOwnPrivacyRequests(ctx);
  const inquiries = await exportOwnInquiries(ctx);
  const notices = await listNotifications(ctx, userId);
  const suspendedDate = await getOwnSuspension(ctx, userId);
  const alumniEntry = await exportOwnEntry(ctx, userId);
  const dues = await exportOwnDues(ctx, userId);
  const [certificates, confirmations, corrections, proposals, drafts, savedViews] = await ctx.db.batch([
    ...bookStatements(ctx, userId),
    ...keptStatements(ctx, userId),
  ]);
  const [items, comments, files, reports, oldNotes, mailings, mailAddresses, choices, activities] = await ctx.db.batch([
    ctx.db
      .select(columnsOf(boardItem, "boardCode", "itemNo", "title", "content", "createdDate", "deletedDate"))
      .from(boardItem)
      .where(eq(boardItem.createdUserId, userId))
      .orderBy(asc(boardItem.createdDate)),
    ctx.db
      .select({
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(boardItemComment, "content", "createdDate", "deletedDate"),
      })
      .from(boardItemComment)
      .innerJoin(boardItem, eq(boardItem.id, boardItemComment.itemId))
      .where(eq(boardItemComment.createdUserId, userId))
      .orderBy(asc(boardItemComment.createdDate)),
    ctx.db
      .select({ fileId: file.id, ...columnsOf(file, "fileName", "size", "contentType", "createdDate") })
      .from(file)
      .where(eq(file.ownerUserId, userId))
      .orderBy(asc(file.createdDate)),
    ctx.db
      .select({
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(itemReport, "reason", "text", "createdDate"),
      })
      .from(itemReport)
      .innerJoin(boardItem, eq(boardItem.id, itemReport.itemId))
      .where(eq(itemReport.reporterUserId, userId))
      .orderBy(asc(itemReport.createdDate)),
    ctx.db
      .select(columnsOf(oldNote, "folder", "otherName", "title", "content", "sentDate", "readDate"))
      .from(oldNote)
      .where(eq(oldNote.userId, userId))
      .orderBy(asc(oldNote.sentDate)),
    ctx.db
      .select({
        subject: mailing.subject,
        ...columnsOf(mailingRecipient, "address", "state", "cause"),
        date: mailingRecipient.stateDate,
      })
      .from(mailingRecipient)
      .innerJoin(mailing, eq(mailing.id, mailingRecipient.mailingId))
      .where(sql`${mailingRecipient.personId} = ${userId} OR ${mailingRecipient.address} IN (${ownAddresses(userId)})`)
      .orderBy(asc(mailingRecipient.stateDate)),
    ctx.db
      .select()
      .from(mailAddress)
      .where(sql`${mailAddress.address} IN (${ownAddresses(userId)})`),
    ctx.db
      .select(columnsOf(notificationChoice, "kind", "target", "isOn", "createdDate"))
      .from(notificationChoice)
      .where(eq(notificationChoice.userId, userId))
      .orderBy(asc(notificationChoice.kind), asc(notificationChoice.target)),
    // The text belongs to someone else, so only its number is exported.
    ctx.db
      .select({
        kind: activity.kind,
        ...columnsOf(boardItem, "boardCode", "itemNo"),
        ...columnsOf(activity, "detail", "createdDate", "readDate"),
      })
      .from(activity)
      .leftJoin(boardItem, eq(boardItem.id, activity.itemId))
      .where(eq(activity.userId, userId))
      .orderBy(asc(activity.id)),
    audit(ctx, { action: "user.export", targetId: userId, subjectCount: 1 }),
  ]);
  return {
    exportedDate: ctx.now().toISOString(),
    user,
    consents,
    sessions,
    notices,
    items,
    comments,
    files,
    reports,
    oldNotes,
    mailings,
    mailAddresses,
    choices,
    activities,
    privacyRequests,
    inquiries,
    suspendedDate,
    alumniEntry,
    dues,
    certificates: certificates.map((row) => ({ ...row, body: showPaidAmount(row.body, true) })),
    confirmations,
    corrections,
    proposals,
    drafts,
    savedViews,
  };
}

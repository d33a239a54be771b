import { and, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#db/client.ts";
import { roleGrant } from "#db/schema/access.ts";
import {
  recoveryCode,
  refreshToken,
  secondFactor,
  secondFactorRecovery,
  session,
  user,
  userConsent,
  userKey,
  verification,
} from "#db/schema/account.ts";
import { alumniCertificate, alumniCorrection, alumniDistinct, alumniView } from "#db/schema/alumni.ts";
import { dueAllocation, dueWork } from "#db/schema/alumni-dues.ts";
import { alumniImport, alumniStaging, alumniMerge } from "#db/schema/alumni-import.ts";
import { auditLog, auditPerson, auditSubject, backupTrace, destroyedTrace, destruction } from "#db/schema/audit.ts";
import {
  boardItem,
  boardItemComment,
  boardItemRevision,
  boardItemSearch,
  itemDraft,
  itemReport,
} from "#db/schema/board.ts";
import { agreement, content, contentVersion } from "#db/schema/content.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { file } from "#db/schema/file.ts";
import { proposal, proposalApplicant, proposalEvent, proposalReview } from "#db/schema/proposal.ts";
import { inquiry, inquiryMessage } from "#db/schema/inquiry.ts";
import { activity, mailAddress, message, noticeChoice, noticePending } from "#db/schema/mail.ts";
import { confirmationRound, mailing, mailingAnswer, mailingRecipient } from "#db/schema/mailing.ts";
import { movedThing, moving, movingFile, movingIssue, oldNote } from "#db/schema/moving.ts";
import { alarm } from "#db/schema/operation.ts";
import { retentionNotice, privacyRequest, suspension } from "#db/schema/privacy.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import { endCertificates } from "../alumni/certificate.server.ts";
import type { NotShown } from "../alumni/person-tables.server.ts";
import { destroyInquiryStatements } from "../inquiry/inquiry.server.ts";
import { destroyProposalStatements } from "../proposal/destroy.server.ts";

/** Of accounts that leave, as lists for `IN`. */
export interface Leaving {
  account: SQL;
  /** IDs, addresses and numbers. */
  key: SQL;
  keyHash: SQL;
  /** IDs on a site that was moved in. */
  oldId: SQL;
  now: Date;
}

type Statement = BatchItem<"sqlite">;

export type OwnAccountPart =
  | "user"
  | "roleGrants"
  | "consents"
  | "sessions"
  | "secondFactors"
  | "secondFactorRecoveries"
  | "savedViews"
  | "certificates"
  | "proposals"
  | "items"
  | "comments"
  | "revisions"
  | "drafts"
  | "reports"
  | "files"
  | "inquiries"
  | "registrations"
  | "researchProposals"
  | "reviews"
  | "messages"
  | "choices"
  | "activities"
  | "mailAddresses"
  | "mailings"
  | "mailingAnswers"
  | "oldNotes"
  | "oldAccounts"
  | "privacyRequests"
  | "deletionWarnings"
  | "suspendedDate";

interface AccountColumn {
  column: AnySQLiteColumn;
  /** By default the account's id. */
  holds?: "account" | "key" | "keyHash" | "oldId";
  /**
   * `delete` deletes the rows; `keep` keeps the bare id, which names nobody; a column gets the name of
   * somebody who left; `names` follows the texts that quote a name.
   */
  left: "delete" | "keep" | "names" | { renames: AnySQLiteColumn } | ((db: Db, leaving: Leaving) => Statement[]);
  /** The rows whose column holds an account; by default all. */
  when?: SQL;
  /** The rows that leaving deletes; by default all of the account. */
  only?: SQL;
  /** The part of the own data that shows the rows, or why none does. */
  own: OwnAccountPart | NotShown;
}

const deleted = (
  column: AnySQLiteColumn,
  own: AccountColumn["own"],
  more: Partial<AccountColumn> = {},
): AccountColumn => ({ column, left: "delete", own, ...more });

/** The office's own act: the row is of somebody or something else. */
const acted = (column: AnySQLiteColumn, own: NotShown = "office"): AccountColumn => ({ column, left: "keep", own });

const written = (column: AnySQLiteColumn, name: AnySQLiteColumn, own: AccountColumn["own"]): AccountColumn => ({
  column,
  left: { renames: name },
  own,
});

const GONE = UI_MESSAGES.retiredUser;

/** Proof of required consents must be kept; optional ones have lost their purpose. */
export const isOptionalConsent = sql`NOT EXISTS (SELECT 1 FROM agreement WHERE code = user_consent.code AND version = user_consent.version AND required = 1)`;

/** An address of the address book keeps its refusals. */
const isNobodysAddress = sql`NOT EXISTS (SELECT 1 FROM alumni WHERE alumni.email = mail_address.address)
  AND NOT EXISTS (SELECT 1 FROM alumni WHERE deleted_date IS NULL AND mobile <> '' AND mobile = mail_address.address)
  AND NOT EXISTS (SELECT 1 FROM alumni WHERE deleted_date IS NOT NULL AND mobile = mail_address.address)`;

/**
 * Each column that holds an account: what leaving does to it, and the part of the own data that shows it. Leaving runs in
 * this order. `account-columns.test.ts` compares it with the schema.
 */
export const ACCOUNT_COLUMNS: readonly AccountColumn[] = [
  { column: message.aboutPeople, left: "names", own: "others" },
  { column: user.id, left: emptyAccount, own: "user" },
  deleted(userKey.userId, "user"),
  deleted(userConsent.userId, "consents", { only: isOptionalConsent }),
  { column: session.userId, left: endSessions, own: "sessions" },
  deleted(verification.keyHash, "secret", { holds: "keyHash" }),
  deleted(verification.usedByUserId, "secret"),
  deleted(secondFactor.userId, "secondFactors"),
  deleted(recoveryCode.userId, "secret"),
  deleted(secondFactorRecovery.userId, "secondFactorRecoveries"),
  acted(secondFactorRecovery.requestedByUserId),
  deleted(roleGrant.userId, "roleGrants"),
  deleted(message.userId, "messages"),
  deleted(message.recipient, "others", { holds: "key" }),
  deleted(mailingRecipient.personId, "mailings"),
  deleted(mailingRecipient.address, "mailings", { holds: "key" }),
  deleted(mailingAnswer.personId, "mailingAnswers"),
  deleted(mailAddress.address, "mailAddresses", { holds: "key", only: isNobodysAddress }),
  deleted(noticeChoice.userId, "choices"),
  deleted(activity.userId, "activities"),
  acted(noticePending.doneUserId, "copy"),
  { column: inquiry.userId, left: destroyInquiries, own: "inquiries" },
  acted(inquiryMessage.authorUserId),
  deleted(eventRegistration.userId, "registrations"),
  { column: proposal.userId, left: destroyProposals, own: "researchProposals" },
  acted(proposal.deciderId),
  deleted(proposalApplicant.email, "others", { holds: "key" }),
  { column: proposalReview.userId, left: "keep", own: "reviews" },
  acted(proposalEvent.userId),
  deleted(alumniView.userId, "savedViews", { only: sql`is_shared = 0` }),
  { column: alumniCertificate.userId, left: endOwnCertificates, own: "certificates" },
  acted(alumniCertificate.createdUserId),
  deleted(alumniCorrection.userId, "proposals"),
  acted(alumniDistinct.userId),
  acted(alumniImport.userId),
  acted(alumniStaging.userId),
  acted(alumniMerge.userId),
  acted(dueAllocation.userId),
  acted(dueWork.userId),
  acted(mailing.createdUserId),
  acted(confirmationRound.createdUserId),
  written(boardItem.createdUserId, boardItem.createdUserName, "items"),
  written(boardItemComment.createdUserId, boardItemComment.createdUserName, "comments"),
  written(boardItemRevision.modifiedUserId, boardItemRevision.modifiedUserName, "revisions"),
  acted(boardItemSearch.secretOf, "copy"),
  deleted(itemDraft.userId, "drafts"),
  deleted(itemReport.reporterUserId, "reports"),
  written(content.modifiedUserId, content.modifiedUserName, "office"),
  written(contentVersion.createdUserId, contentVersion.createdUserName, "office"),
  acted(agreement.mailedThrough, "copy"),
  written(moving.createdUserId, moving.createdUserName, "office"),
  acted(movingFile.ownerUserId, "copy"),
  // Their old names, while they are known.
  { column: oldNote.otherName, holds: "oldId", left: { renames: oldNote.otherName }, own: "others" },
  deleted(movingIssue.subject, "office", { holds: "oldId" }),
  deleted(oldNote.userId, "oldNotes"),
  deleted(movedThing.targetId, "oldAccounts", { when: sql`kind = 'member'` }),
  { column: privacyRequest.userId, left: emptyRequests, own: "privacyRequests" },
  acted(privacyRequest.handlerUserId),
  deleted(suspension.userId, "suspendedDate"),
  deleted(retentionNotice.userId, "deletionWarnings"),
  { column: file.ownerUserId, left: releaseFiles, own: "files" },
  acted(alarm.acknowledgedUserId),
  acted(auditLog.actorUserId, "log"),
  acted(auditLog.targetId, "log"),
  acted(auditSubject.ids, "log"),
  acted(auditPerson.subjectId, "log"),
  acted(destruction.actorUserId, "log"),
  acted(destroyedTrace.subjectId, "log"),
  acted(backupTrace.subjectId, "log"),
];

/** Statements that leave nothing which identifies the accounts, but for `names`. */
export const leavingStatements = (db: Db, leaving: Leaving): Statement[] =>
  ACCOUNT_COLUMNS.flatMap(({ column, holds = "account", left, when, only }) => {
    if (left === "keep" || left === "names") return [];
    if (typeof left === "function") return left(db, leaving);
    const isTheirs = sql`${holds === "oldId" ? sql`lower(${column})` : column} IN ${leaving[holds]}`;
    if (left === "delete") return [db.delete(column.table).where(and(isTheirs, when, only))];
    return [
      db
        .update(column.table)
        .set({ [left.renames.name]: GONE })
        .where(isTheirs),
    ];
  });

function emptyAccount(db: Db, { account, now }: Leaving) {
  return [
    db
      .update(user)
      .set({
        userName: GONE,
        userType: "Member",
        roleCode: SIGNUP_ROLE_CODE,
        status: "retired",
        passwordHash: "",
        profile: {},
        lastSigninDate: null,
        modifiedDate: sql`CASE WHEN ${user.status} = 'retired' THEN ${user.modifiedDate} ELSE ${now.getTime()} END`,
        version: sql`${user.version} + 1`,
      })
      .where(sql`${user.id} IN ${account}`),
  ];
}

function endSessions(db: Db, { account }: Leaving) {
  return [
    db
      .delete(refreshToken)
      .where(sql`${refreshToken.sessionId} IN (SELECT id FROM session WHERE user_id IN ${account})`),
    db.delete(session).where(sql`${session.userId} IN ${account}`),
  ];
}

function destroyInquiries(db: Db, { account }: Leaving) {
  return destroyInquiryStatements(db, sql`SELECT id FROM inquiry WHERE user_id IN ${account}`);
}

function destroyProposals(db: Db, { account }: Leaving) {
  return destroyProposalStatements(db, sql`SELECT id FROM proposal WHERE user_id IN ${account}`);
}

function endOwnCertificates(db: Db, { account }: Leaving) {
  return [endCertificates(db, sql`user_id IN ${account}`)];
}

/** Keeps the fact and end of a request, not its words. */
function emptyRequests(db: Db, { account, now }: Leaving) {
  return [
    db
      .update(privacyRequest)
      .set({
        requesterName: GONE,
        contact: "",
        content: "",
        answer: "회원정보가 파기되어 종결하였습니다.",
        extendedReason: "",
        status: sql`CASE WHEN ${privacyRequest.closedDate} IS NULL THEN 'done' ELSE ${privacyRequest.status} END`,
        closedDate: sql`coalesce(${privacyRequest.closedDate}, ${now.getTime()})`,
        version: sql`${privacyRequest.version} + 1`,
      })
      .where(sql`${privacyRequest.userId} IN ${account}`),
  ];
}

/** The upload clean-up deletes those that nothing refers to. */
function releaseFiles(db: Db, { account }: Leaving) {
  return [
    db
      .update(file)
      .set({ createdDate: new Date(0) })
      .where(sql`${file.ownerUserId} IN ${account} AND ${file.status} <> 'attached'`),
  ];
}

import { alumniSettings } from "../alumni/setting.server.ts";
import { type SQL, sql } from "drizzle-orm";
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
import { alumniCorrection, alumniView } from "#db/schema/alumni.ts";
import { boardItem, boardItemComment, boardItemRevision, itemDraft, itemReport } from "#db/schema/board.ts";
import { file } from "#db/schema/file.ts";
import { movedThing, movingIssue, oldNote } from "#db/schema/moving.ts";
import { content, contentVersion } from "#db/schema/content.ts";
import { activity, mailAddress, message, notificationChoice } from "#db/schema/mail.ts";
import { mailingRecipient } from "#db/schema/mailing.ts";
import { deletionWarning, privacyRequest, suspension } from "#db/schema/privacy.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { forgetVerificationTokens, userKeyHash, verificationTokensStatement } from "../account/verification.server.ts";
import { endCertificates } from "../alumni/certificate.server.ts";
import { keepDestroyedTraces } from "../audit/destruction.server.ts";
import { unlinkAlumniStatements } from "../alumni/own-entry.server.ts";
import { destroyInquiryStatements } from "../inquiry/inquiry.server.ts";
import { reindexStaleItems } from "../board/search-index.server.ts";
import { cleanUpFiles } from "../file/clean-up.server.ts";

/** Rows deleted with the person; add new personal tables here. */
const OWN_ROWS = [
  secondFactor,
  recoveryCode,
  secondFactorRecovery,
  session,
  roleGrant,
  itemDraft,
  notificationChoice,
  activity,
  oldNote,
  alumniCorrection,
  suspension,
  deletionWarning,
] as const;
const CREATED_TEXTS = [boardItem, boardItemComment, contentVersion] as const;
const MODIFIED_TEXTS = [boardItemRevision, content] as const;

/**
 * Returns statements and follow-up work that destroy identifying data. Posts stay without names; required consents and
 * the audit log keep the bare id.
 */
export async function destroyPeople(ctx: AppContext, userIds: readonly string[]) {
  const people = sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`;
  const [keys, names] = await ctx.db.batch([
    ctx.db
      .select()
      .from(userKey)
      .where(sql`${userKey.userId} IN ${people}`),
    ctx.db
      .select({ id: user.id, userName: user.userName, createdDate: user.createdDate })
      .from(user)
      .where(sql`${user.id} IN ${people} AND ${user.status} <> 'retired'`),
  ]);
  const traces = keepDestroyedTraces(
    ctx,
    names.map(({ id, userName, createdDate }) => ({
      id,
      type: "user",
      since: createdDate,
      knownAs: [userName, ...keys.filter(({ userId }) => userId === id).map(({ userKeyCode }) => userKeyCode)],
    })),
  );
  const sealed = await verificationTokensStatement(ctx, keys, people);
  const codes = JSON.stringify(keys.map((key) => key.userKeyCode));
  const addresses = JSON.stringify(keys.map((key) => userKeyHash(ctx, key.userKeyType, key.userKeyCode)));
  const entries = await unlinkAlumniStatements(
    ctx,
    keys.map((key) => key.userKeyCode),
  );
  const { retiredUser } = UI_MESSAGES;
  const oldNames = sql`(SELECT old_key FROM moved_thing WHERE kind = 'member' AND target_id IN ${people})`;
  const now = ctx.now();
  const statements = [
    ...(await forgetNamesInMessages(ctx, people)),
    ctx.db
      .update(user)
      .set({
        userName: retiredUser,
        userType: "Member",
        roleCode: SIGNUP_ROLE_CODE,
        status: "retired",
        passwordHash: "",
        profile: {},
        lastSigninDate: null,
        modifiedDate: sql`CASE WHEN ${user.status} = 'retired' THEN ${user.modifiedDate} ELSE ${now.getTime()} END`,
        version: sql`${user.version} + 1`,
      })
      .where(sql`${user.id} IN ${people}`),
    ctx.db.delete(userKey).where(sql`${userKey.userId} IN ${people}`),
    ctx.db
      .delete(refreshToken)
      .where(sql`${refreshToken.sessionId} IN (SELECT id FROM session WHERE user_id IN ${people})`),
    ctx.db
      .delete(verification)
      .where(
        sql`${verification.keyHash} IN (SELECT value FROM json_each(${addresses})) OR ${verification.usedByUserId} IN ${people}`,
      ),
    ctx.db.delete(userConsent).where(isOptionalConsent(people)),
    ctx.db
      .delete(message)
      .where(sql`${message.userId} IN ${people} OR ${message.recipient} IN (SELECT value FROM json_each(${codes}))`),
    ctx.db
      .delete(mailingRecipient)
      .where(
        sql`${mailingRecipient.personId} IN ${people} OR ${mailingRecipient.address} IN (SELECT value FROM json_each(${codes}))`,
      ),
    // Kept if the address book has the same address, since it stores refusals.
    ctx.db.delete(mailAddress).where(
      sql`${mailAddress.address} IN (SELECT value FROM json_each(${codes})) AND NOT EXISTS (SELECT 1 FROM alumni WHERE alumni.email = ${mailAddress.address})
          AND NOT EXISTS (SELECT 1 FROM alumni WHERE deleted_date IS NULL AND mobile <> '' AND mobile = ${mailAddress.address})
          AND NOT EXISTS (SELECT 1 FROM alumni WHERE deleted_date IS NOT NULL AND mobile = ${mailAddress.address})`,
    ),
    ...destroyInquiryStatements(ctx.db, sql`SELECT id FROM inquiry WHERE user_id IN ${people}`),
    ctx.db.delete(alumniView).where(sql`${alumniView.userId} IN ${people} AND ${alumniView.isShared} = 0`),
    endCertificates(ctx.db, sql`user_id IN ${people}`),
    ...OWN_ROWS.map((table) => ctx.db.delete(table).where(sql`${table.userId} IN ${people}`)),
    ...CREATED_TEXTS.map((table) =>
      ctx.db
        .update(table)
        .set({ createdUserName: retiredUser })
        .where(sql`${table.createdUserId} IN ${people}`),
    ),
    ...MODIFIED_TEXTS.map((table) =>
      ctx.db
        .update(table)
        .set({ modifiedUserName: retiredUser })
        .where(sql`${table.modifiedUserId} IN ${people}`),
    ),
    ctx.db.delete(itemReport).where(sql`${itemReport.reporterUserId} IN ${people}`),
    ctx.db.delete(oldNote).where(sql`${oldNote.userId} IN ${people}`),
    // Removes their old site names from others' notes and the move.
    ctx.db
      .update(oldNote)
      .set({ otherName: retiredUser })
      .where(sql`lower(${oldNote.otherName}) IN ${oldNames}`),
    ctx.db.delete(movingIssue).where(sql`lower(${movingIssue.subject}) IN ${oldNames}`),
    ctx.db.delete(movedThing).where(sql`${movedThing.kind} = 'member' AND ${movedThing.targetId} IN ${people}`),
    // Keeps the fact and end of a request, not its words.
    ctx.db
      .update(privacyRequest)
      .set({
        requesterName: retiredUser,
        contact: "",
        content: "",
        answer: "회원정보가 파기되어 종결하였습니다.",
        extendedReason: "",
        status: sql`CASE WHEN ${privacyRequest.closedDate} IS NULL THEN 'done' ELSE ${privacyRequest.status} END`,
        closedDate: sql`coalesce(${privacyRequest.closedDate}, ${now.getTime()})`,
        version: sql`${privacyRequest.version} + 1`,
      })
      .where(sql`${privacyRequest.userId} IN ${people}`),
    ctx.db
      .update(file)
      .set({ createdDate: new Date(0) })
      .where(sql`${file.ownerUserId} IN ${people} AND ${file.status} <> 'attached'`),
    ...entries,
    ...traces,
  ] as const;
  return {
    statements,
    keys,
    /** Deletes marked files within seconds; the scheduled job is the fallback. */
    after: () =>
      ctx.defer(
        Promise.all([
          cleanUpFiles(ctx, alumniSettings(ctx).exportHours),
          reindexStaleItems(ctx),
          forgetVerificationTokens(ctx, sealed),
        ]),
      ),
  };
}

async function forgetNamesInMessages(ctx: AppContext, people: SQL) {
  const { retiredUser } = UI_MESSAGES;
  const named = await ctx.db.all<{ id: string; name: string }>(sql`
    SELECT DISTINCT about.key AS id, about.value AS name FROM message, json_each(message.about_people) AS about
    WHERE message.about_people IS NOT NULL AND about.key IN ${people} AND about.value <> ${retiredUser}`);
  return named.map(({ id, name }) =>
    ctx.db
      .update(message)
      .set({
        subject: sql`replace(${message.subject}, ${name}, ${retiredUser})`,
        body: sql`replace(${message.body}, ${name}, ${retiredUser})`,
        aboutPeople: sql`json_set(${message.aboutPeople}, ${`$."${id}"`}, ${retiredUser})`,
      })
      .where(sql`${message.aboutPeople} IS NOT NULL AND ${message.aboutPeople} ->> ${`$."${id}"`} = ${name}`),
  );
}

/** Proof of required consents must be kept; optional ones have lost their purpose. */
export const isOptionalConsent = (people: ReturnType<typeof sql>) =>
  sql`${userConsent.userId} IN ${people} AND NOT EXISTS (SELECT 1 FROM agreement WHERE code = ${userConsent.code} AND version = ${userConsent.version} AND required = 1)`;

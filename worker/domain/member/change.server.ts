import { eq, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { session, user, userKey } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { unchanged } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { BulkResult, NewVersion } from "#worker/contract/kernel/envelope.ts";
import type { MemberEmailInput, MemberRoleInput } from "#worker/contract/member/input.ts";
import type { MemberStatus } from "#worker/contract/member/status.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";
import { userKeyProblem } from "#worker/contract/account/rules.ts";
import type { UserType } from "#worker/contract/kernel/permissions.ts";
import { authorize, can, requireSignedIn } from "../kernel/authorize.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { deliverMessageSoon, type NewMessage, queueMessage } from "../mail/message.server.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { administratorRemainsGuard, notifyAdministrators } from "../access/administrators.server.ts";
import { authorizeConsole, auditEach, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import { refuseExisting } from "../kernel/guard.server.ts";
import { memberNotFound } from "./list.server.ts";

interface MemberTarget {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  status: MemberStatus;
  email: string | null;
}

/** Those of the named who are in one of the states. */
async function targetsOf(
  ctx: AppContext,
  ids: readonly string[],
  states: readonly MemberStatus[],
): Promise<MemberTarget[]> {
  const rows = await ctx.db
    .select({
      id: user.id,
      userName: user.userName,
      userType: user.userType,
      roleCode: user.roleCode,
      status: user.status,
      email: sql<
        string | null
      >`(SELECT user_key_code FROM user_key WHERE user_key.user_id = "user"."id" AND user_key_type = 'Email')`,
    })
    .from(user)
    .where(sql`${user.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  const known = rows.filter((row) => row.status !== "retired");
  if (known.length === 0) throw memberNotFound();
  return known.filter((row) => states.includes(row.status));
}

const isAmong = (targets: readonly { id: string }[]) =>
  sql`"user"."id" IN (SELECT value FROM json_each(${JSON.stringify(targets.map(({ id }) => id))}))`;

const endSessionsOf = (ctx: AppContext, targets: readonly { id: string }[], reason: string) =>
  ctx.db
    .update(session)
    .set({ revokedDate: ctx.now(), revokedReason: reason })
    .where(
      sql`revoked_date IS NULL AND user_id IN (SELECT value FROM json_each(${JSON.stringify(targets.map(({ id }) => id))}))`,
    );

function setStatus(ctx: AppContext, targets: MemberTarget[], status: MemberStatus) {
  const was = JSON.stringify(targets.map((target) => target.status));
  return ctx.db
    .update(user)
    .set({ status, modifiedDate: ctx.now(), version: sql`version + 1` })
    .where(sql`${isAmong(targets)} AND "user"."status" IN (SELECT value FROM json_each(${was}))`);
}

const idsOf = (targets: readonly MemberTarget[]) => targets.map(({ id }) => id);

/** Their sessions end at once; what they wrote stays. @throws AppError CONFLICT for the last administrator or oneself */
export async function blockMembers(ctx: AppContext, input: { ids: string[]; reason: string }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, input.ids);
  const targets = await targetsOf(ctx, input.ids, ["active", "waiting"]);
  if (targets.some(({ id }) => id === requireSignedIn(ctx).userId)) throw conflict("자기 자신은 차단할 수 없습니다.");
  if (targets.length === 0) return { changed: 0 };
  const system = targets.some(({ userType }) => userType === "Admin");
  const names = targets.map(({ userName }) => userName).join(", ");
  const queuedMessages = (await touchesAdministrators(ctx, targets, false, undefined))
    ? await notifyAdministrators(ctx, `차단: ${names}\n사유: ${input.reason}`, targets)
    : [];
  await runGuardedBatch(
    ctx,
    [stillTheirs, administratorRemainsGuard(isAmong(targets), system)],
    [
      setStatus(ctx, targets, "blocked"),
      ...queuedMessages.map((queued) => queued.statement),
      endSessionsOf(ctx, targets, "blocked"),
      auditEach(ctx, idsOf(targets), { action: "member.block", targetType: "user", reason: input.reason }),
    ],
  );
  for (const { id } of queuedMessages) deliverMessageSoon(ctx, id);
  return { changed: targets.length };
}

export async function unblockMembers(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, input.ids);
  const targets = await targetsOf(ctx, input.ids, ["blocked"]);
  if (targets.length === 0) return { changed: 0 };
  const queuedMessages = (await touchesAdministrators(ctx, targets, false, undefined))
    ? await notifyAdministrators(ctx, `차단 해제: ${targets.map(({ userName }) => userName).join(", ")}`, targets)
    : [];
  await runGuardedBatch(
    ctx,
    [stillTheirs],
    [
      setStatus(ctx, targets, "active"),
      auditEach(ctx, idsOf(targets), { action: "member.unblock", targetType: "user" }),
      ...queuedMessages.map((queued) => queued.statement),
    ],
  );
  for (const { id } of queuedMessages) deliverMessageSoon(ctx, id);
  return { changed: targets.length };
}

/** Each is told by mail that they can sign in now. */
export async function approveMembers(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, input.ids);
  const targets = await targetsOf(ctx, input.ids, ["waiting"]);
  if (targets.length === 0) return { changed: 0 };
  const write = await loadTemplateRenderer(ctx);
  const signin = `${ctx.config.SITE_ORIGIN}/Account/Signin`;
  const queuedMessages = targets.flatMap(({ id, email, userName }) =>
    email
      ? [
          queueMessage(ctx, {
            channel: "email",
            recipient: email,
            userId: id,
            ...write("memberApproved", { 이름: userName, 주소: signin }),
          }),
        ]
      : [],
  );
  // Guarded, so that two administrators do not both write to the same person.
  const stillWaiting = {
    holds: sql`(SELECT count(*) FROM user WHERE ${isAmong(targets)} AND status = 'waiting') = ${targets.length}`,
    error: () => conflict("다른 관리자가 먼저 처리한 회원이 있습니다. 목록을 새로 고쳐 주십시오."),
  };
  await runGuardedBatch(
    ctx,
    [stillTheirs, stillWaiting],
    [
      setStatus(ctx, targets, "active"),
      auditEach(ctx, idsOf(targets), { action: "member.approve", targetType: "user" }),
      ...queuedMessages.map((queued) => queued.statement),
    ],
  );
  for (const { id } of queuedMessages) deliverMessageSoon(ctx, id);
  return { changed: targets.length };
}

/** @throws AppError FORBIDDEN, INVALID_INPUT, CONFLICT when no administrator would be left */
export async function changeMemberRole(ctx: AppContext, input: MemberRoleInput): Promise<BulkResult> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, input.ids);
  const all = await targetsOf(ctx, input.ids, ["active", "waiting", "blocked"]);
  const [next] = await ctx.db.select().from(role).where(eq(role.roleCode, input.roleCode));
  if (!next) throw invalidInput({ roleCode: "없는 역할입니다." });
  const codes = next.permissions;
  authorize(ctx, { action: "Permission.Grant", codes });
  if (input.userType) authorize(ctx, { action: "Account.Administer", account: { userType: input.userType, codes } });
  const targets = all.filter(
    (target) => target.roleCode !== next.roleCode || (input.userType && target.userType !== input.userType),
  );
  if (targets.length === 0) return { changed: 0 };

  const enters = next.permissions.includes("ADMIN_Access");
  const systemLeaves = input.userType === "Member" && targets.some(({ userType }) => userType === "Admin");
  const stays = enters || input.userType === "Admin" ? sql`0` : sql`${isAmong(targets)} AND user.user_type <> 'Admin'`;
  const leaving = systemLeaves ? isAmong(targets) : stays;
  const names = targets.map(({ userName }) => userName).join(", ");
  const toSystem = input.userType === "Admin" ? " (시스템 관리자)" : "";
  const queuedMessages = (await touchesAdministrators(ctx, targets, enters, input.userType))
    ? await notifyAdministrators(ctx, `대상: ${names}\n새 역할: ${next.roleName}${toSystem}`, targets)
    : [];
  const detail = {
    before: Object.fromEntries(targets.slice(0, 20).map((target) => [target.id, target.roleCode])),
    after: { roleCode: next.roleCode, ...(input.userType ? { userType: input.userType } : {}) },
  };
  await runGuardedBatch(
    ctx,
    [
      stillTheirs,
      { holds: unchanged(role, next.roleCode, next.version), error: () => conflict() },
      administratorRemainsGuard(leaving, systemLeaves),
    ],
    [
      ctx.db
        .update(user)
        .set({
          roleCode: next.roleCode,
          ...(input.userType ? { userType: input.userType } : {}),
          modifiedDate: ctx.now(),
          version: sql`version + 1`,
        })
        .where(isAmong(targets)),
      endSessionsOf(
        ctx,
        targets.filter(({ id }) => id !== requireSignedIn(ctx).userId),
        "role changed",
      ),
      auditEach(ctx, idsOf(targets), { action: "member.role", targetType: "user", detail }),
      ...queuedMessages.map((queued) => queued.statement),
    ],
  );
  for (const { id } of queuedMessages) deliverMessageSoon(ctx, id);
  return { changed: targets.length };
}

async function touchesAdministrators(
  ctx: AppContext,
  targets: MemberTarget[],
  enters: boolean,
  userType: UserType | undefined,
): Promise<boolean> {
  if (enters || userType === "Admin" || targets.some((target) => target.userType === "Admin")) return true;
  const roles = await ctx.db.select().from(role);
  const entering = new Set(roles.filter((row) => row.permissions.includes("ADMIN_Access")).map((row) => row.roleCode));
  return targets.some((target) => entering.has(target.roleCode));
}

export async function endMemberSessions(ctx: AppContext, input: { ids: string[] }): Promise<BulkResult> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, input.ids);
  const targets = await targetsOf(ctx, input.ids, ["active", "waiting", "blocked"]);
  await runGuardedBatch(
    ctx,
    [stillTheirs],
    [
      endSessionsOf(ctx, targets, "ended by an administrator"),
      auditEach(ctx, idsOf(targets), { action: "member.end-sessions", targetType: "user" }),
    ],
  );
  return { changed: targets.length };
}

/**
 * For a mailbox that is lost for good. Both addresses are told, and all sessions end.
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT, ALREADY_EXISTS
 */
export async function correctMemberEmail(ctx: AppContext, id: string, input: MemberEmailInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const stillTheirs = await authorizeAccounts(ctx, [id]);
  const [target] = await targetsOf(ctx, [id], ["active", "waiting", "blocked"]);
  if (!target) throw memberNotFound();
  const problem = userKeyProblem("Email", input.email, ctx.rules);
  if (problem) throw invalidInput({ email: problem });
  const now = ctx.now();
  const write = await loadTemplateRenderer(ctx);
  const changeMessage = (recipient: string, text: string): NewMessage => ({
    channel: "email",
    recipient,
    userId: id,
    ...write("emailCorrected", { 이름: target.userName, 내용: text }),
  });
  const queuedMessages = [
    ...(target.email && target.email !== input.email
      ? [queueMessage(ctx, changeMessage(target.email, "관리자가 회원님의 이메일을 다른 주소로 변경하였습니다."))]
      : []),
    queueMessage(ctx, changeMessage(input.email, "관리자가 회원님의 이메일을 이 주소로 변경하였습니다.")),
  ];
  await authorizeAddressOfBook(ctx, target, input.email);
  await refuseExisting(userKeyTakenMessage("Email"), () =>
    runGuardedBatch(
      ctx,
      [stillTheirs, { holds: unchanged(user, id, input.version), error: () => conflict() }],
      [
        ctx.db.delete(userKey).where(sql`user_id = ${id} AND user_key_type = 'Email'`),
        ctx.db
          .insert(userKey)
          .values({ userKeyType: "Email", userKeyCode: input.email, userId: id, verifiedDate: now }),
        ctx.db
          .update(user)
          .set({ modifiedDate: now, version: input.version + 1 })
          .where(eq(user.id, id)),
        endSessionsOf(ctx, [target], "e-mail corrected"),
        audit(ctx, {
          action: "member.email",
          targetType: "user",
          targetId: id,
          subjectCount: 1,
          reason: input.reason,
          detail: { before: { email: maskedEmail(target.email) }, after: { email: maskedEmail(input.email) } },
        }),
        ...queuedMessages.map(({ statement }) => statement),
      ],
    ),
  );
  for (const sent of queuedMessages) deliverMessageSoon(ctx, sent.id);
  return { version: input.version + 1 };
}

/**
 * Who signs in with an entry's e-mail address owns that entry of the address book: the address is given by who may
 * change the entry. @throws AppError FORBIDDEN
 */
async function authorizeAddressOfBook(ctx: AppContext, target: MemberTarget, email: string): Promise<void> {
  if (email === target.email || can(ctx.actor, { action: "Alumni_Write" })) return;
  const [entry] = await ctx.db.select({ id: alumni.id }).from(alumni).where(eq(alumni.email, email)).limit(1);
  if (entry)
    throw new AppError("FORBIDDEN", {
      message: "동문 주소록에 있는 이메일입니다. 주소록을 고칠 수 있는 관리자에게 요청하여 주십시오.",
    });
}

/** h***@pid.example.kr: enough to recognise, too little to write to. */
const maskedEmail = (email: string | null) => (email ? email.replace(/^(.).*@/, "$1***@") : "");

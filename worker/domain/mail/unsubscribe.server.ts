import { and, eq, type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { board } from "#db/schema/board.ts";
import { mailAddress, noticeChoice } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { LETTER_MEANS, REFUSABLE_MEANS } from "#worker/contract/mail/letters.ts";
import { TEXT_ADVERTISING_AGREEMENT, type UnsubscribeView } from "#worker/contract/mail/mail.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { hasConsented, withdrawConsent } from "./advertising.server.ts";
import { idsIn } from "#db/sql.ts";
import { userKey } from "#db/schema/account.ts";
import { authorize } from "../kernel/authorize.server.ts";

export interface UnsubscribeTarget {
  kind: UnsubscribeView["kind"];
  /** Board, agreement or mailing; empty for automatic mails to members. */
  target: string;
  /** Account id; for a mailing, the recipient's person id. */
  userId: string;
}

const PURPOSE = "mail-off";
const SEPARATOR = "~";

/** Tokens never expire, because mails stay in mailboxes and a token can only switch off. */
export const signUnsubscribeToken = (ctx: Pick<AppContext, "tokens">, { kind, target, userId }: UnsubscribeTarget) =>
  ctx.tokens.sign(PURPOSE, [kind, target, userId].join(SEPARATOR));

/** @throws AppError NOT_FOUND unless the token is ours */
function readUnsubscribeToken(ctx: Pick<AppContext, "tokens">, token: string): UnsubscribeTarget {
  const [kind, target = "", userId] = ctx.tokens.unsign(PURPOSE, token)?.split(SEPARATOR) ?? [];
  if ((kind !== "item" && kind !== "comment" && kind !== "advertising" && kind !== "office") || !userId)
    throw unsubscribeNotFound();
  return { kind, target, userId };
}

const unsubscribeNotFound = () =>
  new AppError("NOT_FOUND", {
    message: "알림을 끄는 주소가 아닙니다. 메일의 주소를 끝까지 붙여 넣어 주십시오.",
  });

/**
 * Uses the address of the mail, even after a change of owner; without a mailing, the account's address. @throws
 * AppError NOT_FOUND
 */
async function readMailedAddress(ctx: AppContext, { target, userId }: UnsubscribeTarget) {
  if (target === "") {
    const own = (await ownMailAddressStatement(ctx, userId)).find(({ type }) => type === "Email");
    if (!own) throw unsubscribeNotFound();
    return own;
  }
  // An entry of the address book stays when its owner's account and their mails are destroyed.
  const [row] = await ctx.db
    .select({ address: sql<string>`own.address`.as("own_address"), refusedDate: mailAddress.refusedDate })
    .from(
      sql`(SELECT address FROM mailing_recipient WHERE mailing_id = ${target} AND person_id = ${userId}
        UNION ALL SELECT iif(mailing.channel = 'email', lower(email), mobile) FROM alumni JOIN mailing ON mailing.id = ${target} WHERE alumni.id = ${userId}
        LIMIT 1) own`,
    )
    .leftJoin(mailAddress, sql`${mailAddress.address} = own.address`)
    .where(sql`own.address <> ''`);
  if (!row) throw unsubscribeNotFound();
  return row;
}

/** The means by which an address or a number is written to. */
export const meansOf = (address: string) => LETTER_MEANS[address.includes("@") ? "email" : "sms"];

const isOfBook = ({ target }: UnsubscribeTarget) =>
  sql`EXISTS (SELECT 1 FROM mailing WHERE id = ${target} AND source = 'alumni')`;

/** Entries whose address or number it is, unless it waits for a confirmation. */
const hasAddress = (addresses: readonly string[]) =>
  sql`(${alumni.emailHold} IS NULL AND ((${alumni.email} <> '' AND ${idsIn(alumni.email, addresses)})
    OR (${alumni.deletedDate} IS NULL AND ${alumni.mobile} <> '' AND ${idsIn(alumni.mobile, addresses)})))`;

/** The refusal belongs to the person, so that their entry shows it and a new address keeps it. */
function entryRefusalStatements(ctx: AppContext, isTheirs: SQL, means: readonly string[], refuses: boolean) {
  const given = JSON.stringify([...new Set(means)]);
  const isGiven = sql`m.value IN (SELECT value FROM json_each(${given}))`;
  const isHeld = sql`instr(${alumni.refuses}, m.value) > 0`;
  const after = sql`coalesce((SELECT group_concat(m.value, ', ') FROM json_each(${JSON.stringify(REFUSABLE_MEANS)}) m
    WHERE ${refuses ? sql`(${isHeld} OR ${isGiven})` : sql`(${isHeld} AND NOT ${isGiven})`}), '')`;
  return [
    ctx.db
      .update(alumni)
      .set({ refuses: after, modifiedDate: ctx.now(), version: sql`${alumni.version} + 1` })
      .where(sql`${isTheirs} AND ${alumni.refuses} <> ${after}`),
    ctx.db.run(sql`UPDATE alumni_state SET revision = revision + 1 WHERE changes() > 0`),
  ] as const;
}

async function refuseMailing(ctx: AppContext, off: UnsubscribeTarget): Promise<void> {
  const { address, refusedDate } = await readMailedAddress(ctx, off);
  const set = { refusedDate: ctx.now() };
  const isTheirs = off.target === "" ? hasAddress([address]) : sql`(${eq(alumni.id, off.userId)} AND ${isOfBook(off)})`;
  const [first, ...more] = entryRefusalStatements(ctx, isTheirs, [meansOf(address)], true);
  if (refusedDate) return void (await ctx.db.batch([first, ...more]));
  await ctx.db.batch([
    ctx.db
      .insert(mailAddress)
      .values({ address, ...set })
      .onConflictDoUpdate({ target: mailAddress.address, set }),
    first,
    ...more,
    ...(off.target === ""
      ? [audit(ctx, { action: "mailing.refuse", targetType: "user", targetId: off.userId, subjectCount: 1 })]
      : auditPeople(ctx, { action: "mailing.refuse", targetId: off.target }, [off.userId])),
  ]);
}

type NotificationChoice = Pick<typeof noticeChoice.$inferSelect, "kind" | "target" | "userId">;
const notificationChoiceWhere = ({ kind, target, userId }: NotificationChoice) =>
  and(eq(noticeChoice.kind, kind), eq(noticeChoice.target, target), eq(noticeChoice.userId, userId));

/** Describes the link to its holder without naming its owner. */
export async function getUnsubscribe(ctx: AppContext, token: string): Promise<UnsubscribeView> {
  const off = readUnsubscribeToken(ctx, token);
  if (off.kind === "advertising")
    return {
      kind: off.kind,
      channel: off.target === TEXT_ADVERTISING_AGREEMENT ? "sms" : "email",
      boardName: "",
      isOn: await hasConsented(ctx, off.userId, off.target),
    };
  if (off.kind === "office") {
    const { address, refusedDate } = await readMailedAddress(ctx, off);
    return { kind: off.kind, channel: address.includes("@") ? "email" : "sms", boardName: "", isOn: !refusedDate };
  }
  const [choices, boards] = await ctx.db.batch([
    ctx.db
      .select()
      .from(noticeChoice)
      .where(notificationChoiceWhere({ ...off, kind: off.kind })),
    ctx.db.select({ boardName: board.boardName }).from(board).where(eq(board.boardCode, off.target)),
  ]);
  const isOn = choices[0]?.isOn ?? off.kind === "comment";
  return { kind: off.kind, channel: "email", boardName: boards[0]?.boardName ?? "", isOn };
}

/** Idempotent; the token authorises, without a sign-in. */
export async function unsubscribeByToken(ctx: AppContext, token: string): Promise<Record<string, never>> {
  const off = readUnsubscribeToken(ctx, token);
  const { kind, target, userId } = off;
  if (kind === "item") await ctx.db.delete(noticeChoice).where(notificationChoiceWhere({ kind, target, userId }));
  else if (kind === "comment") await setCommentNotifications(ctx, userId, false);
  else if (kind === "office") await refuseMailing(ctx, off);
  else await withdrawConsent(ctx, userId, target);
  return {};
}

export const setCommentNotifications = async (ctx: AppContext, userId: string, isOn: boolean): Promise<void> =>
  void (await standardChoiceStatement(ctx, { kind: "comment", target: "", userId }, isOn));

/** On is the default, so only active opt-outs have a row. */
export const standardChoiceStatement = (ctx: AppContext, choice: NotificationChoice, isOn: boolean) =>
  isOn
    ? ctx.db.delete(noticeChoice).where(notificationChoiceWhere(choice))
    : ctx.db
        .insert(noticeChoice)
        .select(
          sql`SELECT ${choice.kind}, ${choice.target}, id, 0, ${ctx.now().getTime()} FROM user WHERE id = ${choice.userId} AND status <> 'retired'`,
        )
        .onConflictDoNothing();

export const ownMailAddressStatement = (ctx: Pick<AppContext, "db">, userId: string) =>
  ctx.db
    .select({
      type: userKey.userKeyType,
      address: userKey.userKeyCode,
      refusedDate: mailAddress.refusedDate,
      complainedDate: mailAddress.complainedDate,
    })
    .from(userKey)
    .leftJoin(mailAddress, eq(mailAddress.address, userKey.userKeyCode))
    .where(
      sql`${userKey.userId} = ${userId} AND ${userKey.userKeyType} IN ('Email', 'Mobile') AND ${userKey.verifiedDate} IS NOT NULL`,
    );

type OwnMailAddress = Awaited<ReturnType<typeof ownMailAddressStatement>>[number];

const isOnAt = ({ refusedDate, complainedDate }: OwnMailAddress) => refusedDate === null && complainedDate === null;

export const isOfficeMailOn = (own: readonly OwnMailAddress[]): boolean | null =>
  own.length === 0 ? null : own.every(isOnAt);

/**
 * Switching on clears the refusal and the complaint; a bounce stays recorded. @throws AppError INVALID_INPUT without a
 * verified address or number
 */
export async function setOfficeMail(ctx: AppContext, userId: string, isOn: boolean): Promise<void> {
  authorize(ctx, { action: "User.Self", userId });
  const own = await ownMailAddressStatement(ctx, userId);
  if (own.length === 0) throw invalidInput({ office: "확인된 이메일이나 휴대전화가 없어 바꿀 수 없습니다." });
  const changed = own.filter((each) => isOnAt(each) !== isOn).map(({ address }) => address);
  if (changed.length === 0) return;
  const set = isOn ? { refusedDate: null, complainedDate: null } : { refusedDate: ctx.now() };
  await ctx.db.batch([
    ctx.db
      .insert(mailAddress)
      .values(changed.map((address) => ({ address, ...set })))
      .onConflictDoUpdate({ target: mailAddress.address, set }),
    ...entryRefusalStatements(ctx, hasAddress(changed), changed.map(meansOf), !isOn),
    ctx.db
      .delete(mailAddress)
      .where(
        sql`${idsIn(mailAddress.address, changed)} AND refused_date IS NULL AND complained_date IS NULL AND bounced_date IS NULL`,
      ),
    audit(ctx, {
      action: isOn ? "mailing.accept" : "mailing.refuse",
      targetType: "user",
      targetId: userId,
      subjectCount: 1,
    }),
  ]);
}

import { and, eq, sql } from "drizzle-orm";
import { board } from "#db/schema/board.ts";
import { noticeChoice } from "#db/schema/mail.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { MailOffView } from "#worker/contract/mail/view.ts";
import { hasAgreed, withdrawConsent } from "./advertising-consent.server.ts";

/** What one link turns off, for one person alone. */
export interface OffTarget {
  kind: MailOffView["kind"];
  /** The board of new items, the agreement of advertising, else empty. */
  target: string;
  userId: string;
}

const PURPOSE = "mail-off";
const SEPARATOR = "~";

/** For as long as letters lie in mailboxes: the token does not run out, it can only turn off. */
export const offToken = (ctx: Pick<AppContext, "tokens">, { kind, target, userId }: OffTarget) =>
  ctx.tokens.sign(PURPOSE, [kind, target, userId].join(SEPARATOR));

/** @throws AppError NOT_FOUND for anything but a token of ours */
function readOffToken(ctx: Pick<AppContext, "tokens">, token: string): OffTarget {
  const [kind, target = "", userId] = ctx.tokens.unsign(PURPOSE, token)?.split(SEPARATOR) ?? [];
  if ((kind !== "item" && kind !== "comment" && kind !== "advertising") || !userId)
    throw new AppError("NOT_FOUND", {
      message: "알림을 끄는 주소가 아닙니다. 메일의 주소를 끝까지 붙여 넣어 주십시오.",
    });
  return { kind, target, userId };
}

type Choice = OffTarget & { kind: "item" | "comment" };
const choiceWhere = ({ kind, target, userId }: Choice) =>
  and(eq(noticeChoice.kind, kind), eq(noticeChoice.target, target), eq(noticeChoice.userId, userId));

/** What the link in a letter is about, for whoever holds it; not whose it is. */
export async function getMailOff(ctx: AppContext, token: string): Promise<MailOffView> {
  const off = readOffToken(ctx, token);
  if (off.kind === "advertising")
    return { kind: off.kind, boardName: "", isOn: await hasAgreed(ctx, off.userId, off.target) };
  const [choices, boards] = await ctx.db.batch([
    ctx.db
      .select()
      .from(noticeChoice)
      .where(choiceWhere({ ...off, kind: off.kind })),
    ctx.db.select({ boardName: board.boardName }).from(board).where(eq(board.boardCode, off.target)),
  ]);
  const isOn = choices[0]?.isOn ?? off.kind === "comment";
  return { kind: off.kind, boardName: boards[0]?.boardName ?? "", isOn };
}

/** The link itself is the right to do it: no sign-in, and twice is once. */
export async function turnOffMail(ctx: AppContext, token: string): Promise<Record<string, never>> {
  const off = readOffToken(ctx, token);
  const { kind, target, userId } = off;
  if (kind === "item") await ctx.db.delete(noticeChoice).where(choiceWhere({ kind, target, userId }));
  else if (kind === "comment") await setCommentNotices(ctx, userId, false);
  else await withdrawConsent(ctx, userId, target);
  return {};
}

/** On is the rule, so that only a person who is there and turned it off has a row. */
export async function setCommentNotices(ctx: AppContext, userId: string, isOn: boolean): Promise<void> {
  const mine = { kind: "comment" as const, target: "", userId };
  if (isOn) await ctx.db.delete(noticeChoice).where(choiceWhere(mine));
  else
    await ctx.db
      .insert(noticeChoice)
      .select(
        sql`SELECT 'comment', '', id, 0, ${ctx.now().getTime()} FROM user WHERE id = ${userId} AND status <> 'retired'`,
      )
      .onConflictDoNothing();
}

import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { session } from "#db/schema/account.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { authorizeAccounts } from "../access/account-authority.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorize, requireSignedIn } from "../kernel/authorize.server.ts";
import type { AppContext, View } from "../kernel/context.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { refusalKind } from "./refusal-kind.ts";

const BROWSERS: [name: string, pattern: RegExp][] = [
  ["네이버 앱", /NAVER\(inapp/],
  ["카카오톡", /KAKAOTALK/],
  ["웨일", /Whale\//],
  ["삼성 인터넷", /SamsungBrowser\//],
  ["Edge", /Edg(?:e|A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Firefox", /(?:Firefox|FxiOS)\//],
  ["Chrome", /(?:Chrome|CriOS)\//],
  ["Safari", /Safari\//],
];
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

export function deviceName(userAgent: string): string {
  const name = (list: [string, RegExp][]) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return [name(BROWSERS), name(SYSTEMS)].filter(Boolean).join(" · ") || "알 수 없는 기기";
}

export async function listSessions(ctx: AppContext, userId: string) {
  authorize(ctx, { action: "User.Read", userId }, refusalKind(ctx));
  const rows = await ctx.db
    .select()
    .from(session)
    .where(and(eq(session.userId, userId), isNull(session.revokedDate), gt(session.expiresDate, ctx.now())))
    .orderBy(desc(session.lastUsedDate));
  if (requireSignedIn(ctx).userId !== userId)
    ctx.defer(audit(ctx, { action: "user.sessions", targetId: userId, subjectCount: 1 }).run());
  return rows.map((row) => ({
    sid: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    createdDate: row.createdDate.toISOString(),
    lastUsedDate: row.lastUsedDate.toISOString(),
    current: ctx.actor.kind !== "guest" && ctx.actor.sessionId === row.id,
  }));
}

export type SessionView = View<typeof listSessions>[number];

/** Revokes the access token from the next request on. @throws AppError NOT_FOUND for a foreign or ended session */
export async function endUserSession(ctx: AppContext, userId: string, sid: string): Promise<Record<string, never>> {
  authorize(ctx, { action: "User.Change", userId }, refusalKind(ctx));
  const stillTheirs = await authorizeAccounts(ctx, [userId]);
  const isOpen = and(eq(session.id, sid), eq(session.userId, userId), isNull(session.revokedDate));
  const guards = [
    { holds: sql`EXISTS (SELECT 1 FROM ${session} WHERE ${isOpen})`, error: () => new AppError("NOT_FOUND") },
    stillTheirs,
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db.update(session).set({ revokedDate: ctx.now(), revokedReason: "ended by hand" }).where(isOpen),
    audit(ctx, { action: "session.end", targetType: "user", targetId: userId, detail: { sid } }),
  ]);
  return {};
}

import { Buffer } from "node:buffer";
import { sql } from "drizzle-orm";
import { prepareStatement } from "#db/batch.ts";
import { movedThing } from "#db/schema/moving.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { SIGNUP_ROLE_CODE } from "#worker/contract/kernel/permissions.ts";
import type { MovedKind } from "#worker/contract/moving/rules.ts";
import type { MovingStep } from "./moving-step.server.ts";

/** Deterministic, so that an interrupted move can resume. */
export function movedId(ctx: Pick<AppContext, "tokens">, site: string, kind: MovedKind, oldKey: string): string {
  const digest = ctx.tokens.hash("moving", `${site}\n${kind}\n${oldKey}`);
  const hex = Buffer.from(digest, "base64url").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/**
 * True for an account with more rights than a new sign-up, now or later; archives are untrusted and must not act as it.
 * @param userId a column of the statement @param now its parameter
 */
export const hasMoreRightsSql = (
  userId: string,
  now: string,
) => `EXISTS (SELECT 1 FROM user AS holder WHERE holder.id = ${userId}
  AND (holder.user_type = 'Admin' OR EXISTS (SELECT 1 FROM role AS held_role, json_each(held_role.permissions) AS held
    WHERE (held_role.role_code = holder.role_code OR held_role.role_code IN (
      SELECT role_code FROM role_grant WHERE user_id = holder.id AND (end_date IS NULL OR end_date > ${now})))
    AND held.value NOT IN (SELECT common.value FROM role AS member_role, json_each(member_role.permissions) AS common
      WHERE member_role.role_code = '${SIGNUP_ROLE_CODE}'))))`;

export const findMoved = async (
  step: MovingStep,
  kind: Exclude<MovedKind, "member">,
  oldKeys: readonly string[],
): Promise<Map<string, string>> => (await findMovedOrTwice(step, kind, oldKeys)).known;

/** Accounts that this move may write as; privileged ones only if it created them. */
export async function findAccounts(step: MovingStep, oldKeys: readonly string[]): Promise<Map<string, string>> {
  if (oldKeys.length === 0) return new Map();
  step.spend(1);
  const { results } = await step.d1
    .prepare(
      `SELECT old_key AS oldKey, target_id AS targetId FROM moved_thing AS m
       WHERE site = ?1 AND kind = 'member' AND old_key IN (SELECT value FROM json_each(?2))
         AND ((moving_id = ?3 AND was_here = 0) OR NOT ${hasMoreRightsSql("m.target_id", "?4")})`,
    )
    .bind(step.row.site, JSON.stringify(oldKeys), step.row.id, step.ctx.now().getTime())
    .all<{ oldKey: string; targetId: string }>();
  return new Map(results.map(({ oldKey, targetId }) => [oldKey, targetId]));
}

/** `twice` holds keys already imported by this move, so duplicates in the archive. */
export async function findMovedOrTwice(step: MovingStep, kind: MovedKind, oldKeys: readonly string[]) {
  if (oldKeys.length === 0) return { known: new Map(), twice: new Set() };
  step.spend(1);
  const { results } = await step.d1
    .prepare(
      `SELECT old_key AS oldKey, target_id AS targetId, moving_id AS movingId FROM moved_thing
       WHERE site = ?1 AND kind = ?2 AND old_key IN (SELECT value FROM json_each(?3))`,
    )
    .bind(step.row.site, kind, JSON.stringify(oldKeys))
    .all<{ oldKey: string; targetId: string; movingId: string }>();
  return {
    known: new Map(results.map(({ oldKey, targetId }) => [oldKey, targetId])),
    twice: new Set(results.filter(({ movingId }) => movingId === step.row.id).map(({ oldKey }) => oldKey)),
  };
}

export type SeenKind = "member" | "left" | "mail" | "blocked" | `item ${string}`;

export async function findSeen(step: MovingStep, kind: SeenKind, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  step.spend(1);
  const { results } = await step.d1
    .prepare(
      "SELECT key FROM moving_seen WHERE moving_id = ?1 AND kind = ?2 AND key IN (SELECT value FROM json_each(?3))",
    )
    .bind(step.row.id, kind, JSON.stringify(keys))
    .all<{ key: string }>();
  return new Set(results.map(({ key }) => key));
}

export const seenStatement = ({ d1, row }: MovingStep, kind: SeenKind, keys: readonly string[]): D1PreparedStatement =>
  d1
    .prepare("INSERT OR IGNORE INTO moving_seen (moving_id, kind, key) SELECT ?1, ?2, value FROM json_each(?3)")
    .bind(row.id, kind, JSON.stringify(keys));

export interface MovedRow {
  oldKey: string;
  targetId: string;
  oldNumber?: number;
  oldPath?: string;
  wasHere?: boolean;
}

/** Columns follow the table's order. */
export const movedRowsStatement = (
  { db }: Pick<AppContext, "db">,
  { site, id }: { site: string; id: string },
  kind: MovedKind,
  rows: readonly MovedRow[],
) =>
  db
    .insert(movedThing)
    .select(
      sql`SELECT ${site}, ${kind}, value ->> 'oldKey', value ->> 'oldNumber', value ->> 'oldPath', value ->> 'targetId', coalesce(value ->> 'wasHere', 0), ${id}
        FROM json_each(${JSON.stringify(rows)}) WHERE true`,
    )
    .onConflictDoNothing();

export const movedStatement = ({ ctx, row }: MovingStep, kind: MovedKind, rows: readonly MovedRow[]) =>
  prepareStatement(ctx.db, movedRowsStatement(ctx, row, kind, rows));

/** Adds the members of a step to the audit row of the move's start. */
export const movedPeopleStatement = ({ d1, row }: MovingStep, ids: readonly string[]): D1PreparedStatement =>
  d1
    .prepare(
      `INSERT INTO audit_subject (audit_id, part, ids)
       SELECT id, (SELECT count(*) FROM audit_subject WHERE audit_id = audit_log.id), ?2 FROM audit_log
       WHERE target_type = 'moving' AND target_id = ?1 AND action = 'moving.start' AND ?2 <> '[]' ORDER BY id DESC LIMIT 1`,
    )
    .bind(row.id, JSON.stringify(ids));

import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { backupTrace, destroyedTrace, destruction } from "#db/schema/audit.ts";
import { boardItem } from "#db/schema/board.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { countRows, makeCountedPage, rowsOfPage } from "#worker/domain/kernel/page.server.ts";
import type { listDestructionsQuery } from "#worker/contract/audit/input.ts";
import { onKoreanDays } from "../kernel/korean-days.server.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { normaliseUnicode } from "#worker/contract/kernel/text.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";

interface DestructionRecord {
  kind: string;
  /** A retention rule, `retire` for the person's own request or `request` for the office. */
  rule: string;
  basis: string;
  fingerprint?: string;
}

/** Stable reference of a person that does not reveal the identity. */
const subjectReference = (ctx: Pick<AppContext, "tokens">, id: string) => ctx.tokens.hash("destroyed", id).slice(0, 20);

export function registerDestroyedPeople(ctx: AppContext, ids: readonly string[], what: DestructionRecord) {
  const refs = JSON.stringify(ids.map((id) => subjectReference(ctx, id)));
  return ctx.db
    .insert(destruction)
    .select(
      sql`SELECT NULL, ${ctx.now().getTime()}, ${what.kind}, ${what.rule}, ${what.basis}, value, 1, ${what.fingerprint ?? ""}, ${actorUserIdOf(ctx)} FROM json_each(${refs})`,
    );
}

export function registerDestroyedThings(ctx: AppContext, count: number, what: DestructionRecord) {
  return ctx.db.insert(destruction).values({ ...what, count, createdDate: ctx.now(), actorUserId: actorUserIdOf(ctx) });
}

export function registerDestroyedItems(ctx: AppContext, where: SQL, what: DestructionRecord) {
  return ctx.db
    .insert(destruction)
    .select(
      sql`SELECT NULL, ${ctx.now().getTime()}, ${what.kind}, ${what.rule}, ${what.basis}, '', count(*), ${what.fingerprint ?? ""}, ${actorUserIdOf(ctx)} FROM ${boardItem} WHERE ${where} HAVING count(*) > 0`,
    );
}

const actorUserIdOf = (ctx: AppContext) => (ctx.actor.kind === "guest" ? null : ctx.actor.userId);

export const DESTRUCTION_COLUMNS = {
  ...columnsOf(destruction, "id", "createdDate", "kind", "rule", "basis", "subjectRef", "count", "actorUserId"),
  actorName: sql<string>`coalesce("user"."user_name", '')`,
};

export function destructionWhere(filter: Pick<Parsed<typeof listDestructionsQuery>, "rule" | "from" | "to">) {
  const ofRule = filter.rule ? eq(destruction.rule, filter.rule) : undefined;
  return and(ofRule, onKoreanDays(destruction.createdDate, filter));
}

export async function listDestructions(scope: RequestScope, query: Parsed<typeof listDestructionsQuery>) {
  const where = destructionWhere(query);
  const { rows } = await scope.readFor(authorizeConsole, [
    rowsOfPage(
      scope.db
        .select(DESTRUCTION_COLUMNS)
        .from(destruction)
        .leftJoin(user, eq(user.id, destruction.actorUserId))
        .where(where)
        .orderBy(desc(destruction.id)),
      query,
    ),
    countRows(scope.db, destruction, where),
  ]);
  const content = rows[0].map(({ actorUserId, ...row }) => ({
    ...row,
    createdDate: row.createdDate.toISOString(),
    automatic: actorUserId === null,
  }));
  return makeCountedPage(query, content, rows[1]);
}

interface DestroyedPerson {
  id: string;
  type: "user" | "alumni";
  since: Date;
  knownAs: readonly (string | null | undefined)[];
}

const PHONE = /^[+\d().-]{9,20}$/;

/** Normalizes spaces and case, and the digits of phone numbers. */
function spelledAlike(value: string): string {
  const text = normaliseUnicode(value, "NFC").toLowerCase().replaceAll(/\s/g, "");
  return PHONE.test(text) ? text.replaceAll(/\D/g, "") : text;
}

/** Keyed hash, so that no one can derive or guess the value without the site's key. */
export const traceDigest = (ctx: Pick<AppContext, "tokens">, value: string) =>
  ctx.tokens.hash("trace", spelledAlike(value));

/** True for a person in a recorded export or print. */
export const isInExport = (id: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM audit_person AS p JOIN audit_log AS l ON l.id = p.audit_id
    WHERE p.subject_id = ${id} AND (l.action LIKE '%.export' OR l.action = 'alumni.print'))`;

/** Checks whether a backup that exists or is running contains rows since then. */
export const isHeldByBackup = (since: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM backup_run WHERE status <> 'failed' AND started_date >= ${since})`;

/** Keeps digests of destroyed people in exports and backups, so that a later leak can be traced to them. */
export function keepDestroyedTraces(ctx: AppContext, people: readonly DestroyedPerson[]) {
  const now = ctx.now().getTime();
  const rows = people.flatMap(({ id, type, since, knownAs }) =>
    [...new Set(knownAs.flatMap((value) => (value?.trim() ? traceDigest(ctx, value) : [])))].map((digest) => [
      digest,
      id,
      type,
      since.getTime(),
    ]),
  );
  // Values follow the column order of the tables.
  return jsonArrays(rows).flatMap((json) => [
    ctx.db
      .insert(destroyedTrace)
      .select(
        sql`SELECT value ->> 0, value ->> 1, ${now} FROM json_each(${json}) WHERE ${isInExport(sql`(value ->> 1)`)}`,
      )
      .onConflictDoNothing(),
    ctx.db
      .insert(backupTrace)
      .select(
        sql`SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${now} FROM json_each(${json}) WHERE ${isHeldByBackup(sql`value ->> 3`)}`,
      )
      .onConflictDoNothing(),
  ]);
}

export const destroyedBetween = (at: Date): SQL =>
  sql`since_date <= ${at.getTime()} AND created_date > ${at.getTime()}`;

/** Moves digests of a released backup's destroyed people to the traces; for the batch of that release. */
export const keepBackupTraces = (ctx: AppContext, at: Date) =>
  ctx.db
    .insert(destroyedTrace)
    .select(
      sql`SELECT digest, subject_id, ${ctx.now().getTime()} FROM backup_trace WHERE subject_type <> 'item' AND ${destroyedBetween(at)}`,
    )
    .onConflictDoNothing();

export const dropBackupTraces = (db: AppContext["db"]) =>
  db.delete(backupTrace).where(
    sql`NOT EXISTS (SELECT 1 FROM backup_run WHERE status <> 'failed' AND started_date >= since_date AND started_date < backup_trace.created_date)
        AND NOT EXISTS (${restoredSql("user")}) AND NOT EXISTS (${restoredSql("alumni")}) AND NOT EXISTS (${restoredSql("item")})`,
  );

const TRACED = "FROM backup_trace JOIN";
/** Destroyed ids that a restore brought back. New items may reuse an id, so their date counts too. */
export const RESTORED_IDS = {
  user: `SELECT user.id AS id ${TRACED} user ON user.id = subject_id WHERE subject_type = 'user' AND user.status <> 'retired'`,
  alumni: `SELECT alumni.id AS id ${TRACED} alumni ON alumni.id = subject_id WHERE subject_type = 'alumni'`,
  item: `SELECT board_item.id AS id ${TRACED} board_item ON board_item.id = subject_id AND board_item.created_date = since_date WHERE subject_type = 'item'`,
};
export const restoredSql = (type: keyof typeof RESTORED_IDS): SQL =>
  sql.raw(`SELECT DISTINCT id FROM (${RESTORED_IDS[type]})`);

export const keepItemTraces = (ctx: Pick<AppContext, "db" | "now">, where: SQL) =>
  ctx.db
    .insert(backupTrace)
    .select(
      sql`SELECT id || '-' || created_date, id, 'item', created_date, ${ctx.now().getTime()} FROM board_item WHERE (${where}) AND ${isHeldByBackup(sql`board_item.created_date`)}`,
    )
    .onConflictDoNothing();

export const destroyedPeopleSql = (digest: string): SQL =>
  sql`SELECT subject_id FROM destroyed_trace WHERE digest = ${digest}`;

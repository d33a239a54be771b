import { eq, type InferSelectModel, inArray, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type DeskRules, hasCommand, isEnded } from "#worker/contract/kernel/desk.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "./context.ts";
import { type AuditEntry, auditPeople } from "./audit-entry.server.ts";
import { can, requireSignedIn } from "./authorize.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "./guarded-batch.server.ts";
import { unchangedRow } from "./ordered-rows.server.ts";

type CaseTable = SQLiteTable & {
  id: AnySQLiteColumn<{ data: string }>;
  userId: AnySQLiteColumn;
  version?: AnySQLiteColumn<{ data: number }>;
};
type CommandOf<Rules extends DeskRules> = keyof Rules["commands"] & string;

export interface Desk<Rules extends DeskRules, Table extends CaseTable> {
  rules: Rules;
  table: Table;
  state: "status" | "state";
  /** Of the audit log. */
  target: string;
  /** Authorizes the office, or those who decide. */
  authorize(ctx: AppContext, by: "office" | "decider"): void;
  missing: string;
  /** The message for a command on an ended case. */
  ended: string;
}

export const caseMissing = (desk: { missing: string }) => new AppError("NOT_FOUND", { message: desk.missing });

/** The cases in a state that has the command. */
export const inStateFor = <Rules extends DeskRules>(
  { commands }: Rules,
  command: CommandOf<Rules>,
  state: AnySQLiteColumn,
): SQL => inArray(state, [...(commands[command]?.from ?? [])]);

/**
 * The case on which the caller may run the command. The office is authorized before a row is read, and no case of
 * another person exists. @throws AppError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, CONFLICT
 */
export async function requireCase<Rules extends DeskRules, Table extends CaseTable>(
  ctx: AppContext,
  desk: Desk<Rules, Table>,
  command: CommandOf<Rules>,
  id: string,
): Promise<InferSelectModel<Table>> {
  requireSignedIn(ctx);
  const { rules, table, state } = desk;
  const by = rules.commands[command]?.by ?? "person";
  const isOffice = by !== "person";
  if (isOffice) desk.authorize(ctx, by);
  const [row] = await ctx.db
    .select()
    .from(table as SQLiteTable)
    .where(eq(table.id, id));
  if (!row || !(isOffice || can(ctx.actor, { action: "User.Self", userId: row.userId as string })))
    throw caseMissing(desk);
  const now = row[state] as string;
  if (!hasCommand(rules, command, now)) throw conflict(isEnded(rules, now) ? desk.ended : undefined);
  return row as InferSelectModel<Table>;
}

interface CaseChange<Table extends CaseTable> {
  /** The version that the caller saw. */
  version?: number | undefined;
  set?: Partial<InferSelectModel<Table>>;
  guards?: readonly BatchGuard[];
  /** Run before the case changes. */
  parts?: readonly BatchPart[];
}

/** Changes the case in one batch, if it still has the command. @throws AppError CONFLICT */
export async function runCommand<Rules extends DeskRules, Table extends CaseTable>(
  ctx: AppContext,
  { rules, table, state }: Desk<Rules, Table>,
  command: CommandOf<Rules>,
  row: { id: string },
  { version, set, guards: more = [], parts = [] }: CaseChange<Table>,
): Promise<void> {
  const which = eq(table.id, row.id);
  const column = (table as unknown as Record<string, AnySQLiteColumn>)[state] as AnySQLiteColumn;
  const isOpen = sql`EXISTS (SELECT 1 FROM ${table} WHERE ${which} AND ${inStateFor(rules, command, column)})`;
  const to = rules.commands[command]?.to;
  const next = table.version && { version: version === undefined ? sql`${table.version} + 1` : version + 1 };
  const guards = [
    isOpen,
    ...(version === undefined ? [] : [unchangedRow(table as Parameters<typeof unchangedRow>[0], row.id, version)]),
    ...more,
  ];
  await runGuardedBatch(ctx, guards, [
    ...parts,
    ctx.db
      .update(table as SQLiteTable)
      .set({ ...set, ...next, ...(to && { [state]: to }) })
      .where(which),
  ]);
}

/** The audit entry of a command, which the log finds by the person. */
export const auditCase = <Rules extends DeskRules, Table extends CaseTable>(
  ctx: AppContext,
  { target }: Desk<Rules, Table>,
  { id, userId }: { id: string; userId: string | null },
  entry: Pick<AuditEntry, "action" | "detail" | "reason">,
) => auditPeople(ctx, { ...entry, targetType: target, targetId: id }, [userId]);

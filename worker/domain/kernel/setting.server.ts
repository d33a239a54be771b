import type { z } from "zod";
import { unchanged } from "#db/sql.ts";
import { eq, sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { NewVersion } from "#worker/contract/kernel/errors.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { audit } from "./audit-entry.server.ts";
import { type BatchGuard, type BatchPart, conflict, runGuardedBatch } from "./guarded-batch.server.ts";
import { auditDifference } from "./audit-difference.ts";
import { authorizeConsole } from "./authorize.server.ts";

type SettingKey =
  | "site"
  | "authentication"
  | "menu"
  | "case-report"
  | "consent"
  | "alumni"
  | "setup"
  | "identity"
  | "pages"
  | "logo";
export const settingStatement = (db: RequestScope["db"], key: SettingKey) =>
  db.select().from(siteSetting).where(eq(siteSetting.key, key));

export async function readSetting<S extends z.ZodType>(scope: RequestScope, key: SettingKey, schema: S) {
  const { rows } = await scope.readFor(authorizeConsole, [settingStatement(scope.db, key)]);
  const [row] = rows[0];
  return { value: schema.parse(row?.value ?? {}), version: row?.version ?? 0 };
}

/** The stored value that a form of this version changes. @throws AppError CONFLICT for another version */
export async function requireSetting<S extends z.ZodType>(
  ctx: AppContext,
  key: SettingKey,
  version: number,
  schema: S,
): Promise<z.output<S>> {
  const [row] = await settingStatement(ctx.db, key);
  if ((row?.version ?? 0) !== version) throw conflict();
  return schema.parse(row?.value ?? {});
}

interface SettingChangeOptions {
  guards?: BatchGuard[];
  /** Stored with the change, such as mails about it. */
  parts?: readonly BatchPart[];
  reason?: string | undefined;
}

/**
 * Creates the row with the first change and keeps other keys. @param defaults values without a stored row, so that the
 * audit log shows real changes only @throws AppError CONFLICT
 */
export async function storeSetting(
  ctx: AppContext,
  key: SettingKey,
  version: number,
  value: Record<string, unknown>,
  defaults: Record<string, unknown> = {},
  { guards: more = [], parts = [], reason = "" }: SettingChangeOptions = {},
): Promise<NewVersion> {
  const [before] = await settingStatement(ctx.db, key);
  const modifiedDate = ctx.now();
  const guards = [unchanged(siteSetting, key, version), ...more];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .insert(siteSetting)
      .values({ key, value, modifiedDate })
      .onConflictDoUpdate({
        target: siteSetting.key,
        set: {
          value: sql`json_patch(${siteSetting.value}, ${JSON.stringify(value)})`,
          version: version + 1,
          modifiedDate,
        },
      }),
    audit(ctx, {
      action: "setting.change",
      targetId: key,
      reason,
      detail: auditDifference({ ...defaults, ...(before?.value as Record<string, unknown> | undefined) }, value),
    }),
    ...parts,
  ]);
  return { version: version + 1 };
}

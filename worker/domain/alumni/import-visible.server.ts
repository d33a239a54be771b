import type { AppContext } from "#worker/domain/kernel/context.ts";
import { PRIVATE_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type AlumniFieldCode, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { can } from "../kernel/authorize.server.ts";
import { ownFields } from "./alumni-settings.server.ts";

/** Placeholder for a hidden value, whether it exists or not. */
export const CLOSED_VALUE = "(비공개)";

/**
 * Fields whose values, counts or errors an import may reveal. A file can name any person, so all fields require
 * Alumni_Write.
 */
export function importFieldVisibility(ctx: Pick<AppContext, "actor" | "storedSettings">) {
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const reads = can(ctx.actor, { action: "Alumni_Read" });
  const open = new Set(
    ownFields(ctx)
      .filter(({ access }) => access === "members")
      .map(({ code }) => code),
  );
  const closed: readonly string[] = [...PRIVATE_FIELDS, "memo"];
  return (field: AlumniFieldCode): boolean =>
    office || (reads && (isOwnFieldCode(field) ? open.has(field) : !closed.includes(field)));
}

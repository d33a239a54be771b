import type { AppContext } from "#worker/domain/kernel/context.ts";
import { PRIVATE_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type BookField, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { can } from "../kernel/authorize.server.ts";
import { ownFields } from "./alumni-settings.server.ts";

/** Stands for a value of the book that the caller may not see, be there one or not. */
export const CLOSED_VALUE = "(비공개)";

/**
 * Of which fields an import may tell what is in the book, be it by a value, by a count or by a refusal: a file names people
 * and fields at will. All of them are for those alone who may write the book by hand as well.
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
  return (field: BookField): boolean =>
    office || (reads && (isOwnFieldCode(field) ? open.has(field) : !closed.includes(field)));
}

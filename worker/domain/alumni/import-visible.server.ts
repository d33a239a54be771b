import type { AppContext } from "#worker/domain/kernel/context.ts";
import { PRIVATE_FIELDS } from "#worker/contract/alumni/columns.ts";
import { type BookField, isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import type { ImportChange } from "#worker/contract/alumni/view.ts";
import { can } from "../kernel/authorize.server.ts";
import { ownFields } from "./alumni-settings.server.ts";

/** Stands for a value of the book that the caller may not see. */
const CLOSED = "(비공개)";

/**
 * What an import may tell of the values that are in the book: a file names people and fields at will, so that whoever sees
 * no closed value in the list sees none here. All of them are for those alone who may write the book by hand as well.
 */
export function visibleImportValues(ctx: Pick<AppContext, "actor" | "storedSettings">) {
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const reads = can(ctx.actor, { action: "Alumni_Read" });
  const open = new Set(
    ownFields(ctx)
      .filter(({ access }) => access === "members")
      .map(({ code }) => code),
  );
  const closed: readonly string[] = [...PRIVATE_FIELDS, "memo"];
  const isShown = (field: BookField) =>
    office || (reads && (isOwnFieldCode(field) ? open.has(field) : !closed.includes(field)));
  const before = (field: BookField, text: string): string => (text === "" || isShown(field) ? text : CLOSED);
  return {
    before,
    change: (change: ImportChange): ImportChange => {
      const shown = before(change.field, change.before);
      // Lines are put behind the memo that is there.
      const holdsBefore = shown !== change.before && change.after.includes(change.before);
      return { ...change, before: shown, after: holdsBefore ? CLOSED : change.after };
    },
  };
}

import { and, isNull, not, type SQL } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { idsIn } from "#db/sql.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { SELECTION_LIMITS } from "#worker/contract/alumni/selection.ts";
import type { SelectedAlumni } from "#worker/contract/alumni/view.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { authorize, can } from "../kernel/authorize.server.ts";
import { alumniSettings, ownFields } from "./alumni-settings.server.ts";
import { alumniOrder, alumniWhere, type BookForCaller, bookForCaller, usableSort } from "./filter.server.ts";
import { recordListing } from "./list.server.ts";
import { ALUMNI_PERSON_COLUMNS, alumniRowView } from "./row.server.ts";

/** Named people, or all matches except the deselected ones; never the bin. */
export function alumniSelectionWhere(book: BookForCaller, selection: ParsedAlumniSelection): SQL | undefined {
  if ("ids" in selection) return and(isNull(alumni.deletedDate), idsIn(alumni.id, selection.ids));
  const { filter, except } = selection;
  return and(alumniWhere(book, filter), except.length > 0 ? not(idsIn(alumni.id, except)) : undefined);
}

export async function listSelectedAlumni(ctx: AppContext, selection: ParsedAlumniSelection): Promise<SelectedAlumni> {
  authorize(ctx, { action: "Alumni_Read" });
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const book = bookForCaller(alumniSettings(ctx), ownFields(ctx), office);
  const where = alumniSelectionWhere(book, selection);
  const [people, total] = await Promise.all([
    ctx.db
      .select(ALUMNI_PERSON_COLUMNS)
      .from(alumni)
      .where(where)
      .orderBy(...alumniOrder(usableSort(book, undefined)))
      .limit(SELECTION_LIMITS.people),
    ctx.db.$count(alumni, where),
  ]);
  await recordListing(ctx, people, { page: 1, isFiltered: true }, "call");
  return { total, people: people.map((person) => alumniRowView(ctx, person)) };
}

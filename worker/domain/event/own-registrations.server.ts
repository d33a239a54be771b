import { desc, eq, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { eventRegistration } from "#db/schema/event.ts";
import type { ownRegistrationsQuery } from "#worker/contract/event/input.ts";
import type { OwnRegistrationRow } from "#worker/contract/event/view.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import type { Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import { canRead, eventItemOf, isHeld, itemsStatement, registeredItem, requireOpened } from "./event-item.server.ts";
import { feeView } from "./fee.server.ts";
import { OWN_COLUMNS } from "./registration.server.ts";
import { ticketOf } from "./ticket.server.ts";

/** Without the title of an item that the person no longer reads. */
export async function listOwnRegistrations(
  scope: RequestScope,
  query: Parsed<typeof ownRegistrationsQuery>,
): Promise<Page<OwnRegistrationRow>> {
  const { ctx, rows } = await scope.readFor(requireSignedIn, (viewerId) => {
    const mine = eq(eventRegistration.userId, viewerId);
    return [
      rowsOfPage(
        scope.db
          .select(OWN_COLUMNS)
          .from(eventRegistration)
          .where(mine)
          .orderBy(desc(eventRegistration.createdDate), desc(eventRegistration.id)),
        query,
      ),
      countRows(scope.db, eventRegistration, mine),
      itemsStatement(scope.db).where(
        sql`${boardItem.id} IN (SELECT item_id FROM event_registration WHERE user_id = ${viewerId})`,
      ),
    ];
  });
  const items = rows[2].map(eventItemOf);
  const content = rows[0].flatMap(({ registration, queue, owed }) => {
    const found = items.find(({ item }) => item.id === registration.itemId);
    if (!found) return [];
    const item = registeredItem(ctx, found);
    return [
      {
        ...(canRead(ctx, found) ? item : { ...item, title: "", event: null }),
        ...fieldsOf(registration, "id", "status"),
        isUnpaid: ["unpaid", "partial"].includes(feeView([], registration, owed)?.state ?? ""),
        queue,
        ticket: found.event && isHeld(found) ? ticketOf(ctx, requireOpened(found), registration) : "",
        createdDate: registration.createdDate.toISOString(),
      },
    ];
  });
  return makeCountedPage(query, content, rows[1]);
}

import { sql } from "drizzle-orm";
import { prepareOnce } from "#db/prepared.ts";
import { boardItem } from "#db/schema/board.ts";
import { eventRegistration } from "#db/schema/event.ts";
import type { OwnRegistration, RegistrationSummary } from "#worker/contract/event/view.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { type ItemPath, itemWhere } from "../board/view.server.ts";
import { queuePlaceSql } from "./queue.server.ts";
import { getRegistrationSummary } from "./registration.server.ts";

const AT = { boardCode: sql.placeholder("boardCode"), itemNo: sql.placeholder("itemNo") };

const preparedOwn = prepareOnce((db) =>
  db
    .select({ status: eventRegistration.status, queue: queuePlaceSql.as("queue_place") })
    .from(eventRegistration)
    .where(
      sql`${eventRegistration.itemId} = (SELECT id FROM ${boardItem} WHERE ${itemWhere(AT)})
        AND ${eventRegistration.userId} = ${sql.placeholder("userId")} AND ${eventRegistration.status} <> 'cancelled'`,
    ),
);

interface ItemRegistration {
  /** Null where the item takes no registrations. */
  registration: RegistrationSummary | null;
  /** The reader's own, with which the item's page is not shared (`board/reader.server.ts`). */
  own: Pick<OwnRegistration, "status" | "queue"> | null;
}

/** @throws AppError as the item's page */
export async function getItemRegistration(scope: RequestScope, path: ItemPath): Promise<ItemRegistration> {
  const [registration, own] = await Promise.all([
    getRegistrationSummary(scope, path),
    scope.read((userId) => [preparedOwn(scope.db, { ...path, userId })]),
  ]);
  return { registration, own: (registration && own.ctx.actor.kind !== "guest" && own.rows[0][0]) || null };
}

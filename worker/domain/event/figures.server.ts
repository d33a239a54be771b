import { type SQL, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { PLACE_TAKEN } from "#worker/contract/event/event.ts";
import type { EventFigure, EventFigures } from "#worker/contract/event/view.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { itemWhere, type ItemPath } from "../board/view.server.ts";
import {
  authorizeEventItem,
  authorizeEvents,
  eventAtStatement,
  registeredItem,
  requireOpened,
} from "./event-item.server.ts";
import { AFFILIATION } from "./ticket.server.ts";

/** Further ones are joined into one. */
const AFFILIATIONS_MAX = 20;

const PARTS = { fee: sql`fee_code`, role: sql`role_name`, affiliation: sql`affiliation`, day: sql`day` };

type Part = keyof typeof PARTS;
const groupsOf = (part: Part) => sql`SELECT ${part} AS part, ${PARTS[part]} AS key, count(*) AS people,
  sum(status IN (SELECT value FROM json_each(${JSON.stringify(PLACE_TAKEN)}))) AS placed, sum(status = 'present') AS present,
  sum(is_paid) AS payers, sum(paid) AS paid FROM r GROUP BY 2`;

const NUMBERS = ["people", "placed", "present", "payers", "paid"] as const;
type Numbers = Omit<EventFigure, "label">;

const COLUMNS = {
  part: sql<Part>`part`,
  key: sql<string>`key`,
  ...(Object.fromEntries(NUMBERS.map((each) => [each, sql.raw(each)])) as Record<keyof Numbers, SQL<number>>),
};

/** People who cancelled are in none but the number of their state. */
const figuresStatement = (db: RequestScope["db"], path: ItemPath) =>
  db.select(COLUMNS).from(sql`(WITH r AS MATERIALIZED (
      SELECT event_registration.status, fee_code, coalesce(role.role_name, '') AS role_name, ${AFFILIATION} AS affiliation,
        date(event_registration.created_date / 1000 + 32400, 'unixepoch') AS day, coalesce(due.paid, 0) AS paid,
        event_registration.fee > 0 AND coalesce(due.paid >= due.amount, 0) AS is_paid
      FROM event_registration LEFT JOIN user ON user.id = event_registration.user_id
        LEFT JOIN role ON role.role_code = user.role_code LEFT JOIN due ON due.id = event_registration.id
      WHERE event_registration.status <> 'cancelled'
        AND event_registration.item_id = (SELECT id FROM ${boardItem} WHERE ${itemWhere(path)}))
    ${sql.join((Object.keys(PARTS) as Part[]).map(groupsOf), sql` UNION ALL `)})`);

function joinedFigure(label: string, figures: readonly EventFigure[]): EventFigure {
  const sum = (number: (typeof NUMBERS)[number]) => figures.reduce((total, figure) => total + figure[number], 0);
  return { label, ...(Object.fromEntries(NUMBERS.map((each) => [each, sum(each)])) as unknown as Numbers) };
}

/** The most frequent ones, the others joined, those without a value last. */
function frequentFigures(figures: readonly EventFigure[]): EventFigure[] {
  const named = figures
    .filter(({ label }) => label !== "")
    .toSorted((a, b) => b.people - a.people || (a.label < b.label ? -1 : 1));
  const others = named.slice(AFFILIATIONS_MAX);
  const unnamed = figures.filter(({ label }) => label === "");
  return [
    ...named.slice(0, AFFILIATIONS_MAX),
    ...(others.length > 0 ? [joinedFigure("그 밖의 소속", others)] : []),
    ...(unnamed.length > 0 ? [joinedFigure("알 수 없음", unnamed)] : []),
  ];
}

/** @throws AppError NOT_FOUND without an event */
export async function getEventFigures(scope: RequestScope, path: ItemPath): Promise<EventFigures> {
  const { ctx, rows } = await scope.readFor(authorizeEvents, [
    eventAtStatement(scope.db, path),
    figuresStatement(scope.db, path),
  ]);
  const found = requireOpened(authorizeEventItem(ctx, rows[0][0]));
  const ofPart = (wanted: Part, labelOf: (key: string) => string = String) =>
    rows[1]
      .filter(({ part }) => part === wanted)
      .map(({ part: _part, key, ...figure }): EventFigure => ({ ...figure, label: labelOf(key) }));
  const { fees, places } = found.event;
  const feeName = (wanted: string) => fees.find(({ code }) => code === wanted)?.name ?? "정하지 않음";
  return {
    item: registeredItem(ctx, found),
    places,
    counts: found.counts,
    fees: fees.length === 0 ? [] : ofPart("fee", feeName),
    roles: ofPart("role", (name) => name || "회원이 아닌 사람"),
    affiliations: frequentFigures(ofPart("affiliation")),
    days: ofPart("day"),
    date: ctx.now().toISOString(),
  };
}

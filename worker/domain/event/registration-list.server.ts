import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { user } from "#db/schema/account.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { PRINT_PEOPLE_MAX, type PrintedPerson } from "#worker/contract/alumni/paper.ts";
import { DUE_STATE_LABELS } from "#worker/contract/alumni/dues/dues.ts";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import { EVENT_DESK, PLACE_TAKEN } from "#worker/contract/event/event.ts";
import type {
  exportRegistrationsInput,
  listRegistrationsQuery,
  printNameTagsInput,
} from "#worker/contract/event/input.ts";
import type { RegistrationRow } from "#worker/contract/event/view.ts";
import { koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { itemWhere, type ItemPath } from "../board/view.server.ts";
import { requirePrintable } from "../alumni/print.server.ts";
import { auditLook, auditPeople } from "../kernel/audit-entry.server.ts";
import { countExport, auditedSheet } from "../kernel/sheet-download.server.ts";
import { makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import { holdsText } from "../kernel/text-condition.server.ts";
import {
  authorizeEventItem,
  authorizeEvents,
  eventAtStatement,
  eventTarget,
  type OpenedEvent,
  requireEvent,
  requireOpened,
} from "./event-item.server.ts";
import { feeView, hasFeeState, owedSql } from "./fee.server.ts";
import { PERSON_NAME } from "./person.server.ts";
import { queuePlaceSql } from "./queue.server.ts";
import { AFFILIATION } from "./ticket.server.ts";

type Filter = Pick<Parsed<typeof listRegistrationsQuery>, "keyword" | "status" | "fee">;

const CONTACT = sql<string>`coalesce(nullif(${eventRegistration.guestEmail}, ''), (SELECT user_key_code FROM user_key WHERE user_key.user_id = ${eventRegistration.userId}
  AND user_key_type IN ('Email', 'Mobile') AND verified_date IS NOT NULL ORDER BY user_key_type LIMIT 1), '')`;

const COLUMNS = {
  registration: eventRegistration,
  queue: queuePlaceSql.as("queue_place"),
  owed: owedSql.as("owed_fee"),
  userName: PERSON_NAME.as("registered_name"),
  contact: CONTACT.as("registered_contact"),
};

const registrations = (db: AppContext["db"]) =>
  db.select(COLUMNS).from(eventRegistration).leftJoin(user, eq(user.id, eventRegistration.userId));

const countStatement = (db: AppContext["db"], where: SQL | undefined) =>
  db
    .select({ count: sql<number>`count(*)`.as("registered_people") })
    .from(eventRegistration)
    .leftJoin(user, eq(user.id, eventRegistration.userId))
    .where(where);

function matching(path: ItemPath, { keyword, status, fee }: Filter): SQL | undefined {
  const text = keyword?.toLowerCase();
  return and(
    sql`${eventRegistration.itemId} = (SELECT id FROM ${boardItem} WHERE ${itemWhere(path)})`,
    status ? eq(eventRegistration.status, status) : undefined,
    fee ? hasFeeState(fee) : undefined,
    text
      ? sql`(instr(lower(${PERSON_NAME}), ${text}) OR instr(${eventRegistration.guestEmail}, ${text}) OR EXISTS (SELECT 1 FROM user_key
          WHERE user_key.user_id = ${eventRegistration.userId} AND ${holdsText(sql`user_key_code`, text)}))`
      : undefined,
  );
}

type Found = Awaited<ReturnType<typeof registrations>>[number];

const rowView = (
  { event: { fees } }: OpenedEvent,
  { registration, userName, contact, queue, owed }: Found,
): RegistrationRow => ({
  ...fieldsOf(
    registration,
    "id",
    "userId",
    "status",
    "answers",
    "reason",
    "createdDate",
    "attendedDate",
    "leftDate",
    "version",
  ),
  userName,
  isGuest: registration.guestEmail !== "",
  contact,
  queue,
  fee: feeView(fees, registration, owed),
});

/** In the order of arrival. The view is audited. */
export async function listRegistrations(
  scope: RequestScope,
  path: ItemPath,
  query: Parsed<typeof listRegistrationsQuery>,
): Promise<Page<RegistrationRow>> {
  const where = matching(path, query);
  const { ctx, rows } = await scope.readFor(authorizeEvents, [
    eventAtStatement(scope.db, path),
    rowsOfPage(registrations(scope.db).where(where).orderBy(asc(eventRegistration.turn)), query),
    countStatement(scope.db, where),
  ]);
  const found = requireOpened(authorizeEventItem(ctx, rows[0][0]));
  const { page, status, fee } = query;
  auditLook(
    ctx,
    { action: "event.list", targetId: eventTarget(found), detail: { page, status, fee } },
    rows[1].map(({ registration }) => registration.userId),
  );
  return makeCountedPage(
    query,
    rows[1].map((row) => rowView(found, row)),
    rows[2],
  );
}

const FEE_COLUMNS = [
  { label: "참가비", text: ({ fee }: RegistrationRow) => fee?.name ?? "" },
  { label: "금액", text: ({ fee }: RegistrationRow) => fee?.amount ?? "" },
  { label: "낸 금액", text: ({ fee }: RegistrationRow) => fee?.paid ?? "" },
  { label: "납부", text: ({ fee }: RegistrationRow) => (fee?.state ? DUE_STATE_LABELS[fee.state] : "") },
  { label: "납부 기한", text: ({ fee }: RegistrationRow) => fee?.dueDay ?? "" },
];

const timeText = (date: string | null) => (date === null ? "" : koreanDateTime(new Date(date)));

/** The rows of the filter with all answers; needs a reason. */
export async function exportRegistrations(
  ctx: AppContext,
  path: ItemPath,
  sent: Parsed<typeof exportRegistrationsInput>,
) {
  authorizeEvents(ctx);
  const found = await requireEvent(ctx, path);
  await countExport(ctx);
  const people = await registrations(ctx.db).where(matching(path, sent.filter)).orderBy(asc(eventRegistration.turn));
  const entry = {
    action: "event.export",
    targetId: eventTarget(found),
    detail: { status: sent.filter.status, fee: sent.filter.fee },
    people: people.map(({ registration }) => registration.userId),
  } as const;
  const rows = people.map((row) => rowView(found, row));
  return auditedSheet(ctx, sent, entry, "행사 신청자", rows, [
    { label: "이름", text: ({ userName }) => userName },
    { label: "연락처", text: ({ contact }) => contact },
    { label: "구분", text: ({ isGuest }) => (isGuest ? "비회원" : "회원") },
    { label: "상태", text: ({ status }) => EVENT_DESK.states[status] },
    { label: "대기 순서", text: ({ queue }) => queue ?? "" },
    ...(found.event.fees.length > 0 ? FEE_COLUMNS : []),
    { label: "신청한 때", text: ({ createdDate }) => timeText(createdDate) },
    { label: "출석한 때", text: ({ attendedDate }) => timeText(attendedDate) },
    { label: "퇴장한 때", text: ({ leftDate }) => timeText(leftDate) },
    { label: "사무국 사유", text: ({ reason }) => reason },
    ...found.event.questions.map(({ code, name }) => ({
      label: name,
      text: ({ answers }: RegistrationRow) => ownFieldValueText(lookUp(answers, code)),
    })),
  ]);
}

/** Name and affiliation of everybody with a place in the filter, by name; needs a reason. @throws AppError PAYLOAD_TOO_LARGE */
export async function printNameTags(
  ctx: AppContext,
  path: ItemPath,
  { filter, reason }: Parsed<typeof printNameTagsInput>,
): Promise<PrintedPerson[]> {
  authorizeEvents(ctx);
  const found = await requireEvent(ctx, path);
  await countExport(ctx);
  const people = await ctx.db
    .select({
      id: eventRegistration.id,
      userId: eventRegistration.userId,
      name: COLUMNS.userName,
      affiliation: AFFILIATION.as("affiliation"),
    })
    .from(eventRegistration)
    .leftJoin(user, eq(user.id, eventRegistration.userId))
    .where(and(matching(path, filter), inArray(eventRegistration.status, PLACE_TAKEN)))
    .orderBy(asc(PERSON_NAME), asc(eventRegistration.turn))
    .limit(PRINT_PEOPLE_MAX + 1);
  requirePrintable(people);
  const entry = {
    action: "event.print",
    targetId: eventTarget(found),
    reason,
    detail: { status: filter.status, fee: filter.fee },
  } as const;
  await ctx.db.batch(
    auditPeople(
      ctx,
      entry,
      people.map(({ userId }) => userId),
    ),
  );
  return people.map(({ userId: _userId, ...person }) => person);
}

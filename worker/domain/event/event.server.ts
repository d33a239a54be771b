import { eq, ne, sql } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import { certificateKind } from "#db/schema/alumni.ts";
import { event } from "#db/schema/event.ts";
import { unchanged } from "#db/sql.ts";
import { type EventQuestion, REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import type { listEventsQuery, openRegistrationInput, updateRegistrationInput } from "#worker/contract/event/input.ts";
import type { EventPage, EventRow, EventSetting, RegisteredItem } from "#worker/contract/event/view.ts";
import { invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { makePage, type Page } from "#worker/contract/kernel/page.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import type { ItemPath } from "../board/view.server.ts";
import { auditDifference } from "../kernel/audit-difference.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { can } from "../kernel/authorize.server.ts";
import { codedParts } from "../kernel/coded-parts.ts";
import { conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import {
  authorizeEventItem,
  authorizeEvents,
  canRead,
  eventItemOf,
  eventMissing,
  eventsStatement,
  eventTarget,
  isHeld,
  itemAtStatement,
  type OpenedEvent,
  openableStatement,
  phaseOf,
  registeredItem,
  requireOpened,
} from "./event-item.server.ts";
import { noteTold } from "./told.server.ts";
import { fillPlaces } from "./queue.server.ts";

const settingView = ({ event: settings }: OpenedEvent): EventSetting => ({
  ...fieldsOf(settings, "openDate", "closeDate", "cancelUntil", "places", "useWaiting", "hidesCounts", "roleCodes"),
  ...fieldsOf(settings, "confirmation", "attendance", "certificateKindId", "questions"),
  ...fieldsOf(settings, "fees", "feeDays", "cancelsUnpaid", "reminderDays", "takesGuests"),
});

const GUEST_ROLE_CODE = "guest";

/** The newest events that the officer reads. */
export async function listEvents(scope: RequestScope, query: Parsed<typeof listEventsQuery>): Promise<Page<EventRow>> {
  const { ctx, rows } = await scope.readFor(authorizeEvents, [eventsStatement(scope.db)]);
  const found = rows[0].filter((row) => canRead(ctx, row)).map((row) => requireOpened(eventItemOf(row)));
  const { page, size } = query;
  const content = found.slice((page - 1) * size, page * size).map((each) => ({
    ...registeredItem(ctx, each),
    phase: phaseOf(ctx, each),
    places: each.event.places,
    counts: each.counts,
  }));
  return makePage(content, { page, size, totalElements: found.length });
}

/** Items on which the officer can open registration, by their first day. */
export async function listEventItems(scope: RequestScope): Promise<RegisteredItem[]> {
  const { ctx, rows } = await scope.readFor(authorizeEvents, [openableStatement(scope.db, scope.now())]);
  return rows[0].filter((row) => canRead(ctx, row)).map((row) => registeredItem(ctx, row));
}

/** @throws AppError NOT_FOUND for an item without an event */
export async function getEventPage(scope: RequestScope, path: ItemPath): Promise<EventPage> {
  const { ctx, rows } = await scope.readFor(authorizeEvents, [
    itemAtStatement(scope.db, path),
    eventsStatement(scope.db),
    scope.db
      .select({ roleCode: role.roleCode, roleName: role.roleName })
      .from(role)
      .where(ne(role.roleCode, GUEST_ROLE_CODE))
      .orderBy(role.roleName),
    openKinds(scope.db),
  ]);
  const found = authorizeEventItem(ctx, rows[0][0]);
  const opened = found.event && requireOpened(found);
  if (!opened && !isHeld(found)) throw eventMissing();
  const others = rows[1].filter(({ item }) => item.id !== found.item.id).filter((row) => canRead(ctx, row));
  return {
    item: registeredItem(ctx, found),
    boardName: found.board.boardName,
    isHeld: isHeld(found),
    phase: opened && phaseOf(ctx, opened),
    setting: opened && { value: settingView(opened), version: opened.event.version },
    counts: found.counts,
    roles: rows[2],
    kinds: rows[3],
    canCertify: can(ctx.actor, { action: "Alumni_Write" }),
    canPay: can(ctx.actor, { action: "Dues_Manage" }),
    earlier: others.map((row) => {
      const other = requireOpened(eventItemOf(row));
      return { ...registeredItem(ctx, other), setting: settingView(other) };
    }),
  };
}

async function requireItem(ctx: AppContext, path: ItemPath) {
  const [row] = await itemAtStatement(ctx.db, path);
  return authorizeEventItem(ctx, row);
}

type Sent = Parsed<typeof openRegistrationInput>;

const openKinds = (db: AppContext["db"]) =>
  db
    .select({ id: certificateKind.id, name: certificateKind.name })
    .from(certificateKind)
    .where(eq(certificateKind.isClosed, false))
    .orderBy(certificateKind.sortOrder, certificateKind.id);

/** @param before the stored kind, which may have been closed since */
async function checkChoices(ctx: AppContext, { roleCodes, fees, certificateKindId }: Sent, before = "") {
  if (certificateKindId !== before && certificateKindId !== "") {
    const kinds = await openKinds(ctx.db);
    if (!kinds.some(({ id }) => id === certificateKindId))
      throw invalidInput({ certificateKindId: REGISTRATION_MESSAGES.kindMissing });
  }
  const known = await ctx.db.select({ roleCode: role.roleCode }).from(role);
  const error = "없는 역할입니다. 다시 골라 주십시오.";
  const areKnown = (codes: readonly string[]) => codes.every((code) => known.some((each) => each.roleCode === code));
  if (!areKnown(roleCodes)) throw invalidInput({ roleCodes: error });
  const wrong = fees.findIndex((fee) => !areKnown(fee.roleCodes));
  if (wrong >= 0) throw invalidInput({ [`fees.${wrong}.roleCodes`]: error });
}

function partsOf({ questions, fees }: Sent, before: Pick<EventSetting, "questions" | "fees">) {
  if (new Set(fees.map(({ name }) => name)).size < fees.length)
    throw invalidInput({ fees: REGISTRATION_MESSAGES.feeTwice });
  return {
    questions: codedParts("questions", questions, before.questions) as EventQuestion[],
    fees: codedParts("fees", fees, before.fees),
  };
}

const columnsOf = (ctx: AppContext, sent: Sent, parts: ReturnType<typeof partsOf>) => ({
  ...fieldsOf(sent, "cancelUntil", "places", "useWaiting", "hidesCounts", "roleCodes", "confirmation", "attendance"),
  certificateKindId: sent.certificateKindId,
  ...fieldsOf(sent, "feeDays", "cancelsUnpaid", "reminderDays", "takesGuests"),
  openDate: sent.openDate,
  closeDate: sent.closeDate,
  ...parts,
  modifiedDate: ctx.now(),
});

/** @throws AppError CONFLICT for an item without an event, ALREADY_EXISTS, INVALID_INPUT for an unknown role */
export async function openRegistration(ctx: AppContext, path: ItemPath, sent: Sent): Promise<NewVersion> {
  authorizeEvents(ctx);
  const found = await requireItem(ctx, path);
  if (!isHeld(found)) throw conflict(REGISTRATION_MESSAGES.noEvent);
  await checkChoices(ctx, sent);
  const row = columnsOf(ctx, sent, partsOf(sent, { questions: [], fees: [] }));
  await refuseExisting(REGISTRATION_MESSAGES.exists, () =>
    runGuardedBatch(
      ctx,
      [],
      [
        ctx.db.insert(event).values({ ...row, itemId: found.item.id, createdDate: ctx.now() }),
        noteTold(ctx, sql`item_id = ${found.item.id}`),
        audit(ctx, { action: "event.open", targetId: eventTarget(found) }),
      ],
    ),
  );
  return { version: 1 };
}

/** Questions that somebody answered and that the change drops or asks in another way. */
const answeredGuard = (found: OpenedEvent, questions: readonly EventQuestion[]) => {
  const codes = found.event.questions
    .filter(({ code, inputType }) => !questions.some((each) => each.code === code && each.inputType === inputType))
    .map(({ code }) => code);
  return {
    holds: sql`NOT EXISTS (SELECT 1 FROM event_registration, json_each(${JSON.stringify(codes)}) AS dropped
      WHERE item_id = ${found.item.id} AND json_extract(answers, '$.' || dropped.value) IS NOT NULL)`,
    error: () => invalidInput({ questions: REGISTRATION_MESSAGES.answered }),
  };
};

/** Places that are added go to the queue. @throws AppError CONFLICT, INVALID_INPUT */
export async function updateRegistration(
  ctx: AppContext,
  path: ItemPath,
  sent: Parsed<typeof updateRegistrationInput>,
): Promise<NewVersion> {
  authorizeEvents(ctx);
  const found = requireOpened(await requireItem(ctx, path));
  await checkChoices(ctx, sent, found.event.certificateKindId);
  const { version, places } = sent;
  const itemId = found.item.id;
  const parts = partsOf(sent, found.event);
  const isAskedAnew = JSON.stringify(parts) !== JSON.stringify(fieldsOf(found.event, "questions", "fees"));
  const row = columnsOf(ctx, sent, parts);
  const before = settingView(found);
  const after = settingView({ ...found, event: { ...found.event, ...row } });
  await runGuardedBatch(
    ctx,
    [
      unchanged(event, itemId, version),
      {
        holds: sql`${places} IS NULL OR (SELECT count(*) FROM event_registration WHERE item_id = ${itemId}
          AND status NOT IN ('waiting', 'cancelled')) <= ${places}`,
        error: () => invalidInput({ places: REGISTRATION_MESSAGES.fewerPlaces }),
      },
      answeredGuard(found, parts.questions),
      {
        holds: sql`NOT EXISTS (SELECT 1 FROM event_registration WHERE item_id = ${itemId} AND fee_code <> ''
          AND fee_code NOT IN (SELECT value FROM json_each(${JSON.stringify(parts.fees.map(({ code }) => code))})))`,
        error: () => invalidInput({ fees: REGISTRATION_MESSAGES.feeChosen }),
      },
    ],
    [
      ctx.db
        .update(event)
        .set({
          ...row,
          version: version + 1,
          ...(isAskedAnew && { questionsVersion: found.event.questionsVersion + 1 }),
        })
        .where(eq(event.itemId, itemId)),
      audit(ctx, {
        action: "event.change",
        targetId: eventTarget(found),
        detail: auditDifference({ ...before }, { ...after }),
      }),
    ],
  );
  await fillPlaces(ctx, { ...found, event: { ...found.event, ...row } });
  return { version: version + 1 };
}

/** @throws AppError CONFLICT once anybody registered */
export async function deleteRegistration(
  ctx: AppContext,
  path: ItemPath,
  version: number,
): Promise<Record<string, never>> {
  authorizeEvents(ctx);
  const found = requireOpened(await requireItem(ctx, path));
  const itemId = found.item.id;
  await runGuardedBatch(
    ctx,
    [
      unchanged(event, itemId, version),
      {
        holds: sql`NOT EXISTS (SELECT 1 FROM event_registration WHERE item_id = ${itemId})`,
        error: () => conflict(REGISTRATION_MESSAGES.hasRegistrations),
      },
    ],
    [
      ctx.db.delete(event).where(eq(event.itemId, itemId)),
      audit(ctx, { action: "event.delete", targetId: eventTarget(found) }),
    ],
  );
  return {};
}

import { desc, type SQL, sql } from "drizzle-orm";
import { boardItem } from "#db/schema/board.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { checkProfile, checkProfileChange } from "#worker/contract/account/own-field.ts";
import {
  EVENT_DESK,
  lastCancellation,
  questionField,
  REGISTRATION_LIMITS,
  REGISTRATION_MESSAGES,
} from "#worker/contract/event/event.ts";
import type { cancelRegistrationInput, changeAnswersInput, registerInput } from "#worker/contract/event/input.ts";
import type { OwnRegistration, RegistrationPage, RegistrationSummary } from "#worker/contract/event/view.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { isGrantActive } from "../access/actor.server.ts";
import { boardNameIn } from "../board/board.server.ts";
import { itemWhere, type ItemPath } from "../board/view.server.ts";
import { can, requireSignedIn } from "../kernel/authorize.server.ts";
import { requireCase, runCommand } from "../kernel/desk.server.ts";
import {
  type BatchGuard,
  type BatchPart,
  conflict,
  isBatchAborted,
  runGuardedBatch,
} from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { settingStatement } from "../kernel/setting.server.ts";
import { auditRegistration, DESK } from "./desk.server.ts";
import {
  authorizeEventItem,
  canRead,
  eventAtStatement,
  eventMissing,
  eventOfCase,
  guestPath,
  hasRoom,
  type OpenedEvent,
  phaseOf,
  registeredItem,
  requireEvent,
  requireOpened,
  summaryView,
} from "./event-item.server.ts";
import { chargeFees, feePayment, feeView, owedSql, releaseFees, requireFee } from "./fee.server.ts";
import { countRegistration, notYetGuards, ownAddresses, type Registrant } from "./registrant.server.ts";
import { registeredLetter } from "./registered-letter.server.ts";
import { hasRoomSql, prepareMoveUp, queuePlaceSql } from "./queue.server.ts";
import { ticketOf } from "./ticket.server.ts";

type Registration = typeof eventRegistration.$inferSelect;

export const OWN_COLUMNS = {
  registration: eventRegistration,
  queue: queuePlaceSql.as("queue_place"),
  owed: owedSql.as("owed_fee"),
};

const rolesOf = (userId: string, now: Date): SQL => sql`SELECT role_code FROM user WHERE id = ${userId}
  UNION SELECT role_code FROM role_grant WHERE user_id = ${userId} AND ${isGrantActive(now)}`;

const isForRoles = (codes: readonly string[], roles: readonly string[]): boolean =>
  codes.length === 0 || codes.some((code) => roles.includes(code));

/** @param codes a JSON array of roles, empty for everybody */
const isForSql = (codes: SQL, userId: string, now: Date): SQL =>
  sql`(${codes} = '[]' OR EXISTS (SELECT 1 FROM json_each(${codes}) AS wanted WHERE wanted.value IN (${rolesOf(userId, now)})))`;

/** Null where the item takes no registrations. Nothing personal: the item's page is shared. */
export async function getRegistrationSummary(scope: RequestScope, path: ItemPath): Promise<RegistrationSummary | null> {
  const { ctx, rows } = await scope.read([eventAtStatement(scope.db, path)]);
  const [row] = rows[0];
  return row ? summaryView(ctx, requireOpened(authorizeEventItem(ctx, row))) : null;
}

export const fieldsAsked = ({ event: { questions } }: OpenedEvent) => questions.map(questionField);

export function ownView(
  ctx: AppContext,
  found: OpenedEvent,
  { registration, queue, owed }: { registration: Registration; queue: number | null; owed: string | null },
  site: { value: unknown } | undefined,
): OwnRegistration {
  const { status } = registration;
  const isOpen = phaseOf(ctx, found) === "open";
  return {
    ...fieldsOf(registration, "id", "status", "answers", "reason", "version"),
    queue,
    fee: feeView(found.event.fees, registration, owed),
    pay: feePayment(registration.id, owed, site),
    createdDate: registration.createdDate.toISOString(),
    ticket: ticketOf(ctx, found, registration),
    can: {
      change: isOpen && found.event.questions.length > 0 && hasCommand(EVENT_DESK, "change", status),
      cancel: ctx.now() <= lastCancellation(found.event) && hasCommand(EVENT_DESK, "cancel", status),
    },
  };
}

/** Why the caller cannot register; empty where they can. */
function refusalOf(
  ctx: AppContext,
  found: OpenedEvent,
  mine: OwnRegistration | null,
  { isAllowed, hasFee }: { isAllowed: boolean; hasFee: boolean },
): string {
  const phase = phaseOf(ctx, found);
  if (phase !== "open") return REGISTRATION_MESSAGES[phase];
  const isGuest = ctx.actor.kind === "guest";
  if (isGuest && !found.event.takesGuests) return REGISTRATION_MESSAGES.signIn;
  if (mine && mine.status !== "cancelled") return REGISTRATION_MESSAGES.twice;
  if (!isAllowed && !isGuest) return REGISTRATION_MESSAGES.role;
  if (!hasFee) return REGISTRATION_MESSAGES.noFee;
  return hasRoom(found) || found.event.useWaiting ? "" : REGISTRATION_MESSAGES.full;
}

/** @throws AppError as the item's page, NOT_FOUND without an event */
export async function getRegistrationPage(
  scope: RequestScope,
  path: ItemPath,
  language: Language = "ko",
): Promise<RegistrationPage> {
  const item = sql`(SELECT id FROM ${boardItem} WHERE ${itemWhere(path)})`;
  const { ctx, rows } = await scope.read((viewerId) => [
    eventAtStatement(scope.db, path),
    scope.db
      .select(OWN_COLUMNS)
      .from(eventRegistration)
      .where(sql`${eventRegistration.itemId} = ${item} AND ${eventRegistration.userId} = ${viewerId}`)
      .orderBy(sql`${eventRegistration.status} = 'cancelled'`, desc(eventRegistration.turn))
      .limit(1),
    scope.db.select({ code: sql<string>`role_code`.as("role_code") }).from(sql`(${rolesOf(viewerId, scope.now())})`),
    settingStatement(scope.db, "site"),
    scope.db
      .select({ id: eventRegistration.id })
      .from(eventRegistration)
      .where(
        sql`item_id = ${item} AND status <> 'cancelled' AND guest_email <> '' AND guest_email IN (${ownAddresses(sql`${viewerId}`)})`,
      )
      .limit(1),
  ]);
  const found = requireOpened(authorizeEventItem(ctx, rows[0][0]));
  const own = ctx.actor.kind === "guest" ? undefined : rows[1][0];
  const mine = own ? ownView(ctx, found, own, rows[3][0]) : null;
  const roles = rows[2].map(({ code }) => code);
  const fees = found.event.fees.filter(({ roleCodes }) => isForRoles(roleCodes, roles));
  const isAllowed = isForRoles(found.event.roleCodes, roles);
  const hasFee = fees.length > 0 || found.event.fees.length === 0;
  const asGuest = ctx.actor.kind === "guest" ? undefined : rows[4][0];
  const refusal = asGuest ? REGISTRATION_MESSAGES.twiceAsGuest : refusalOf(ctx, found, mine, { isAllowed, hasFee });
  return {
    ...summaryView(ctx, found),
    item: registeredItem(ctx, found),
    boardName: boardNameIn(language, found.board),
    questions: fieldsAsked(found),
    fees: fees.map((fee) => fieldsOf(fee, "code", "name", "amount")),
    questionsVersion: found.event.questionsVersion,
    cancelUntil: lastCancellation(found.event).toISOString(),
    mine,
    can: { register: refusal === "", manage: can(ctx.actor, { action: "Event_Manage" }) },
    isGuest: ctx.actor.kind === "guest",
    guestPath: asGuest ? guestPath(ctx, asGuest.id) : "",
    refusal,
  };
}

export const isCurrent = ({ item }: OpenedEvent, condition: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM event JOIN board_item ON board_item.id = event.item_id
    WHERE event.item_id = ${item.id} AND ${condition})`;

/** Still open inside the batch, for everybody. */
const openGuard = (ctx: AppContext, found: OpenedEvent): BatchGuard => {
  const now = ctx.now().getTime();
  return {
    holds: isCurrent(
      found,
      sql`event.open_date <= ${now} AND event.close_date + 60000 > ${now} AND board_item.event_start IS NOT NULL
        AND board_item.is_event_cancelled = 0 AND board_item.deleted_date IS NULL`,
    ),
    error: () => {
      const phase = phaseOf(ctx, found);
      return conflict(REGISTRATION_MESSAGES[phase === "before" ? "before" : "closed"]);
    },
  };
};

const questionsGuard = (found: OpenedEvent, seen: number): BatchGuard => ({
  holds: isCurrent(found, sql`event.questions_version = ${seen}`),
  error: () => conflict(REGISTRATION_MESSAGES.questionsChanged),
});

/** A place was given or taken since it was read. */
const ROOM_CHANGED = conflict(REGISTRATION_MESSAGES.full);
const TRIES = 6;

const roomGuard = ({ item }: OpenedEvent, isPlaced: boolean): BatchGuard => ({
  holds: isPlaced
    ? hasRoomSql(item.id)
    : sql`NOT ${hasRoomSql(item.id)} AND (SELECT use_waiting FROM event WHERE item_id = ${item.id})`,
  error: () => ROOM_CHANGED,
});

const fewEnoughGuard = ({ item }: OpenedEvent): BatchGuard => ({
  holds: sql`(SELECT count(*) FROM event_registration WHERE item_id = ${item.id}) < ${REGISTRATION_LIMITS.registrations}`,
  error: () => conflict(REGISTRATION_MESSAGES.full),
});

export function newRegistration(
  ctx: AppContext,
  { item }: OpenedEvent,
  given: Pick<Registration, "userId" | "status" | "answers" | "feeCode" | "fee"> &
    Partial<Pick<Registration, "reason" | "attendedDate" | "guestName" | "guestEmail" | "language">>,
) {
  const row = { guestName: "", guestEmail: "", language: "ko" as const, ...given, id: crypto.randomUUID() };
  const now = ctx.now();
  const insert = ctx.db.insert(eventRegistration).values({
    ...row,
    itemId: item.id,
    turn: sql`(SELECT coalesce(max(turn), 0) + 1 FROM event_registration WHERE item_id = ${item.id})`,
    createdDate: now,
    modifiedDate: now,
  });
  return { row, parts: [insert, row.status !== "waiting" ? chargeFees(ctx, sql`${row.id}`) : null] };
}

/**
 * Takes a place, or one in the queue where the person joins it. The batch decides, so that no place is given twice.
 * @throws AppError CONFLICT when it is closed, full or asks other questions meanwhile, ALREADY_EXISTS, FORBIDDEN by role
 */
export async function register(
  ctx: AppContext,
  path: ItemPath,
  sent: Parsed<typeof registerInput>,
): Promise<RegisteredPlace> {
  const { userId } = requireSignedIn(ctx);
  const found = await requireEvent(ctx, path);
  const isAllowed = {
    holds: isCurrent(found, isForSql(sql`event.role_codes`, userId, ctx.now())),
    error: () => new AppError("FORBIDDEN", { message: REGISTRATION_MESSAGES.role }),
  };
  return takePlace(ctx, found, sent, { person: { userId }, guards: [isAllowed], parts: [] });
}

interface RegisteredPlace {
  id: string;
  status: "confirmed" | "waiting";
}

interface Taker {
  person: Registrant & Partial<Pick<Registration, "guestName" | "language">>;
  guards: readonly BatchGuard[];
  parts: readonly BatchPart[];
  /** For a repeated call; by default the place. */
  answer?: (place: RegisteredPlace) => object;
}

/** @throws AppError as `register` */
export async function takePlace(
  ctx: AppContext,
  found: OpenedEvent,
  sent: Parsed<typeof registerInput>,
  { person, guards: more, parts: others, answer = (place) => place }: Taker,
): Promise<RegisteredPlace> {
  const { userId } = person;
  const answers = checkedAnswers(found, sent, (fields) => checkProfile(fields, sent.answers));
  const fee = requireFee(found, sent.feeCode);
  await countRegistration(ctx, person);
  const guards = [
    openGuard(ctx, found),
    ...more,
    {
      holds: isCurrent(
        found,
        sql`(${fee.feeCode} = '' OR EXISTS (SELECT 1 FROM json_each(event.fees) AS offered WHERE offered.value ->> 'code' = ${fee.feeCode}
          AND ${isForSql(sql`(offered.value -> 'roleCodes')`, userId, ctx.now())}))`,
      ),
      error: () => invalidInput({ feeCode: REGISTRATION_MESSAGES.feeNotTheirs }),
    },
    questionsGuard(found, sent.questionsVersion),
    ...notYetGuards(found, person),
    fewEnoughGuard(found),
  ];
  const { useWaiting } = found.event;
  const joins = sent.joinsQueue && useWaiting;
  let isPlaced = hasRoom(found) || !joins;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const status = isPlaced ? "confirmed" : "waiting";
    const made = newRegistration(ctx, found, { ...person, status, answers, ...fee });
    const { id } = made.row;
    const parts = [
      ...made.parts,
      ...others,
      await registeredLetter(ctx, found, made.row, status),
      ...auditRegistration(ctx, found, userId, { action: "event.register", detail: { status } }),
      ...storeIdempotentAnswer(ctx, { ...answer({ id, status }) }),
    ];
    try {
      await runGuardedBatch(ctx, [...guards, roomGuard(found, isPlaced)], parts);
      return { id, status };
    } catch (error) {
      if (error === ROOM_CHANGED) {
        if (!joins) throw conflict(REGISTRATION_MESSAGES[useWaiting ? "fullButWaiting" : "full"]);
        isPlaced = !isPlaced;
      } else if (!(error instanceof AppError && isBatchAborted(error.cause))) throw error;
    }
  }
  throw conflict();
}

/** The answers that fit the questions. @throws AppError CONFLICT for other questions, INVALID_INPUT */
function checkedAnswers(
  found: OpenedEvent,
  { questionsVersion }: { questionsVersion: number },
  check: (fields: ReturnType<typeof fieldsAsked>) => ReturnType<typeof checkProfile>,
) {
  if (questionsVersion !== found.event.questionsVersion) throw conflict(REGISTRATION_MESSAGES.questionsChanged);
  const { profile, errors } = check(fieldsAsked(found));
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
  return profile;
}

/** Until the close. An answer stored before stays valid. @throws AppError NOT_FOUND, CONFLICT, INVALID_INPUT */
export async function changeAnswers(
  ctx: AppContext,
  id: string,
  sent: Parsed<typeof changeAnswersInput>,
): Promise<NewVersion> {
  return changeCase(ctx, await requireCase(ctx, DESK, "change", id), sent);
}

export async function changeCase(
  ctx: AppContext,
  row: Registration,
  sent: Parsed<typeof changeAnswersInput>,
): Promise<NewVersion> {
  const found = await eventOfCase(ctx, row);
  if (!canRead(ctx, found)) throw eventMissing();
  if (phaseOf(ctx, found) !== "open") throw conflict(REGISTRATION_MESSAGES.tooLateToChange);
  let kept = row.answers;
  const changed = checkedAnswers(found, sent, (fields) => {
    const { checked, ...result } = checkProfileChange(fields, row.answers, sent.answers);
    kept = Object.fromEntries(Object.entries(row.answers).filter(([code]) => !checked.has(code)));
    return result;
  });
  await countRegistration(ctx, row);
  const { version, questionsVersion } = sent;
  await runCommand(ctx, DESK, "change", row, {
    version,
    set: { answers: { ...kept, ...changed }, modifiedDate: ctx.now() },
    guards: [openGuard(ctx, found), questionsGuard(found, questionsVersion)],
    parts: auditRegistration(ctx, found, row.userId, { action: "event.answer" }),
  });
  return { version: version + 1 };
}

/** Until the office's last day; the first in the queue gets the place. @throws AppError NOT_FOUND, CONFLICT */
export async function cancelRegistration(
  ctx: AppContext,
  id: string,
  sent: Parsed<typeof cancelRegistrationInput>,
): Promise<NewVersion> {
  return cancelCase(ctx, await requireCase(ctx, DESK, "cancel", id), sent);
}

export async function cancelCase(
  ctx: AppContext,
  row: Registration,
  { version }: Parsed<typeof cancelRegistrationInput>,
): Promise<NewVersion> {
  const { id } = row;
  const found = await eventOfCase(ctx, row);
  if (ctx.now() > lastCancellation(found.event)) throw conflict(REGISTRATION_MESSAGES.tooLateToCancel);
  const moveUp = await prepareMoveUp(ctx, found);
  await runCommand(ctx, DESK, "cancel", row, {
    version,
    set: { modifiedDate: ctx.now() },
    parts: [
      ...moveUp(id),
      ...releaseFees(ctx, sql`${id}`),
      ...auditRegistration(ctx, found, row.userId, { action: "event.cancel" }),
    ],
  });
  return { version: version + 1 };
}

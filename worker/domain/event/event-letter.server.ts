import { asc, eq, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { board, boardItem } from "#db/schema/board.ts";
import { event, eventRegistration } from "#db/schema/event.ts";
import { idsIn } from "#db/sql.ts";
import { EVENT_LETTERS, type EventLetter, PAID_BEFORE } from "#worker/contract/event/event.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { GUEST_KEY, isNotifiable, type NewBulkMessage, queueBulkMessages } from "../mail/message.server.ts";
import { loadLetterRenderers, loadTemplateRenderer } from "../mail/render-template.server.ts";
import {
  eventOfCase,
  eventTarget,
  heldTexts,
  isHeld,
  letterFieldsOf,
  type OpenedEvent,
  whereTexts,
} from "./event-item.server.ts";
import { owedSql } from "./fee.server.ts";
import { withLetter } from "./queue.server.ts";
import { PERSON_NAME } from "./person.server.ts";
import { inEachLanguage, ticketTexts } from "./registered-letter.server.ts";

const LETTERS_PER_BATCH = 200;
const BATCHES_A_RUN = 10;

/** Marks all registrations of an event that a condition finds; the job writes to them. */
export const markForLetter = ({ db }: Pick<AppContext, "db">, letter: EventLetter, which: SQL) =>
  db
    .update(eventRegistration)
    .set({ letter: letter === "calledOff" ? letter : withLetter(letter) })
    .where(which);

/** Registrations whose next letter it is. */
const isNext = (letter: EventLetter): SQL => sql`(letter = ${letter} OR letter LIKE ${`${letter} %`})`;

const nextOf = ({ letter }: { letter: string }) => letter.split(" ")[0] as EventLetter;

/** Events whose reminder is due: at nine in the morning in Korea, before they begin. */
const isReminderDue = (now: number): SQL => sql`event.reminder_days IS NOT NULL AND event.reminded_date IS NULL
  AND EXISTS (SELECT 1 FROM ${boardItem} JOIN ${board} ON ${board.boardCode} = ${boardItem.boardCode} AND ${board.useEvents} = 1
    WHERE ${boardItem.id} = event.item_id AND ${boardItem.deletedDate} IS NULL AND ${boardItem.isEventCancelled} = 0
      AND ${boardItem.eventStart} > ${now}
      AND (${boardItem.eventStart} + 9 * 3600000) / ${DAY_MS} * ${DAY_MS} - event.reminder_days * ${DAY_MS} <= ${now})`;

async function markReminders(ctx: AppContext): Promise<void> {
  const due = isReminderDue(ctx.now().getTime());
  await ctx.db.batch([
    markForLetter(
      ctx,
      "reminder",
      sql`status = 'confirmed' AND letter = '' AND item_id IN (SELECT item_id FROM event WHERE ${due})`,
    ),
    ctx.db.update(event).set({ remindedDate: ctx.now() }).where(due),
  ]);
}

/** A verified address or number of nobody gone by the address book, and of no closed account. */
const CONTACT = sql<
  string | null
>`coalesce(nullif(${eventRegistration.guestEmail}, ''), (SELECT user_key_code FROM user_key WHERE user_key.user_id = ${user.id} AND ${user.status} = 'active'
  AND user_key_type IN ('Email', 'Mobile') AND verified_date IS NOT NULL AND ${isNotifiable(sql`"user"."id"`)}
  ORDER BY user_key_type LIMIT 1))`;

const nextRows = (ctx: AppContext) =>
  ctx.db
    .select({
      registration: eventRegistration,
      userName: PERSON_NAME.as("letter_name"),
      contact: CONTACT.as("letter_contact"),
      owed: owedSql.as("letter_owed"),
    })
    .from(eventRegistration)
    .leftJoin(user, eq(user.id, eventRegistration.userId))
    .where(sql`${eventRegistration.letter} <> ''`)
    .orderBy(asc(eventRegistration.itemId), asc(eventRegistration.turn))
    .limit(LETTERS_PER_BATCH);

type Row = Awaited<ReturnType<typeof nextRows>>[number];

/** Writes the letters of marked registrations, each once. */
export async function writeEventLetters(ctx: AppContext): Promise<void> {
  await markReminders(ctx);
  for (let batch = 0; batch < BATCHES_A_RUN; batch += 1) {
    const rows = await nextRows(ctx);
    const [first] = rows;
    if (!first) return;
    const { itemId } = first.registration;
    const letter = nextOf(first.registration);
    await writeToRows(
      ctx,
      letter,
      await eventOfCase(ctx, { itemId }),
      rows.filter(({ registration }) => registration.itemId === itemId && nextOf(registration) === letter),
    );
  }
}

const isChange = (letter: EventLetter) => letter === "moved" || letter === "calledOff";

/** Those about a change go to all whom it marked. */
const isMeant = (letter: EventLetter, found: OpenedEvent, { status }: Row["registration"]): boolean =>
  letter === "calledOff" || (isHeld(found) && (letter === "moved" ? status !== "cancelled" : status === "confirmed"));

function smsTexts(letter: EventLetter, item: OpenedEvent["item"]): Record<Language, string> {
  const { ko, en } = heldTexts(item);
  return letter === "moved" ? { ko: `${ko}로 변경`, en: `now ${en}` } : { ko: "취소", en: "cancelled" };
}

async function writeToRows(
  ctx: AppContext,
  letter: EventLetter,
  found: OpenedEvent,
  rows: readonly Row[],
): Promise<void> {
  const writers = {
    account: await loadLetterRenderers(
      ctx,
      rows.map(({ registration }) => registration.userId),
    ),
    guest: { ko: await loadTemplateRenderer(ctx), en: await loadTemplateRenderer(ctx, "en") },
  };
  const { item } = found;
  const version = String(found.event.version);
  const told = rows.filter(({ registration, contact }) => contact && isMeant(letter, found, registration));
  const messages = told.flatMap(({ registration, userName, contact, owed }): NewBulkMessage[] => {
    const { id, userId, guestEmail, language } = registration;
    const write = guestEmail ? writers.guest[language] : writers.account(userId);
    const channel = contact?.includes("@") ? "email" : "sms";
    if (channel === "sms" && !isChange(letter)) return [];
    const hasPaid = letter === "calledOff" && JSON.parse(owed ?? "{}").paid > 0;
    const noticeIn = (reader: Language) =>
      found.event[reader === "ko" ? "notice" : "englishNotice"] + (hasPaid ? `\n${PAID_BEFORE[reader]}` : "");
    const fields = {
      이름: userName,
      ...letterFieldsOf(ctx, found, registration),
      "일시와 장소": whereTexts(item),
      안내: isChange(letter) ? inEachLanguage(noticeIn) : ticketTexts(ctx, found, id),
    };
    const text =
      channel === "sms"
        ? write("eventSms", { 행사: item.title, 변경: smsTexts(letter, item) })
        : write(EVENT_LETTERS[letter], fields);
    const onceKey = `${guestEmail ? GUEST_KEY : "event"}:${letter}:${id}${isChange(letter) ? `:${version}` : ""}`;
    return [{ channel, userId, recipient: contact ?? "", ...text, onceKey, offToken: null }];
  });
  const ids = rows.map(({ registration }) => registration.id);
  const marked = sql`${idsIn(eventRegistration.id, ids)} AND ${isNext(letter)}`;
  const people = told.map(({ registration }) => registration.userId);
  await runGuardedBatch(ctx, sql`(SELECT count(*) FROM ${eventRegistration} WHERE ${marked}) = ${ids.length}`, [
    ...(people.length > 0
      ? auditPeople(ctx, { action: "event.letter", targetId: eventTarget(found), detail: { letter } }, people)
      : []),
    ...queueBulkMessages(ctx, messages),
    ctx.db
      .update(eventRegistration)
      .set({ letter: sql`ltrim(substr(letter, ${letter.length + 1}))` })
      .where(marked),
  ]);
}

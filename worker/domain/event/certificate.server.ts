import { asc, eq, sql } from "drizzle-orm";
import { user, userKey } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { type AttendedEvent, CERTIFICATE_LIMITS } from "#worker/contract/alumni/certificate.ts";
import { REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { requireOpenKind } from "../alumni/certificate-kind.server.ts";
import { issueCertificates } from "../alumni/certificate.server.ts";
import { ALUMNI_PERSON_COLUMNS } from "../alumni/row.server.ts";
import { authorizeOffice } from "../alumni/setting.server.ts";
import type { ItemPath } from "../board/view.server.ts";
import { conflict } from "../kernel/guarded-batch.server.ts";
import { authorizeEvents, daysText, eventTarget, type OpenedEvent, requireEvent } from "./event-item.server.ts";

const HOUR_MINUTES = 60;

function durationText(from: Date, to: Date): string {
  const minutes = Math.max(0, Math.round((to.getTime() - from.getTime()) / 60_000));
  const parts = [
    [Math.floor(minutes / HOUR_MINUTES), "시간"],
    [minutes % HOUR_MINUTES, "분"],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? `${count}${unit}` : [])).join(" ") || "0분";
}

type Stay = Pick<typeof eventRegistration.$inferSelect, "attendedDate" | "leftDate">;

/** The hours are those between entry and exit, or those of the event. */
function attendedTexts({ item }: OpenedEvent, { attendedDate, leftDate }: Stay): AttendedEvent {
  const start = item.eventStart ?? new Date(0);
  const end = item.eventEnd ?? start;
  return {
    행사: item.title,
    "행사 장소": item.eventPlace,
    "행사 날짜": daysText(item),
    "행사 시간": attendedDate && leftDate ? durationText(attendedDate, leftDate) : durationText(start, end),
  };
}

/** To those present who have none yet, so many at once as certificates go. @throws AppError CONFLICT, INVALID_INPUT */
export async function issueForPresent(ctx: AppContext, path: ItemPath) {
  authorizeEvents(ctx);
  authorizeOffice(ctx);
  const found = await requireEvent(ctx, path);
  const { certificateKindId } = found.event;
  if (certificateKindId === "") throw conflict(REGISTRATION_MESSAGES.noKind);
  const kind = await requireOpenKind(ctx, certificateKindId, false);
  const isDue = sql`${eventRegistration.itemId} = ${found.item.id} AND ${eventRegistration.status} = 'present'
    AND ${eventRegistration.certificateId} = ''`;
  const hasAccount = sql`EXISTS (SELECT 1 FROM user WHERE user.id = ${eventRegistration.userId} AND user.status = 'active')`;
  const [people, entries, [without]] = await ctx.db.batch([
    ctx.db
      .select({
        id: eventRegistration.id,
        userId: eventRegistration.userId,
        attendedDate: eventRegistration.attendedDate,
        leftDate: eventRegistration.leftDate,
        name: user.userName,
      })
      .from(eventRegistration)
      .innerJoin(user, eq(user.id, eventRegistration.userId))
      .where(sql`${isDue} AND ${user.status} = 'active'`)
      .orderBy(asc(user.userName), asc(eventRegistration.id))
      .limit(CERTIFICATE_LIMITS.people),
    ctx.db
      .select({ ...ALUMNI_PERSON_COLUMNS, accountId: sql<string>`${userKey.userId}`.as("account_id") })
      .from(alumni)
      .innerJoin(userKey, sql`${userKey.userKeyType} = 'Email' AND ${userKey.userKeyCode} = ${alumni.email}`)
      .where(
        sql`${userKey.verifiedDate} IS NOT NULL AND ${alumni.deletedDate} IS NULL AND ${alumni.email} <> ''
          AND ${alumni.emailHold} IS NULL
          AND ${userKey.userId} IN (SELECT ${eventRegistration.userId} FROM ${eventRegistration} WHERE ${isDue})`,
      ),
    ctx.db
      .select({ people: sql<number>`count(*)`.as("without_account") })
      .from(eventRegistration)
      .where(sql`${isDue} AND NOT ${hasAccount}`),
  ]);
  const guests = without?.people ?? 0;
  if (people.length === 0) throw conflict(REGISTRATION_MESSAGES[guests > 0 ? "guestsUncertified" : "allCertified"]);
  const subjects = people.map(({ userId, name, ...stay }) => ({
    whose: { userId },
    name,
    entry: entries.find(({ accountId }) => accountId === userId) ?? null,
    attended: attendedTexts(found, stay),
  }));
  const answer = await issueCertificates(ctx, kind, subjects, {
    purpose: found.item.title,
    detail: { kind: kind.name, event: eventTarget(found) },
    also: (issued) => {
      const pairs = JSON.stringify(
        issued.map(({ id, userId }) => [people.find((each) => each.userId === userId)?.id, id]),
      );
      const those = sql`${eventRegistration.id} IN (SELECT value ->> 0 FROM json_each(${pairs})) AND ${isDue}`;
      return {
        guards: [
          {
            holds: sql`(SELECT count(*) FROM ${eventRegistration} WHERE ${those}) = ${issued.length}`,
            error: conflict,
          },
        ],
        parts: [
          ctx.db
            .update(eventRegistration)
            .set({
              certificateId: sql`(SELECT value ->> 1 FROM json_each(${pairs}) WHERE value ->> 0 = ${eventRegistration.id})`,
            })
            .where(those),
        ],
      };
    },
  });
  const unreached = guests > 0 ? [{ cause: NO_ACCOUNT, count: guests, names: [] }] : [];
  return { ...answer, leftOut: [...answer.leftOut, ...unreached] };
}

/** They have no page from which to print one. */
const NO_ACCOUNT = "계정이 없음";

export type IssuedCertificates = View<typeof issueForPresent>;

import { asc, eq, inArray, sql } from "drizzle-orm";
import { alumni, alumniConfirmation } from "#db/schema/alumni.ts";
import { confirmationAnswer } from "#db/schema/mailing.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import { type AlumniValues, cellText } from "#worker/contract/alumni/columns.ts";
import {
  CONFIRMED_FIELDS,
  type ConfirmationKind,
  type ConfirmationView,
  type ConfirmedField,
} from "#worker/contract/alumni/confirmation-rules.ts";
import {
  type AlumniFieldCode,
  isOwnFieldCode,
  type OwnFieldCode,
  type OwnValues,
  ownValueText,
} from "#worker/contract/alumni/own-fields.ts";
import type { ImportConfirmed } from "#worker/contract/alumni/view.ts";
import { alumniSettings } from "./setting.server.ts";

type ConfirmedPerson = Pick<AlumniValues, ConfirmedField> & { id: string };

export const confirmedFields = (ctx: Pick<AppContext, "storedSettings">): ConfirmedField[] =>
  CONFIRMED_FIELDS.filter((field) => isFieldUsed(alumniSettings(ctx), field));

/** Hashes with person and field, so that equal values of two people differ in a dump. */
const hashValue = (
  ctx: Pick<AppContext, "tokens">,
  person: ConfirmedPerson & { own?: OwnValues },
  field: ConfirmedField | OwnFieldCode,
) => {
  const text = isOwnFieldCode(field) ? ownValueText(person.own?.[field]) : cellText(person[field]);
  return ctx.tokens.hash("alumniField", `${person.id}\n${field}\n${text}`).slice(0, 16);
};

/** Records the confirmed values and answers every open round, in the caller's batch. The caller authorizes. */
export function confirmAlumniStatements(
  ctx: Pick<AppContext, "db" | "tokens" | "now" | "storedSettings">,
  person: ConfirmedPerson & { own?: OwnValues },
  kind: ConfirmationKind,
  ownCodes: readonly OwnFieldCode[] = [],
) {
  const fields = [...confirmedFields(ctx), ...ownCodes];
  const hashes = Object.fromEntries(fields.map((field) => [field, hashValue(ctx, person, field)]));
  const set = { kind, confirmedDate: ctx.now(), hashes };
  return [
    ctx.db.update(alumni).set({ emailHold: null }).where(eq(alumni.id, person.id)),
    ctx.db
      .insert(alumniConfirmation)
      .values({ alumniId: person.id, ...set })
      .onConflictDoUpdate({
        target: alumniConfirmation.alumniId,
        // Keeps hashes of the office's own fields, which a round does not include.
        set: { ...set, hashes: sql`json_patch(alumni_confirmation.hashes, excluded.hashes)` },
      }),
    ctx.db
      .insert(confirmationAnswer)
      .select(
        sql`SELECT id, ${person.id}, ${kind}, ${ctx.now().getTime()} FROM confirmation_round WHERE status = 'open' AND EXISTS (
          SELECT 1 FROM mailing JOIN mailing_recipient ON mailing_recipient.mailing_id = mailing.id
          WHERE mailing.round_id = confirmation_round.id AND mailing_recipient.person_id = ${person.id})`,
      )
      .onConflictDoNothing(),
  ] as const;
}

/** Confirms for the kept entry what a merged person confirmed and it keeps, in the caller's batch. The caller authorizes. */
export async function mergeConfirmationStatements(
  ctx: Pick<AppContext, "db" | "tokens">,
  kept: ConfirmedPerson & { own: OwnValues },
  ids: readonly string[],
) {
  const rows = await ctx.db
    .select()
    .from(alumniConfirmation)
    .where(inArray(alumniConfirmation.alumniId, [...ids]))
    .orderBy(asc(alumniConfirmation.confirmedDate));
  const hashes = Object.fromEntries(
    rows.flatMap((row) =>
      (Object.keys(row.hashes) as (ConfirmedField | OwnFieldCode)[])
        .filter((field) => row.hashes[field] === hashValue(ctx, { ...kept, id: row.alumniId }, field))
        .map((field) => [field, hashValue(ctx, kept, field)]),
    ),
  );
  return rows.slice(-1).map((last) =>
    ctx.db
      .insert(alumniConfirmation)
      .values({ ...last, alumniId: kept.id, hashes })
      .onConflictDoUpdate({
        target: alumniConfirmation.alumniId,
        set: { hashes: sql`json_patch(alumni_confirmation.hashes, excluded.hashes)` },
      }),
  );
}

export const CONFIRMED_COLUMNS = sql`
  (SELECT json_object('date', confirmed_date, 'hashes', json(hashes)) FROM alumni_confirmation WHERE alumni_id = a.id) AS confirmation,
  (SELECT json_group_array(json_object('date', decided_date, 'fields', json(fields)))
    FROM alumni_correction WHERE alumni_id = a.id AND state = 'accepted') AS corrections`;

interface ConfirmedFact {
  by: ImportConfirmed["samples"][number]["by"];
  date: number;
}

/**
 * Latest confirmation of each field. @param isShown hidden fields count as confirmed, so that the answer reveals no
 * change
 */
export function readConfirmedFields(
  ctx: Pick<AppContext, "tokens">,
  person: ConfirmedPerson & { own: OwnValues },
  stored: { confirmation: string | null; corrections: string },
  isShown: (field: AlumniFieldCode) => boolean,
): Map<AlumniFieldCode, ConfirmedFact> {
  const found = new Map<AlumniFieldCode, ConfirmedFact>();
  const { date = 0, hashes = {} } = JSON.parse(stored.confirmation ?? "{}") as {
    date?: number;
    hashes?: Record<string, string>;
  };
  for (const [key, hash] of Object.entries(hashes)) {
    const field = key as ConfirmedField | OwnFieldCode;
    if (!isShown(field) || hash === hashValue(ctx, person, field)) found.set(field, { by: "person", date });
  }
  for (const { date: decided, fields } of JSON.parse(stored.corrections) as {
    date: number;
    fields: AlumniFieldCode[];
  }[])
    for (const field of fields)
      if (decided > (found.get(field)?.date ?? 0)) found.set(field, { by: "representative", date: decided });
  return found;
}

export const CONFIRMATION_COLUMN = sql<string | null>`(
  SELECT json_object('kind', kind, 'date', confirmed_date, 'hashes', json(hashes)) FROM alumni_confirmation WHERE alumni_id = alumni.id)`;

export function readConfirmation(
  ctx: Pick<AppContext, "tokens" | "storedSettings">,
  person: ConfirmedPerson,
  stored: string | null,
): ConfirmationView | null {
  if (stored === null) return null;
  const { kind, date, hashes } = JSON.parse(stored) as {
    kind: ConfirmationKind;
    date: number;
    hashes: Record<string, string>;
  };
  return {
    kind,
    date: new Date(date).toISOString(),
    changedSince: confirmedFields(ctx).filter((field) => hashes[field] !== hashValue(ctx, person, field)),
  };
}

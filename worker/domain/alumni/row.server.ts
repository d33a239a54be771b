import { alumniSettings, ownerUserIdFor, ownFields } from "./setting.server.ts";
import { readConfirmation } from "./confirmation.server.ts";
import { seenOwnValues } from "./own-value.server.ts";
import { type SQL, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { columnsOf } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import {
  type AlumniFieldCode,
  isOwnFieldCode,
  type OwnFieldKind,
  type OwnValues,
  ownValueText,
} from "#worker/contract/alumni/own-fields.ts";
import type { AlumniRow, OpenField } from "#worker/contract/alumni/view.ts";
import { isBookFieldUsed, isFieldUsed } from "#worker/contract/alumni/alumni-settings.ts";
import {
  ALUMNI_FIELDS,
  type AlumniField,
  type AlumniValues,
  EMPTY_ALUMNI_VALUES,
  PRIVATE_FIELDS,
  type PrivateField,
  withoutOfficeFields,
} from "#worker/contract/alumni/columns.ts";
import { isGone } from "#worker/contract/mail/letters.ts";
import { initialsOf, alumniSearchTexts } from "#worker/contract/alumni/search.ts";
import { can } from "../kernel/authorize.server.ts";

/** The account with the entry's e-mail address, which owns the entry unless the address is unconfirmed. */
const OWNER_USER_ID = sql<
  string | null
>`(SELECT user_id FROM user_key WHERE user_key_type = 'Email' AND user_key_code = alumni.email AND verified_date IS NOT NULL AND alumni.email_hold IS NULL)`;

/** The address that its person has proven or the office has set, where the entry's own is held; may be empty. */
export const TRUSTED_EMAIL = sql<string>`lower(coalesce(alumni.email_hold, alumni.email))`;

export const trustedAddress = ({ email, emailHold }: { email: string; emailHold: string | null }) => emailHold ?? email;

/** `email_hold` after a changed address: only a change by Alumni_Write needs no confirmation. */
export function emailHoldSql(ctx: Pick<AppContext, "actor">, next: SQL): SQL {
  if (can(ctx.actor, { action: "Alumni_Write" }))
    return sql`CASE WHEN lower(alumni.email) = lower(${next}) THEN alumni.email_hold END`;
  const trusted = sql`coalesce(alumni.email_hold, alumni.email)`;
  return sql`CASE WHEN lower(${trusted}) <> lower(${next}) THEN ${trusted} END`;
}

const VALUE_COLUMNS = Object.fromEntries(ALUMNI_FIELDS.map((field) => [field, alumni[field]])) as Pick<
  typeof alumni,
  AlumniField
>;

export const ALUMNI_PERSON_COLUMNS = {
  id: alumni.id,
  ...VALUE_COLUMNS,
  ...columnsOf(alumni, "own", "openFields", "createdDate", "modifiedDate", "version"),
  ownerUserId: OWNER_USER_ID,
};
export type AlumniPerson = AlumniValues & {
  id: string;
  own: OwnValues;
  openFields: OpenField[];
  createdDate: Date;
  modifiedDate: Date;
  version: number;
  ownerUserId: string | null;
};

const maskDigits = (value: string) => value.replace(/\d(?=[\d\s-]{4})/g, "*");

const MASKS: Record<PrivateField, (value: string) => string> = {
  email: (value) => value.replace(/^(.{1,2})[^@]*/, "$1***"),
  mobile: (value) => (value.startsWith("+") ? maskDigits(value) : value.replace(/-\d+-/, "-****-")),
  phone: maskDigits,
  zipCode: () => "",
  address: () => "",
};

/** Visible values: without unused columns, closed contacts and fields of the office; nobody who is gone has contacts. */
export function visibleValuesFor(
  ctx: Pick<AppContext, "actor" | "storedSettings">,
  person: AlumniPerson,
): AlumniValues {
  const { actor } = ctx;
  const settings = alumniSettings(ctx);
  const all = Object.fromEntries(
    ALUMNI_FIELDS.map((field) => [field, isFieldUsed(settings, field) ? person[field] : EMPTY_ALUMNI_VALUES[field]]),
  ) as unknown as AlumniValues;
  if (can(actor, { action: "Alumni_Write" })) return all;
  const values = withoutOfficeFields(all);
  if (can(actor, { action: "Alumni.ReadPrivate", ownerUserId: ownerUserIdFor(ctx, person, "read") })) return values;
  for (const field of PRIVATE_FIELDS) {
    const isOpen = settings.openable.includes(field) && person.openFields.includes(field);
    if (isGone(person)) values[field] = "";
    else if (!isOpen) values[field] = MASKS[field](values[field]);
  }
  return values;
}

const CONTACT_KINDS: readonly OwnFieldKind[] = ["phone", "email", "address"];

/** Only the person and the office see closed own fields. */
export function visibleOwnValuesFor(
  ctx: Pick<AppContext, "actor" | "storedSettings">,
  person: AlumniPerson,
): OwnValues {
  const office = can(ctx.actor, { action: "Alumni_Write" });
  const full =
    office || can(ctx.actor, { action: "Alumni.ReadPrivate", ownerUserId: ownerUserIdFor(ctx, person, "read") });
  return seenOwnValues(
    ownFields(ctx),
    person.own,
    ({ code, access, kind }) =>
      office ||
      (access !== "office" && full) ||
      (isGone(person)
        ? access === "members" && !CONTACT_KINDS.includes(kind)
        : access === "members" || (access === "openable" && person.openFields.includes(code))),
  );
}

export function visibleTextsFor(
  ctx: Pick<AppContext, "actor" | "storedSettings">,
  person: AlumniPerson,
  columns: readonly (AlumniFieldCode | "id")[],
): (string | number | null)[] {
  const values = { ...visibleValuesFor(ctx, person), id: person.id };
  const own = visibleOwnValuesFor(ctx, person);
  return columns.map((column) => {
    if (!isOwnFieldCode(column)) return values[column];
    const value = own[column];
    return typeof value === "number" ? value : ownValueText(value);
  });
}

/** Whether the person may open the field to other members at the moment. */
export function isOpenable(ctx: Pick<AppContext, "storedSettings">, field: OpenField): boolean {
  const openable = ownFields(ctx).filter(({ access }) => access === "openable");
  return (
    isBookFieldUsed(alumniSettings(ctx), openable, field) &&
    (isOwnFieldCode(field) || alumniSettings(ctx).openable.includes(field))
  );
}

/** @param confirmation value of `CONFIRMATION_COLUMN`, for the person and the office alone */
export function alumniRowView(ctx: AppContext, person: AlumniPerson & { confirmation?: string | null }): AlumniRow {
  const { actor } = ctx;
  const owner = ownerUserIdFor(ctx, person, "read");
  const full = can(actor, { action: "Alumni.ReadPrivate", ownerUserId: owner });
  return {
    id: person.id,
    ...visibleValuesFor(ctx, person),
    own: visibleOwnValuesFor(ctx, person),
    createdDate: person.createdDate.toISOString(),
    modifiedDate: person.modifiedDate.toISOString(),
    version: person.version,
    mine: actor.kind !== "guest" && owner === actor.userId,
    openFields: full ? person.openFields.filter((field) => isOpenable(ctx, field)) : [],
    ...(full && person.confirmation !== undefined
      ? { confirmation: readConfirmation(ctx, person, person.confirmation) }
      : {}),
  };
}

export function derivedColumns(values: AlumniValues, openFields: readonly OpenField[]) {
  return { initials: initialsOf(values.name), ...alumniSearchTexts(values, isGone(values) ? [] : openFields) };
}

/** Moves the revision, which invalidates imports planned before. Every write of the address book needs it. */
export const bumpAlumniRevision = (db: AppContext["db"]) =>
  db.run(
    sql`INSERT INTO alumni_state (id, revision) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET revision = revision + 1`,
  );

import { and, isNull, type SQL, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { alumni } from "#db/schema/alumni.ts";
import type { mailing, RegisteredPeople } from "#db/schema/mailing.ts";
import { idsIn } from "#db/sql.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { usedFields } from "#worker/contract/alumni/alumni-settings.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { isOwnFieldCode } from "#worker/contract/alumni/own-fields.ts";
import { advertisingAgreement, type MessageChannel } from "#worker/contract/mail/mail.ts";
import { placeholdersOf } from "#worker/contract/kernel/placeholders.ts";
import type { LetterMeans } from "#worker/contract/mail/letters.ts";
import { type MailTemplateText, renderTemplate } from "#worker/contract/mail/templates.ts";
import {
  FIXED_FIELDS,
  type MailingCause,
  mailingFields,
  type MailingSource,
} from "#worker/contract/mailing/mailing.ts";
import { isDuesColumn } from "#worker/contract/alumni/dues/dues.ts";
import type { DuesFilter } from "#worker/contract/alumni/list.ts";
import { duesPlaceholder, IS_OPEN_DUE, matchesDues, seesDues } from "../alumni/dues/person.server.ts";
import { TRUSTED_EMAIL } from "../alumni/row.server.ts";
import { alumniSettings, ownFields } from "../alumni/setting.server.ts";
import { bookForCaller } from "../alumni/filter.server.ts";
import { alumniSelectionWhere, leftOutCause } from "../alumni/segment.server.ts";
import { isConsentGivenBy } from "../mail/advertising.server.ts";
import { accountLetterCause, isNotSuspended } from "../mail/message.server.ts";
import { memberWhere } from "../member/list.server.ts";

export type Mailing = typeof mailing.$inferSelect & {
  /** Asks people to confirm their entry; stored as `roundId`. */
  isQuestion?: true;
};

/** A question alone goes to the trusted address of an entry with a held one. */
const isQuestion = ({ roundId, isQuestion: isMarked }: Mailing) => roundId !== null || isMarked === true;

export interface MailingPerson {
  personId: string;
  address: string;
  userId: string | null;
  /** The reason to leave the person out; empty if written to. */
  cause: MailingCause;
  name: string;
  [field: string]: string | null;
}

const fieldsOf = (ctx: Pick<AppContext, "storedSettings">, source: MailingSource, withDues: boolean) =>
  mailingFields(source, usedFields(alumniSettings(ctx)), ownFields(ctx), withDues);

/** The caller's placeholders. */
export const usableFields = (ctx: Pick<AppContext, "actor" | "storedSettings">, source: MailingSource) =>
  fieldsOf(ctx, source, seesDues(ctx));

export const duesFilterOf = (target: Mailing["target"]): DuesFilter | undefined =>
  "filter" in target ? (target.filter["dues"] as DuesFilter | undefined) : "dues" in target ? target.dues : undefined;

export const registeredOf = (target: Mailing["target"]) => ("registered" in target ? target.registered : undefined);

const isOfEvent = ({ itemId, statuses, isUnpaid }: RegisteredPeople) =>
  sql`event_registration.item_id = ${itemId} AND event_registration.status IN (SELECT value FROM json_each(${JSON.stringify(statuses)}))
    ${isUnpaid ? sql`AND EXISTS (SELECT 1 FROM due WHERE due.id = event_registration.id AND ${IS_OPEN_DUE})` : sql``}`;

const isRegistered = (people: RegisteredPeople, userId: SQL) =>
  sql`EXISTS (SELECT 1 FROM event_registration WHERE event_registration.user_id = ${userId} AND ${isOfEvent(people)})`;

/** People without an account, by mail only. */
const registeredGuests = (people: RegisteredPeople, channel: MessageChannel, chosen: SQL) =>
  sql`SELECT event_registration.user_id AS person_id, ${channel === "email" ? sql`guest_email` : sql`''`} AS address, event_registration.user_id AS user_id, NULL AS other_id,
    'active' AS status, '' AS letter, 0 AS held, guest_name AS name FROM event_registration
    WHERE guest_email <> '' AND ${isOfEvent(people)} AND ${chosen}`;

export const mailingText = ({ channel, subject, body, templateValues }: Mailing): MailTemplateText =>
  channel === "alimtalk"
    ? { subject, text: renderTemplate({ subject: "", text: body }, templateValues).text }
    : { subject, text: body };

/** A placeholder whose field was removed or renamed after sending is empty for every person. */
export function usedPlaceholders(ctx: Pick<AppContext, "storedSettings">, mailing: Mailing) {
  const fields = fieldsOf(ctx, mailing.source, true);
  const { subject, text } = mailingText(mailing);
  const inVariables = mailing.channel === "alimtalk" ? Object.values(mailing.templateValues) : [];
  const named = new Set([subject, text, ...inVariables].flatMap(placeholdersOf));
  return [...named]
    .filter((label) => !FIXED_FIELDS.includes(label))
    .map((label, at) => ({ label, column: fields.get(label) ?? `gone${at}` }));
}

const EMAIL_OWNER = sql`(SELECT user_id FROM user_key WHERE user_key_type = 'Email' AND user_key_code = ${TRUSTED_EMAIL} AND verified_date IS NOT NULL)`;
const MOBILE_OWNER = sql`(SELECT user_id FROM user_key WHERE user_key_type = 'Mobile' AND user_key_code = alumni.mobile AND verified_date IS NOT NULL)`;
const IS_HELD = sql`(alumni.email_hold IS NOT NULL)`;
// D1 limits patterns to 50 bytes.
const IS_MOBILE = sql`(alumni.mobile GLOB '01[016789]-*-[0-9][0-9][0-9][0-9]' AND alumni.mobile NOT GLOB '*[^0-9-]*' AND length(alumni.mobile) IN (12, 13))`;

const meansOf = (channel: MessageChannel): LetterMeans => (channel === "email" ? "email" : "sms");

const alumniAddress = (channel: MessageChannel) =>
  channel === "email"
    ? sql`${TRUSTED_EMAIL} AS address, ${EMAIL_OWNER} AS user_id, NULL AS other_id`
    : sql`iif(${IS_MOBILE}, alumni.mobile, '') AS address, coalesce(${MOBILE_OWNER}, ${EMAIL_OWNER}) AS user_id, ${EMAIL_OWNER} AS other_id`;

const memberAddress = (channel: MessageChannel) =>
  sql`coalesce((SELECT user_key_code FROM user_key WHERE user_key.user_id = "user"."id" AND user_key_type = ${channel === "email" ? "Email" : "Mobile"} AND verified_date IS NOT NULL), '')`;

/** As `ownValueText` writes it. The code is a constant, so that 40 fields take no bound parameter. */
const ownText = (code: string) =>
  sql.raw(`CASE json_type(alumni.own, '$.${code}') WHEN 'array'
    THEN (SELECT group_concat(value, ', ') FROM json_each(alumni.own, '$.${code}')) ELSE alumni.own ->> '$.${code}' END`);

const valueOf = (column: string, { target }: Mailing) =>
  isDuesColumn(column)
    ? duesPlaceholder(column, duesFilterOf(target))
    : isOwnFieldCode(column)
      ? ownText(column)
      : column in alumni
        ? sql`${alumni[column as "name"]}`
        : sql`NULL`;

const alumniColumns = (ctx: AppContext, mailing: Mailing) =>
  sql.join(
    [...new Set(["name", ...usedPlaceholders(ctx, mailing).map(({ column }) => column)])].map(
      (column) => sql`CAST(coalesce(${valueOf(column, mailing)}, '') AS TEXT) AS ${sql.identifier(column)}`,
    ),
    sql`, `,
  );

const roundCauses = (roundId: string) =>
  sql`WHEN EXISTS (SELECT 1 FROM confirmation_answer WHERE round_id = ${roundId} AND person_id = p.person_id) THEN 'answered'
      WHEN NOT EXISTS (SELECT 1 FROM confirmation_round WHERE id = ${roundId} AND status = 'open') THEN 'cancelled'`;

/** The mailing whose question this one asks. */
export const questionIdOf = ({ id, question, questionId }: Pick<Mailing, "id" | "question" | "questionId">) =>
  questionId ?? (question ? id : null);

/** Letters with a link to answer keep the hash of their token. */
export const hasLink = (row: Pick<Mailing, "id" | "question" | "questionId" | "roundId">) =>
  row.roundId !== null || questionIdOf(row) !== null;

const hasReplied = (questionId: string, person: SQL) =>
  sql`EXISTS (SELECT 1 FROM mailing_answer WHERE mailing_id = ${questionId} AND person_id = ${person})`;

const questionCauses = (ctx: Pick<AppContext, "now">, questionId: string) =>
  sql`WHEN ${hasReplied(questionId, sql`p.person_id`)} THEN 'replied'
      WHEN EXISTS (SELECT 1 FROM mailing WHERE id = ${questionId} AND answer_until < ${ctx.now().getTime()}) THEN 'closed'`;

const askedBy = (questionId: string, person: SQL) =>
  sql`${person} IN (SELECT person_id FROM mailing_recipient WHERE mailing_id = ${questionId} AND state <> 'left') AND NOT ${hasReplied(questionId, person)}`;

const askedOf = (roundId: string) =>
  sql`alumni.id IN (SELECT person_id FROM mailing JOIN mailing_recipient ON mailing_id = mailing.id WHERE round_id = ${roundId} AND wave = 0)`;

function chosenAlumni(ctx: AppContext, target: Mailing["target"], ids: readonly string[] | null): SQL | undefined {
  if (!ids && "unansweredOf" in target) return and(isNull(alumni.deletedDate), askedOf(target.unansweredOf));
  if (!ids && "unansweredTo" in target)
    return and(isNull(alumni.deletedDate), askedBy(target.unansweredTo, sql`alumni.id`));
  const named = ids ?? ("ids" in target ? target.ids : null);
  const { filter = {}, except = [] } = "filter" in target ? target : {};
  const selection = (named ? { ids: named } : { filter, except }) as ParsedAlumniSelection;
  return alumniSelectionWhere(bookForCaller(ctx, true, true), selection);
}

function chosenGuests(target: Mailing["target"], named: readonly string[] | null): SQL {
  const guest = sql`event_registration.user_id`;
  if (named) return idsIn(guest, named);
  return "unansweredTo" in target ? askedBy(target.unansweredTo, guest) : sql`1`;
}

function foundPeople(ctx: AppContext, mailing: Mailing, ids: readonly string[] | null): SQL {
  const { source, target, channel } = mailing;
  if (source === "alumni") {
    const where = chosenAlumni(ctx, target, ids);
    return sql`SELECT alumni.id AS person_id, ${alumniAddress(channel)}, 'active' AS status, ${leftOutCause(meansOf(channel))} AS letter, ${isQuestion(mailing) ? sql`0` : IS_HELD} AS held, ${alumniColumns(ctx, mailing)} FROM ${alumni} WHERE ${where}`;
  }
  const registered = registeredOf(target);
  const named = ids ?? ("ids" in target ? target.ids : null);
  const where = named
    ? idsIn(user.id, named)
    : "unansweredTo" in target
      ? askedBy(target.unansweredTo, sql`"user"."id"`)
      : registered
        ? isRegistered(registered, sql`"user"."id"`)
        : (memberWhere(("filter" in target ? target.filter : {}) as Parameters<typeof memberWhere>[0]) ?? sql`1`);
  return sql`SELECT "user"."id" AS person_id, ${memberAddress(channel)} AS address, "user"."id" AS user_id, NULL AS other_id, "user"."status" AS status, ${accountLetterCause(sql`"user"."id"`, meansOf(channel))} AS letter, 0 AS held, "user"."user_name" AS name FROM ${user} WHERE ${where}${registered ? sql` UNION ALL ${registeredGuests(registered, channel, chosenGuests(target, named))}` : sql``}`;
}

const wasNoted = (dates: SQL) =>
  sql`EXISTS (SELECT 1 FROM mail_address WHERE mail_address.address = p.address AND ${dates})`;

/** Evaluated for the preview, on sending, and again before each mail. */
export function mailingPeople(ctx: AppContext, mailing: Mailing, ids: readonly string[] | null = null): SQL {
  const isAdvertising = mailing.kind === "advertising";
  const empty = usedPlaceholders(ctx, mailing).map(({ column }) => sql`p.${sql.identifier(column)} = ''`);
  const owner = sql`p.user_id`;
  const dues = ids && duesFilterOf(mailing.target);
  const registered = ids && registeredOf(mailing.target);
  const questionId = questionIdOf(mailing);
  // A variable of an approved template must not be empty.
  const keepsEmpty = mailing.keepsEmpty && mailing.channel !== "alimtalk";
  return sql`SELECT p.*, CASE
      ${mailing.roundId ? roundCauses(mailing.roundId) : sql``}
      ${questionId ? questionCauses(ctx, questionId) : sql``}
      ${registered ? sql`WHEN NOT ${isRegistered(registered, sql`p.person_id`)} THEN 'unregistered'` : sql``}
      ${dues ? sql`WHEN NOT (${matchesDues(dues, sql`p.person_id`)}) THEN 'paid'` : sql``}
      WHEN p.letter <> '' THEN p.letter
      WHEN p.status <> 'active' AND (${Number(isAdvertising)} = 1 OR p.status <> 'waiting') THEN 'inactive'
      WHEN p.held THEN 'unproven'
      WHEN p.address = '' THEN ${mailing.channel === "email" ? "no-address" : "no-mobile"}
      WHEN ${wasNoted(sql`(refused_date IS NOT NULL OR complained_date IS NOT NULL)`)} THEN 'refused'
      WHEN ${wasNoted(sql`bounced_date IS NOT NULL`)} THEN 'bounced'
      WHEN NOT (${isNotSuspended(owner)}) OR NOT (${isNotSuspended(sql`p.other_id`)}) THEN 'suspended'
      ${isAdvertising ? sql`WHEN NOT (${isConsentGivenBy(owner, advertisingAgreement(mailing.channel))}) THEN 'no-consent'` : sql``}
      ${!keepsEmpty && empty.length > 0 ? sql`WHEN ${sql.join(empty, sql` OR `)} THEN 'empty-field'` : sql``}
      ELSE '' END AS cause
    FROM (${foundPeople(ctx, mailing, ids)}) p`;
}

/** Same, but only the first person of a shared address unless `isEach`. */
export function mailingPeopleOnce(ctx: AppContext, mailing: Mailing): SQL {
  const people = mailingPeople(ctx, mailing);
  if (mailing.isEach) return people;
  return sql`SELECT person_id, address, user_id, name, ${usedColumns(ctx, mailing)}
      CASE WHEN cause = '' AND row_number() OVER (PARTITION BY cause = '', address ORDER BY name, person_id) > 1
        THEN 'shared-address' ELSE cause END AS cause
    FROM (${people})`;
}

const usedColumns = (ctx: AppContext, mailing: Mailing) =>
  sql.join(
    usedPlaceholders(ctx, mailing)
      .filter(({ column }) => column !== "name")
      .map(({ column }) => sql`${sql.identifier(column)}, `),
  );

export const readMailingPerson = ({
  person_id: personId,
  user_id: userId,
  ...row
}: Record<string, string | null>): MailingPerson => ({
  ...row,
  personId: personId ?? "",
  userId: userId ?? null,
  address: row.address ?? "",
  name: row.name ?? "",
  cause: (row.cause ?? "") as MailingCause,
});

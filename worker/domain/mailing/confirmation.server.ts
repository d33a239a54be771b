import { eq, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { confirmationRound, mailing, mailingRecipient } from "#db/schema/mailing.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { cellText } from "#worker/contract/alumni/columns.ts";
import { maskConfirmed } from "#worker/contract/alumni/confirmation-rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { maskRecipient } from "#worker/contract/mail/rules.ts";
import { CONFIRMATION_REFUSED } from "#worker/contract/mailing/round-rules.ts";
import type { ConfirmationPage } from "#worker/contract/mailing/round-view.ts";
import { alumniSettings } from "../alumni/alumni-settings.server.ts";
import { confirmAlumniStatements, confirmedFields } from "../alumni/confirmation.server.ts";
import { ALUMNI_PERSON_COLUMNS, type AlumniPerson } from "../alumni/row.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { isNotSuspended } from "../mail/suspension-filter.server.ts";

export interface LinkedEntry {
  roundId: string;
  endDate: Date;
  /** The link's recipient address, still theirs. */
  address: string;
  person: AlumniPerson;
}

const OWNER = sql`(SELECT user_id FROM user_key WHERE user_key_type = 'Email' AND user_key_code = lower(alumni.email) AND verified_date IS NOT NULL)`;

const isLinkOpen = (ctx: Pick<AppContext, "now">) => sql`
  confirmation_round.status = 'open' AND confirmation_round.end_date > ${ctx.now().getTime()}
  AND alumni.deleted_date IS NULL AND lower(alumni.email) = mailing_recipient.address AND ${isNotSuspended(OWNER)}
  AND NOT EXISTS (SELECT 1 FROM confirmation_answer WHERE round_id = confirmation_round.id AND person_id = alumni.id)`;

/**
 * The link authorises masked lines and a confirmation only. All dead links get the same answer and count against their
 * address. @throws AppError NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function requireLink(ctx: AppContext, token: string): Promise<LinkedEntry> {
  const [row] = await ctx.db
    .select({
      roundId: confirmationRound.id,
      endDate: confirmationRound.endDate,
      address: mailingRecipient.address,
      person: ALUMNI_PERSON_COLUMNS,
    })
    .from(mailingRecipient)
    .innerJoin(mailing, eq(mailing.id, mailingRecipient.mailingId))
    .innerJoin(confirmationRound, eq(confirmationRound.id, mailing.roundId))
    .innerJoin(alumni, eq(alumni.id, mailingRecipient.personId))
    .where(sql`${mailingRecipient.linkHash} = ${sha256Base64Url(token)} AND ${isLinkOpen(ctx)}`);
  if (row?.endDate) return { ...row, endDate: row.endDate };
  await countLimits(ctx, ["confirmLinkAddress", ctx.client.address]);
  throw linkNotFound();
}

const linkNotFound = () => new AppError("NOT_FOUND", { message: CONFIRMATION_REFUSED });

export const linkStillOpen = (ctx: AppContext, token: string, version: number) => [
  {
    holds: sql`EXISTS (SELECT 1 FROM mailing_recipient JOIN mailing ON mailing.id = mailing_recipient.mailing_id
      JOIN confirmation_round ON confirmation_round.id = mailing.round_id JOIN alumni ON alumni.id = mailing_recipient.person_id
      WHERE link_hash = ${sha256Base64Url(token)} AND ${isLinkOpen(ctx)})`,
    error: linkNotFound,
  },
  {
    holds: sql`EXISTS (SELECT 1 FROM mailing_recipient JOIN alumni ON alumni.id = mailing_recipient.person_id
      WHERE link_hash = ${sha256Base64Url(token)} AND alumni.version = ${version})`,
    error: () => conflict("그사이 정보가 바뀌었습니다. 화면을 새로 열어 다시 확인해 주십시오."),
  },
];

export const isOwnerOf = (ctx: Pick<AppContext, "actor">, person: AlumniPerson) =>
  ctx.actor.kind !== "guest" && ctx.actor.userId === person.ownerUserId;

/** Changes nothing, since mail programs prefetch links. */
export async function getConfirmation(ctx: AppContext, token: string): Promise<ConfirmationPage> {
  const { person, address, endDate } = await requireLink(ctx, token);
  return {
    lines: confirmedFields(ctx)
      .map((field) => ({ field, text: maskConfirmed(field, cellText(person[field])) }))
      .filter(({ text }) => text !== ""),
    address: maskRecipient(address),
    endDate: endDate.toISOString(),
    version: person.version,
    canCorrect: alumniSettings(ctx).ownEntry === "correct",
    isOwner: isOwnerOf(ctx, person),
    hasOwner: person.ownerUserId !== null,
  };
}

export async function confirmEntry(ctx: AppContext, token: string, version: number): Promise<Record<string, never>> {
  const { person, roundId } = await requireLink(ctx, token);
  await runGuardedBatch(ctx, linkStillOpen(ctx, token, version), [
    ...confirmAlumniStatements(ctx, person, "confirmed"),
    audit(ctx, {
      action: "alumni.confirm",
      targetType: "alumni",
      targetId: person.id,
      subjectCount: 1,
      detail: { round: roundId },
    }),
  ]);
  return {};
}

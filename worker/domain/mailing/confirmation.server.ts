import { eq, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { confirmationRound, mailing, mailingRecipient } from "#db/schema/mailing.ts";
import { randomPincode, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { cellText } from "#worker/contract/alumni/columns.ts";
import { CORRECTED_FIELDS, type CorrectedField, maskConfirmed } from "#worker/contract/alumni/confirmation-rules.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { maskRecipient } from "#worker/contract/mail/mail.ts";
import { CONFIRMATION_REFUSED, MY_ENTRY_REFUSED } from "#worker/contract/mailing/round.ts";
import { alumniSettings } from "../alumni/setting.server.ts";
import { confirmAlumniStatements, confirmedFields } from "../alumni/confirmation.server.ts";
import {
  ALUMNI_PERSON_COLUMNS,
  type AlumniPerson,
  bumpAlumniRevision,
  derivedColumns,
  TRUSTED_EMAIL,
  trustedAddress,
} from "../alumni/row.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits, refundLimits } from "../kernel/limit.server.ts";
import { codeMessage, isNotSuspended, sendCodeMessage } from "../mail/message.server.ts";
import { verification } from "#db/schema/account.ts";
import { isFieldUsed, missingRequiredFields, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { correctEntryInput, openEntryInput } from "#worker/contract/mailing/input.ts";
import {
  CODE_WAIT_SECONDS,
  exchangeTriedToken,
  issueVerificationCode,
  readVerificationToken,
  tryVerificationCode,
  verificationCodeLimits,
} from "../account/verification.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";

interface LinkedEntry {
  roundId: string;
  endDate: Date;
  /** The link's recipient address, still theirs. */
  address: string;
  /** With the trusted address in place of a held one, which nobody confirms. */
  person: AlumniPerson;
  isHeld: boolean;
}

const OWNER = sql`(SELECT user_id FROM user_key WHERE user_key_type = 'Email' AND user_key_code = ${TRUSTED_EMAIL} AND verified_date IS NOT NULL)`;

const isLinkOpen = (ctx: Pick<AppContext, "now">) => sql`
  confirmation_round.status = 'open' AND confirmation_round.end_date >= ${ctx.now().getTime()}
  AND alumni.deleted_date IS NULL AND ${TRUSTED_EMAIL} = mailing_recipient.address AND ${isNotSuspended(OWNER)}
  AND NOT EXISTS (SELECT 1 FROM confirmation_answer WHERE round_id = confirmation_round.id AND person_id = alumni.id)`;

/**
 * The link authorises masked lines and a confirmation only. All dead links get the same answer and count against their
 * address. @throws AppError NOT_FOUND, TOO_MANY_REQUESTS
 */
async function requireLink(ctx: AppContext, token: string): Promise<LinkedEntry> {
  const [row] = await ctx.db
    .select({
      roundId: confirmationRound.id,
      endDate: confirmationRound.endDate,
      address: mailingRecipient.address,
      person: ALUMNI_PERSON_COLUMNS,
      emailHold: alumni.emailHold,
    })
    .from(mailingRecipient)
    .innerJoin(mailing, eq(mailing.id, mailingRecipient.mailingId))
    .innerJoin(confirmationRound, eq(confirmationRound.id, mailing.roundId))
    .innerJoin(alumni, eq(alumni.id, mailingRecipient.personId))
    .where(sql`${mailingRecipient.linkHash} = ${sha256Base64Url(token)} AND ${isLinkOpen(ctx)}`);
  if (row?.endDate) {
    const { emailHold, person, endDate, ...rest } = row;
    const email = trustedAddress({ email: person.email, emailHold });
    return { ...rest, endDate, person: { ...person, email }, isHeld: emailHold !== null };
  }
  await countLimits(ctx, ["confirmLinkAddress", ctx.client.address]);
  throw linkNotFound();
}

const linkNotFound = () => new AppError("NOT_FOUND", { message: CONFIRMATION_REFUSED });

const linkStillOpen = (ctx: AppContext, token: string, version: number) => [
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

const isOwnerOf = (ctx: Pick<AppContext, "actor">, person: AlumniPerson) =>
  ctx.actor.kind !== "guest" && ctx.actor.userId === person.ownerUserId;

/** Changes nothing, since mail programs prefetch links. */
export async function getConfirmation(ctx: AppContext, token: string) {
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

export type ConfirmationPage = View<typeof getConfirmation>;

/** Puts the trusted address back, in the batch of the confirmation that ends the hold. */
const restoreAddressStatements = (ctx: AppContext, person: AlumniPerson) =>
  [
    ctx.db
      .update(alumni)
      .set({
        email: person.email,
        ...derivedColumns(person, person.openFields),
        modifiedDate: ctx.now(),
        version: person.version + 1,
      })
      .where(eq(alumni.id, person.id)),
    bumpAlumniRevision(ctx.db),
  ] as const;

/** Confirms the shown lines; a held address is dropped. */
export async function confirmEntry(ctx: AppContext, token: string, version: number): Promise<Record<string, never>> {
  const { person, roundId, isHeld } = await requireLink(ctx, token);
  await runGuardedBatch(ctx, linkStillOpen(ctx, token, version), [
    ...(isHeld ? restoreAddressStatements(ctx, person) : []),
    ...confirmAlumniStatements(ctx, person, "confirmed"),
    audit(ctx, {
      action: "alumni.confirm",
      targetId: person.id,
      subjectCount: 1,
      detail: { round: roundId },
    }),
  ]);
  return {};
}

/** @throws AppError NOT_FOUND, FORBIDDEN */
async function requireCorrectable(ctx: AppContext, token: string): Promise<LinkedEntry> {
  const entry = await requireLink(ctx, token);
  if (alumniSettings(ctx).ownEntry !== "correct") throw new AppError("FORBIDDEN", { message: MY_ENTRY_REFUSED });
  return entry;
}

const usedFields = (ctx: AppContext) => CORRECTED_FIELDS.filter((field) => isFieldUsed(alumniSettings(ctx), field));

/**
 * Sends a code to the link's address, so that a forwarded link is not enough. @throws AppError TOO_MANY_REQUESTS,
 * UPSTREAM_UNAVAILABLE
 */
export async function sendEntryCode(ctx: AppContext, token: string) {
  const { address, person } = await requireCorrectable(ctx, token);
  const key = { userKeyType: "Email" as const, userKeyCode: address };
  const limits = verificationCodeLimits(ctx, key, "entry");
  await countLimits(ctx, ...limits);
  const pincode = randomPincode();
  const write = await loadTemplateRenderer(ctx);
  try {
    const sealed = { purpose: "entry" as const, ...key, userId: null, personId: person.id };
    const issued = await issueVerificationCode(ctx, sealed, pincode);
    const text = codeMessage(write, "email", pincode, "정보 확인 화면");
    await sendCodeMessage(ctx, { channel: "email", recipient: address, userId: person.ownerUserId, ...text }, pincode);
    const resendSeconds = CODE_WAIT_SECONDS;
    return { codeToken: issued.token, expiresDate: issued.expiresDate.toISOString(), resendSeconds };
  } catch (cause) {
    await refundLimits(ctx, ...limits.slice(0, 3));
    throw new AppError("UPSTREAM_UNAVAILABLE", { message: UI_MESSAGES.pincodeSendFailed, cause });
  }
}

export async function openEntry(ctx: AppContext, token: string, { codeToken, pincode }: Parsed<typeof openEntryInput>) {
  const { person, address, roundId } = await requireCorrectable(ctx, token);
  let proof: string | null = null;
  if (!isOwnerOf(ctx, person)) {
    if (!codeToken || !pincode) throw new AppError("PINCODE_EXPIRED");
    const sealed = await tryVerificationCode(ctx, codeToken, pincode, "entry");
    if (sealed.personId !== person.id || sealed.userKeyCode !== address) throw new AppError("PINCODE_EXPIRED");
    proof = await exchangeTriedToken(ctx, codeToken, { ...sealed, purpose: "entryVerified" });
  }
  await audit(ctx, {
    action: "alumni.confirm.open",
    targetType: "alumni",
    targetId: person.id,
    subjectCount: 1,
    detail: { round: roundId },
  }).run();
  return {
    proof,
    version: person.version,
    values: Object.fromEntries(usedFields(ctx).map((field) => [field, person[field]])),
  };
}

/** Shown only after a second proof. */
export type OpenEntry = View<typeof openEntry>;

export async function correctEntry(
  ctx: AppContext,
  token: string,
  { proof = "", version, ...given }: Parsed<typeof correctEntryInput>,
): Promise<Record<string, never>> {
  const { person, address, roundId } = await requireCorrectable(ctx, token);
  const isOwner = isOwnerOf(ctx, person);
  if (!isOwner) {
    const sealed = await readVerificationToken(ctx, proof, "entryVerified");
    if (sealed?.personId !== person.id || sealed.userKeyCode !== address) throw new AppError("PINCODE_EXPIRED");
  }
  const wanted = usedFields(ctx).flatMap((field): [CorrectedField, string][] => {
    const value = given[field];
    return value === undefined ? [] : [[field, value]];
  });
  const set = Object.fromEntries(wanted);
  const missed = missingRequiredFields(alumniSettings(ctx).required, set);
  if (missed.length > 0)
    throw invalidInput(Object.fromEntries(missed.map((field) => [field, requiredFieldMessage(field)])));
  const changed = wanted.filter(([field, value]) => person[field] !== value).map(([field]) => field);
  const values = { ...person, ...set };
  const now = ctx.now();
  const isProofOpen = sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${sha256Base64Url(proof)}
    AND purpose = 'entryVerified' AND used_date IS NULL AND expires_date > ${now.getTime()})`;
  const guards = [
    ...linkStillOpen(ctx, token, version),
    ...(isOwner ? [] : [{ holds: isProofOpen, error: () => new AppError("PINCODE_EXPIRED") }]),
  ];
  await runGuardedBatch(ctx, guards, [
    ctx.db
      .update(alumni)
      .set({
        email: person.email,
        ...set,
        ...derivedColumns(values, person.openFields),
        modifiedDate: now,
        version: version + 1,
      })
      .where(eq(alumni.id, person.id)),
    bumpAlumniRevision(ctx.db),
    ctx.db
      .update(verification)
      .set({ usedDate: now })
      .where(eq(verification.tokenHash, sha256Base64Url(proof))),
    ...confirmAlumniStatements(ctx, values, changed.length > 0 ? "changed" : "confirmed"),
    audit(ctx, {
      action: "alumni.update",
      targetId: person.id,
      subjectCount: 1,
      detail: { fields: changed, own: true, round: roundId },
    }),
  ]);
  return {};
}

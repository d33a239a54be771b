import { eq, sql } from "drizzle-orm";
import { alumni } from "#db/schema/alumni.ts";
import { verification } from "#db/schema/account.ts";
import { randomPincode, sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { isFieldUsed, missingRequiredFields, requiredFieldMessage } from "#worker/contract/alumni/alumni-settings.ts";
import { CORRECTED_FIELDS, type CorrectedField } from "#worker/contract/alumni/confirmation-rules.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { CorrectEntryInput, OpenEntryInput } from "#worker/contract/mailing/round-input.ts";
import { MY_ENTRY_REFUSED } from "#worker/contract/mailing/round-rules.ts";
import type { OpenEntry } from "#worker/contract/mailing/round-view.ts";
import {
  exchangeTriedToken,
  issueVerificationCode,
  readVerificationToken,
  tryVerificationCode,
} from "../account/verification.server.ts";
import { CODE_WAIT_SECONDS, verificationCodeLimits } from "../account/verification-limit.server.ts";
import { codeMessage } from "../mail/owner-message.server.ts";
import { alumniSettings } from "../alumni/alumni-settings.server.ts";
import { confirmAlumniStatements } from "../alumni/confirmation.server.ts";
import { bumpAlumniRevision, derivedColumns } from "../alumni/row.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { countLimits, refundLimits } from "../kernel/limit.server.ts";
import { sendCodeMessage } from "../mail/message.server.ts";
import { loadTemplateRenderer } from "../mail/render-template.server.ts";
import { isOwnerOf, type LinkedEntry, linkStillOpen, requireLink } from "./confirmation.server.ts";

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

export async function openEntry(
  ctx: AppContext,
  token: string,
  { codeToken, pincode }: OpenEntryInput,
): Promise<OpenEntry> {
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

export async function correctEntry(
  ctx: AppContext,
  token: string,
  { proof = "", version, ...given }: CorrectEntryInput,
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
  await runGuardedBatch(
    ctx,
    [
      ...linkStillOpen(ctx, token, version),
      ...(isOwner ? [] : [{ holds: isProofOpen, error: () => new AppError("PINCODE_EXPIRED") }]),
    ],
    [
      ctx.db
        .update(alumni)
        .set({ ...set, ...derivedColumns(values, person.openFields), modifiedDate: now, version: version + 1 })
        .where(eq(alumni.id, person.id)),
      bumpAlumniRevision(ctx.db),
      ctx.db
        .update(verification)
        .set({ usedDate: now })
        .where(eq(verification.tokenHash, sha256Base64Url(proof))),
      ...confirmAlumniStatements(ctx, values, changed.length > 0 ? "changed" : "confirmed"),
      audit(ctx, {
        action: "alumni.update",
        targetType: "alumni",
        targetId: person.id,
        subjectCount: 1,
        detail: { fields: changed, own: true, round: roundId },
      }),
    ],
  );
  return {};
}

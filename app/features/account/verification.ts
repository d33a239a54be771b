import { TOKENS } from "#worker/contract/kernel/limits.ts";
import { normaliseUserKey, type UserKeyType } from "#worker/contract/account/rules.ts";

export type AddressType = Exclude<UserKeyType, "Id">;
export const RESEND_MS = 60_000;

/** How far the proof of one address has come; it holds for that address alone. Times by the visitor's own clock. */
export interface Verification {
  userKeyCode: string;
  userKeyToken: string;
  isVerified: boolean;
  sentAt: number;
  expiresAt: number;
}

export function codeSent(userKeyCode: string, userKeyToken: string, now: number): Verification {
  return {
    userKeyCode,
    userKeyToken,
    isVerified: false,
    sentAt: now,
    expiresAt: now + TOKENS.pincodeTtlSeconds * 1000,
  };
}

export function codeConfirmed(sent: Verification, userKeyToken: string, now: number): Verification {
  return { ...sent, userKeyToken, isVerified: true, expiresAt: now + TOKENS.verifiedTtlSeconds * 1000 };
}

/** The proof as far as it is good for what stands in the field now. */
export function proofFor(
  type: AddressType,
  value: string,
  verification: Verification | null,
  now: number,
): Verification | null {
  if (!verification || verification.expiresAt <= now) return null;
  return verification.userKeyCode === normaliseUserKey(type, value) ? verification : null;
}

/** 09:59 */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

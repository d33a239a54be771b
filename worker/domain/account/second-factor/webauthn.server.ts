import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import {
  cose,
  decodeAttestationObject,
  decodeClientDataJSON,
  decodeCredentialPublicKey,
} from "@simplewebauthn/server/helpers";
import type { secondFactor } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor.ts";
import type { AssertionResponse, RegistrationResponse } from "#worker/contract/account/second-factor-input.ts";
import { type ChallengeUse, consumeOnce, createChallenge, isOwnChallenge, passkeyError } from "./challenge.server.ts";

/** ES256, and RS256 for Windows Hello on older machines, each with its key type. */
const KEY_KINDS = new Map<number, number>([
  [-7, cose.COSEKTY.EC2],
  [-257, cose.COSEKTY.RSA],
]);
const ALGORITHMS = [...KEY_KINDS.keys()];

type FactorRow = typeof secondFactor.$inferSelect;
type Transport = NonNullable<PublicKeyCredentialRequestOptionsJSON["allowCredentials"]>[number]["transports"];

const relyingPartyOf = (ctx: AppContext) => new URL(ctx.origin).hostname;

export function passkeyCreationOptions(
  ctx: AppContext,
  person: { sessionId: string; userId: string; userName: string; signinKey: string; siteName: string },
  factors: readonly FactorRow[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: person.siteName,
    rpID: relyingPartyOf(ctx),
    userID: Uint8Array.from(Buffer.from(person.userId)),
    userName: person.signinKey,
    userDisplayName: person.userName,
    challenge: createChallenge(ctx, { purpose: "register", subject: person.sessionId }),
    attestationType: "none",
    excludeCredentials: descriptorsOf(factors),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: SECOND_FACTOR_LIMITS.challengeMs,
  });
}

/** @param factors of a known person; none for a sign-in by passkey alone */
export function passkeyRequestOptions(ctx: AppContext, use: ChallengeUse, factors: readonly FactorRow[]) {
  return generateAuthenticationOptions({
    rpID: relyingPartyOf(ctx),
    challenge: createChallenge(ctx, use),
    allowCredentials: descriptorsOf(factors),
    userVerification: "required",
    timeout: SECOND_FACTOR_LIMITS.challengeMs,
  });
}

const descriptorsOf = (factors: readonly FactorRow[]) =>
  factors.flatMap(({ credentialId, transports }) =>
    credentialId ? [{ id: credentialId, transports: (transports ?? []) as NonNullable<Transport> }] : [],
  );

/** Validates a new passkey. @throws AppError INVALID_INPUT unless it was made now, for this session and on this site */
export async function readNewPasskey(ctx: AppContext, sessionId: string, response: RegistrationResponse) {
  const use: ChallengeUse = { purpose: "register", subject: sessionId };
  const wrong = invalidInput({ response: SECOND_FACTOR_MESSAGES.passkeyWrong });
  const challenge = await takeChallenge(ctx, use, response.response.clientDataJSON);
  if (!challenge || hasForeignAttestation(response.response.attestationObject)) throw wrong;
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: ctx.origin,
    expectedRPID: relyingPartyOf(ctx),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) throw wrong;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const key = decodeCredentialPublicKey(publicKey);
  // Registration has no signature, so a key of the wrong type would lock its owner out later.
  if (key.get(cose.COSEKEYS.kty) !== KEY_KINDS.get(key.get(cose.COSEKEYS.alg) ?? 0)) throw wrong;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports: response.response.transports.filter((each) => /^[a-z-]{2,20}$/.test(each)),
  };
}

/** Attestation is refused, because checking it would fetch URLs chosen by the sender. */
function hasForeignAttestation(attestationObject: string): boolean {
  try {
    const decoded = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, "base64url")));
    const format = decoded.get("fmt");
    return format !== "none" && !(format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
  } catch {
    return true;
  }
}

/** Verifies an assertion and returns its signature counter. @throws AppError INVALID_CREDENTIAL for every defect */
export async function verifyAssertion(
  ctx: AppContext,
  use: ChallengeUse,
  factor: FactorRow,
  response: AssertionResponse,
): Promise<{ counter: number }> {
  const { credentialId, publicKey, counter, userId } = factor;
  if (!credentialId || !publicKey || response.id !== credentialId) throw passkeyError();
  const { userHandle } = response.response;
  if (userHandle !== undefined && Buffer.from(userHandle, "base64url").toString() !== userId) throw passkeyError();
  const challenge = await takeChallenge(ctx, use, response.response.clientDataJSON);
  const key = Uint8Array.from(Buffer.from(publicKey, "base64url"));
  const isEc = decodeCredentialPublicKey(key).get(cose.COSEKEYS.kty) === cose.COSEKTY.EC2;
  if (!challenge || (isEc && !isStrictDer(Buffer.from(response.response.signature, "base64url")))) throw passkeyError();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: ctx.origin,
    expectedRPID: relyingPartyOf(ctx),
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: key, counter },
  }).catch((cause: unknown) => {
    throw passkeyError(cause);
  });
  if (!verified.verified) throw passkeyError();
  return { counter: verified.authenticationInfo.newCounter };
}

/** Accepts exactly two canonical integers; the library is less strict. */
function isStrictDer(bytes: Buffer): boolean {
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
  let at = 2;
  for (let part = 0; part < 2; part += 1) {
    const length = bytes[at + 1] ?? 0;
    const [first = 0x80, second = 0] = bytes.subarray(at + 2, at + 2 + length);
    if (bytes[at] !== 2 || length > 33 || first >= 0x80 || (first === 0 && second < 0x80)) return false;
    at += 2 + length;
  }
  return at === bytes.length;
}

async function takeChallenge(ctx: AppContext, use: ChallengeUse, clientDataJSON: string): Promise<string | null> {
  let said: { challenge?: unknown; crossOrigin?: unknown };
  try {
    said = decodeClientDataJSON(clientDataJSON);
  } catch {
    return null;
  }
  // The site is never embedded in a frame of another origin.
  if (typeof said?.challenge !== "string" || said.crossOrigin === true) return null;
  if (!isOwnChallenge(ctx, use, said.challenge)) return null;
  return (await consumeOnce(ctx, said.challenge, SECOND_FACTOR_LIMITS.challengeMs)) ? said.challenge : null;
}

import jwt from "@tsndr/cloudflare-worker-jwt";
import { TOKEN_LIMITS } from "#worker/contract/kernel/token-limits.ts";
import type { UserType } from "#worker/contract/kernel/permissions.ts";
import { keyedHash, isSameSecret } from "./secrets.server.ts";

export interface AccessClaims {
  sub: string;
  sid: string;
  userType: UserType;
  roleCode: string;
  iat: number;
  exp: number;
}

const ISSUER = "hoewon";
const AUDIENCE = "api";
/** The last character of 32 bytes has two spare bits; zero bits make the spelling unique. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const TOKEN_MAX_LENGTH = 2000;

const CLOCK_SKEW_SECONDS = 10;

/** Refuses headers with `crit` or `kid`, which are not supported. */
const isOwnHeader = (header: object) =>
  Object.entries(header).every(
    ([key, value]) => (key === "alg" && value === "HS256") || (key === "typ" && value === "JWT"),
  ) && "alg" in header;

interface KnownSecret {
  key: CryptoKey;
  signed: Map<string, AccessClaims>;
}
const knownSecrets = new Map<string, KnownSecret>();
const SIGNED_MAX = 1000;

/** Caches the key: importing costs as much as verifying, which each member request does. */
async function knownSecret(secret: string): Promise<KnownSecret> {
  const known = knownSecrets.get(secret);
  if (known) return known;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, [
    "sign",
    "verify",
  ]);
  const added = { key, signed: new Map<string, AccessClaims>() };
  knownSecrets.set(secret, added);
  return added;
}

/** The library accepts a missing exp, a fourth segment and padding, and throws on garbage. */
async function readSigned(token: string, secret: string): Promise<AccessClaims | null> {
  if (token.length > TOKEN_MAX_LENGTH || !TOKEN_PATTERN.test(token)) return null;
  const { key, signed } = await knownSecret(secret);
  const known = signed.get(token);
  if (known) return known;
  try {
    const verified = await jwt.verify(token, key, { algorithm: "HS256", throwError: false });
    if (!verified || !isOwnHeader(verified.header)) return null;
    const claims = verified.payload as Record<string, unknown>;
    const { sub, sid, userType, roleCode, iat, exp } = claims;
    if (claims.iss !== ISSUER || claims.aud !== AUDIENCE || claims.typ !== "access") return null;
    if (typeof sub !== "string" || typeof sid !== "string" || typeof roleCode !== "string") return null;
    if (userType !== "Member" && userType !== "Admin") return null;
    if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return null;
    const found = { sub, sid, userType, roleCode, iat: iat as number, exp: exp as number } as const;
    if (signed.size >= SIGNED_MAX) signed.clear();
    signed.set(token, found);
    return found;
  } catch {
    return null;
  }
}

export interface TokenSigner {
  /** @returns a JWT valid for 30 minutes from `now` */
  signAccess(claims: Pick<AccessClaims, "sub" | "sid" | "userType" | "roleCode">, now: Date): Promise<string>;
  /** Null for an invalid or expired token; never throws. */
  verifyAccess(token: string, now: Date): Promise<AccessClaims | null>;
  hash(purpose: string, value: string): string;
  sign(purpose: string, payload: string): string;
  unsign(purpose: string, signed: string): string | null;
}

export function createTokenSigner(secrets: { JWT_SECRET: string; SIGNING_SECRET: string }): TokenSigner {
  const hash = (purpose: string, value: string) => keyedHash(secrets.SIGNING_SECRET, purpose, value);
  return {
    async signAccess(claims, now) {
      const iat = Math.floor(now.getTime() / 1000);
      return jwt.sign(
        {
          ...claims,
          typ: "access",
          jti: crypto.randomUUID(),
          iat,
          exp: iat + TOKEN_LIMITS.accessTtlSeconds,
          iss: ISSUER,
          aud: AUDIENCE,
        },
        (await knownSecret(secrets.JWT_SECRET)).key,
        { algorithm: "HS256" },
      );
    },
    async verifyAccess(token, now) {
      const claims = await readSigned(token, secrets.JWT_SECRET);
      if (!claims) return null;
      const seconds = now.getTime() / 1000;
      if (claims.exp <= seconds || claims.exp - claims.iat > TOKEN_LIMITS.accessTtlSeconds) return null;
      return claims.iat > seconds + CLOCK_SKEW_SECONDS ? null : claims;
    },
    hash,
    sign(purpose, payload) {
      return `${payload}.${hash(purpose, payload)}`;
    },
    unsign(purpose, signed) {
      const at = signed.lastIndexOf(".");
      if (at < 1) return null;
      const payload = signed.slice(0, at);
      return isSameSecret(signed.slice(at + 1), hash(purpose, payload)) ? payload : null;
    },
  };
}

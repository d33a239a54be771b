import crypto, { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** scrypt within workerd's cap N*r*p <= 2^20; 16 MiB, about 160 ms. Stored with each hash, so they can rise. */
export const SCRYPT_PARAMETERS = { N: 2 ** 14, r: 8, p: 5, keyBytes: 32, saltBytes: 16 } as const;
const PREFIX = `scrypt$${SCRYPT_PARAMETERS.N}$${SCRYPT_PARAMETERS.r}$${SCRYPT_PARAMETERS.p}`;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;

function deriveKey(password: string, salt: Buffer, cost: { N: number; r: number; p: number }, pepper: string): Buffer {
  const key = crypto.scryptSync(password, salt, SCRYPT_PARAMETERS.keyBytes, { ...cost, maxmem: MAX_MEMORY_BYTES });
  return createHmac("sha256", pepper).update(key).digest();
}

export function hashPassword(password: string, pepper: string): string {
  const salt = randomBytes(SCRYPT_PARAMETERS.saltBytes);
  const hash = deriveKey(password, salt, SCRYPT_PARAMETERS, pepper);
  return `${PREFIX}$${salt.toString("base64url")}$${hash.toString("base64url")}$pep1`;
}

/** False for a wrong password and for a hash that cannot be read; costs the same either way. */
export function verifyPassword(password: string, stored: string, pepper: string): boolean {
  const [, N, r, p, salt, hash] = stored.split("$");
  if (!salt || !hash) {
    deriveKey(password, Buffer.alloc(SCRYPT_PARAMETERS.saltBytes), SCRYPT_PARAMETERS, pepper);
    return false;
  }
  const actual = deriveKey(
    password,
    Buffer.from(salt, "base64url"),
    { N: Number(N), r: Number(r), p: Number(p) },
    pepper,
  );
  const expected = Buffer.from(hash, "base64url");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`${PREFIX}$`);
}

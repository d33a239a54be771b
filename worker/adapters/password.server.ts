import crypto, { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import Argon2, { Argon2Type } from "@phi-ag/argon2";
import { argon2Instance } from "#argon2";
import { matchesOldPassword, OLD_PASSWORD_LIMITS, oldPasswordKind } from "./old-password.server.ts";
import { keyedHash, sealText, unsealText } from "./secrets.server.ts";

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane; about 30 ms. Stored with each hash. */
export const ARGON2_PARAMETERS = {
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  hashLength: 32,
  saltBytes: 16,
} as const;
const { memoryCost, timeCost, parallelism, hashLength, saltBytes } = ARGON2_PARAMETERS;
const PREFIX = `argon2id$${memoryCost}$${timeCost}$${parallelism}`;
/** Marks hashes from before peppers had names. */
const UNNAMED_PEPPER = "pep1";
const SCRYPT_MEMORY_BYTES = 64 * 1024 * 1024;

interface PepperSecrets {
  PASSWORD_PEPPER: string;
  PASSWORD_PEPPER_OLD: readonly string[];
}

/** The current pepper, then earlier ones, which apply until their owners sign in. */
export const peppersOf = (secrets: PepperSecrets): readonly string[] => [
  secrets.PASSWORD_PEPPER,
  ...secrets.PASSWORD_PEPPER_OLD,
];

/** The pepper's name, stored with each hash. It is derived from the secret, so no number has to match. */
export const pepperName = (pepper: string): string => `pep-${keyedHash(pepper, "pepper name", "").slice(0, 8)}`;

let argon2: Argon2 | undefined;

interface Cost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

function argon2Key(password: string, salt: Buffer, cost: Cost): Uint8Array {
  argon2 ??= new Argon2(argon2Instance());
  // The library takes the number of characters for the number of bytes; in base64 both are equal.
  const text = Buffer.from(password, "utf8").toString("base64url");
  return argon2.hash(text, { ...cost, salt, hashLength, type: Argon2Type.Argon2id }).hash;
}

const scryptKey = (password: string, salt: Buffer, [N = 0, r = 0, p = 0]: readonly number[]): Uint8Array =>
  crypto.scryptSync(password, salt, hashLength, { N, r, p, maxmem: SCRYPT_MEMORY_BYTES });

const seasoned = (key: Uint8Array, pepper: string) => createHmac("sha256", pepper).update(key).digest();

export function hashPassword(password: string, pepper: string): string {
  const salt = randomBytes(saltBytes);
  const hash = seasoned(argon2Key(password, salt, ARGON2_PARAMETERS), pepper);
  return `${PREFIX}$${salt.toString("base64url")}$${hash.toString("base64url")}$${pepperName(pepper)}`;
}

/** False for a wrong password and for an unreadable hash, which costs as much as a new hash. */
export function verifyPassword(password: string, stored: string, peppers: readonly string[]): boolean {
  if (!isImportedPassword(stored)) return matchesOwnHash(password, stored, peppers);
  const old = unsealImported(stored, peppers);
  if (old !== null && OWN_HASH.test(old)) return matchesOwnHash(password, old, peppers);
  if (old !== null && matchesOldPassword(password, old)) return true;
  // Most old kinds cost nothing: the time of a wrong guess must not reveal who never signed in.
  argon2Key(password, Buffer.alloc(saltBytes), ARGON2_PARAMETERS);
  return false;
}

function matchesOwnHash(password: string, stored: string, peppers: readonly string[]): boolean {
  const [kind, ...parts] = stored.split("$");
  const [salt, hash, name] = parts.slice(3).map((part, at) => (at < 2 ? Buffer.from(part, "base64url") : part));
  const numbers = parts.slice(0, 3).map(Number);
  const known = peppers.filter((pepper) => name === UNNAMED_PEPPER || name === pepperName(pepper));
  const isReadable = salt instanceof Buffer && hash instanceof Buffer && known.length > 0;
  if (!isReadable || (kind !== "argon2id" && kind !== "scrypt")) {
    argon2Key(password, Buffer.alloc(saltBytes), ARGON2_PARAMETERS);
    return false;
  }
  const [m = 0, t = 0, lanes = 0] = numbers;
  const key =
    kind === "scrypt"
      ? scryptKey(password, salt, numbers)
      : argon2Key(password, salt, { memoryCost: m, timeCost: t, parallelism: lanes });
  return known.some((pepper) => {
    const actual = seasoned(key, pepper);
    return actual.length === hash.length && timingSafeEqual(actual, hash);
  });
}

export function needsRehash(stored: string, pepper: string): boolean {
  return !stored.startsWith(`${PREFIX}$`) || !stored.endsWith(`$${pepperName(pepper)}`);
}

const IMPORTED = "imported$";
const IMPORTED_PURPOSE = "imported-password";

/** Encrypts an old site's hash: many kinds are cracked within minutes from a stolen table. */
export const importedPassword = (oldHash: string, pepper: string): string =>
  IMPORTED + sealText(pepper, IMPORTED_PURPOSE, "", oldHash);

export const isImportedPassword = (stored: string): boolean => stored.startsWith(IMPORTED);

function unsealImported(stored: string, peppers: readonly string[]): string | null {
  for (const pepper of peppers) {
    const hash = unsealText(pepper, IMPORTED_PURPOSE, "", stored.slice(IMPORTED.length));
    if (hash !== null) return hash;
  }
  return null;
}

const OWN_HASH = /^argon2id\$(\d{1,6})\$(\d{1,2})\$(\d{1,2})\$[\w-]{22}\$[\w-]{43}\$(pep-[\w-]{8})$/;

export const isPortablePassword = (stored: string): boolean => isImportedPassword(stored) || OWN_HASH.test(stored);

/** A hash from an archive; null if its kind is unknown or its pepper is missing. */
type ArrivingPassword = { kind: string; hash: string } | { kind: "unknown" | "pepper"; hash: null };

export function readArrivingPassword(given: string, peppers: readonly string[]): ArrivingPassword {
  const hash = isImportedPassword(given) ? unsealImported(given, peppers) : given;
  if (hash === null) return { kind: "pepper", hash };
  const [, memory, passes, lanes, name] = OWN_HASH.exec(hash) ?? [];
  if (name === undefined) {
    const kind = oldPasswordKind(hash);
    return kind === null ? { kind: "unknown", hash: null } : { kind, hash };
  }
  const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
  const isBounded =
    p >= 1 &&
    t >= 1 &&
    m >= 8 * p &&
    p <= OLD_PASSWORD_LIMITS.argon2Lanes &&
    m <= OLD_PASSWORD_LIMITS.argon2MemoryKiB &&
    m * t <= OLD_PASSWORD_LIMITS.argon2Work;
  if (!isBounded) return { kind: "unknown", hash: null };
  return peppers.some((pepper) => pepperName(pepper) === name) ? { kind: "own", hash } : { kind: "pepper", hash: null };
}

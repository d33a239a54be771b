import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from "node:crypto";
import { compareSync } from "bcryptjs";
import Argon2 from "@phi-ag/argon2";
import { argon2Instance } from "#argon2";

// Verifies password hashes of gnuboard, Rhymix, XE, Zeroboard and WordPress for a first sign-in, which replaces them.

/** Limits the cost of a stored hash: the author of an archive chooses its parameters. */
export const OLD_PASSWORD_LIMITS = {
  pbkdf2Iterations: 131_072,
  bcryptCost: 12,
  argon2MemoryKiB: 65_536,
  /** Memory times passes: PHP's default. */
  argon2Work: 65_536 * 4,
  argon2Lanes: 4,
  /** Powers of two. */
  phpassRounds: 16,
  drupalRounds: 17,
} as const;

/** WebCrypto and node:crypto refuse more on Workers. */
const NATIVE_PBKDF2_ITERATIONS = 100_000;
const KEY_BYTES = { min: 12, max: 64 } as const;
const ITOA64 = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const digest = (algorithm: string, value: string | Uint8Array) => createHash(algorithm).update(value).digest();
const hex = (algorithm: string, value: string | Uint8Array) => digest(algorithm, value).toString("hex");

interface OldHash {
  kind: string;
  pattern: RegExp;
  isBounded?(parts: RegExpExecArray): boolean;
  matches(password: string, parts: RegExpExecArray): boolean;
}

const isSameText = (actual: string, stored: string): boolean => {
  const left = Buffer.from(actual);
  const right = Buffer.from(stored);
  return left.length === right.length && timingSafeEqual(left, right);
};

const isSameDigest = (algorithm: string) => (password: string, parts: RegExpExecArray) =>
  isSameText(hex(algorithm, password), parts[0].toLowerCase());

/** The first match decides the kind; forms that look alike share an entry. */
const OLD_HASHES: readonly OldHash[] = [
  {
    kind: "argon2",
    pattern:
      /^\$argon2(id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{16,88})$/,
    isBounded([, , memory, passes, lanes]) {
      const [m, t, p] = [Number(memory), Number(passes), Number(lanes)];
      return (
        p >= 1 &&
        t >= 1 &&
        p <= OLD_PASSWORD_LIMITS.argon2Lanes &&
        m >= 8 * p &&
        m <= OLD_PASSWORD_LIMITS.argon2MemoryKiB &&
        m * t <= OLD_PASSWORD_LIMITS.argon2Work
      );
    },
    matches: matchesArgon2,
  },
  {
    kind: "bcrypt",
    pattern: /^\$2[abxy]\$(\d{2})\$[./A-Za-z0-9]{53}$/,
    isBounded: ([, cost]) => isBcryptBounded(cost),
    matches: (password, [stored]) => compareSync(password, stored),
  },
  {
    // WordPress 6.8 and later: bcrypt of a keyed hash, because bcrypt truncates long passwords.
    kind: "wordpress",
    pattern: /^\$wp(\$2y\$(\d{2})\$[./A-Za-z0-9]{53})$/,
    isBounded: ([, , cost]) => isBcryptBounded(cost),
    matches: (password, [, stored = ""]) =>
      compareSync(createHmac("sha384", "wp-sha384").update(password.trim()).digest("base64"), stored),
  },
  {
    // gnuboard: `sha256:12000:salt:hash`, Rhymix: `sha512:0032768:salt:hash`; the salt is text in both.
    kind: "pbkdf2",
    pattern: /^(sha1|sha256|sha512):(\d{1,9}):([^:]{1,128}):([A-Za-z0-9+/]{16,128}={0,2})$/,
    isBounded([, , iterations, , key = ""]) {
      const bytes = Buffer.from(key, "base64").length;
      return (
        Number(iterations) >= 1 &&
        Number(iterations) <= OLD_PASSWORD_LIMITS.pbkdf2Iterations &&
        bytes >= KEY_BYTES.min &&
        bytes <= KEY_BYTES.max
      );
    },
    matches: matchesPbkdf2,
  },
  {
    kind: "phpass",
    pattern: /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/,
    isBounded: ([, rounds = ""]) =>
      ITOA64.indexOf(rounds) >= 7 && ITOA64.indexOf(rounds) <= OLD_PASSWORD_LIMITS.phpassRounds,
    matches(password, [, rounds = "", salt = "", stored = ""]) {
      return isSameText(phpBase64(stretch("md5", salt, password, 2 ** ITOA64.indexOf(rounds))), stored);
    },
  },
  {
    kind: "drupal",
    pattern: /^\$S\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{43})$/,
    isBounded: ([, rounds = ""]) =>
      ITOA64.indexOf(rounds) >= 7 && ITOA64.indexOf(rounds) <= OLD_PASSWORD_LIMITS.drupalRounds,
    matches(password, [, rounds = "", salt = "", stored = ""]) {
      return isSameText(phpBase64(stretch("sha512", salt, password, 2 ** ITOA64.indexOf(rounds))).slice(0, 43), stored);
    },
  },
  {
    kind: "joomla",
    pattern: /^([0-9a-f]{32}):([0-9A-Za-z.+/=]{32})$/,
    matches: (password, [, stored = "", salt = ""]) => isSameText(hex("md5", password + salt), stored),
  },
  {
    kind: "mysql",
    pattern: /^\*([0-9A-F]{40})$/i,
    matches: (password, [, stored = ""]) => isSameText(hex("sha1", digest("sha1", password)), stored.toLowerCase()),
  },
  {
    kind: "mysql-old",
    pattern: /^[0-9a-f]{16}$/i,
    matches: (password, [stored]) => isSameText(mysqlOldPassword(password), stored.toLowerCase()),
  },
  {
    kind: "md5",
    pattern: /^[0-9a-f]{32}$/i,
    matches(password, [stored]) {
      const once = hex("md5", password);
      return [once, hex("md5", hex("sha1", once))].some((each) => isSameText(each, stored.toLowerCase()));
    },
  },
  { kind: "sha1", pattern: /^[0-9a-f]{40}$/i, matches: isSameDigest("sha1") },
  { kind: "sha256", pattern: /^[0-9a-f]{64}$/i, matches: isSameDigest("sha256") },
  { kind: "sha384", pattern: /^[0-9a-f]{96}$/i, matches: isSameDigest("sha384") },
  { kind: "sha512", pattern: /^[0-9a-f]{128}$/i, matches: isSameDigest("sha512") },
];

const STORED_MAX = 300;

function readOldHash(stored: string): { hash: OldHash; parts: RegExpExecArray } | null {
  if (stored.length > STORED_MAX) return null;
  for (const hash of OLD_HASHES) {
    const parts = hash.pattern.exec(stored);
    if (parts) return { hash, parts };
  }
  return null;
}

/** Returns null for a hash of an unknown kind or beyond the cost limits. */
export function oldPasswordKind(stored: string): string | null {
  const found = readOldHash(stored);
  return found && (found.hash.isBounded?.(found.parts) ?? true) ? found.hash.kind : null;
}

export function matchesOldPassword(password: string, stored: string): boolean {
  const found = readOldHash(stored);
  if (!found || !(found.hash.isBounded?.(found.parts) ?? true)) return false;
  return asTyped(password).some((each) => found.hash.matches(each, found.parts));
}

/** The old sites' input handling: Rhymix joins spaces, gnuboard escapes quotes, both trim. */
function asTyped(password: string): string[] {
  const trimmed = password.trim();
  const escaped = trimmed.replace(/[\\'"]/g, "\\$&").replaceAll("\0", "\\0");
  return [...new Set([password, trimmed.replace(/\s+/g, " "), trimmed, escaped])];
}

const isBcryptBounded = (cost = "") => Number(cost) >= 4 && Number(cost) <= OLD_PASSWORD_LIMITS.bcryptCost;

function matchesPbkdf2(password: string, [, algorithm = "", count = "", salt = "", key = ""]: RegExpExecArray) {
  const stored = Buffer.from(key, "base64");
  const iterations = Number(count);
  const actual =
    iterations <= NATIVE_PBKDF2_ITERATIONS
      ? pbkdf2Sync(password, salt, iterations, stored.length, algorithm)
      : slowPbkdf2(algorithm, password, salt, iterations).subarray(0, stored.length);
  return actual.length === stored.length && timingSafeEqual(actual, stored);
}

/** Computes the first block only: iterations above the platform's limit occur with SHA-512, whose keys fit in one. */
function slowPbkdf2(algorithm: string, password: string, salt: string, iterations: number): Buffer {
  const keyed = (value: Uint8Array) => createHmac(algorithm, password).update(value).digest();
  let last = keyed(Buffer.concat([Buffer.from(salt), Buffer.from([0, 0, 0, 1])]));
  const sum = Buffer.from(last);
  for (let round = 1; round < iterations; round++) {
    last = keyed(last);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) ^ (last[at] ?? 0);
  }
  return sum;
}

function matchesArgon2(password: string, [encoded]: RegExpExecArray): boolean {
  // The library takes `length` for the number of bytes, so this object reports the byte length.
  const typed = { length: Buffer.byteLength(password), toString: () => password } as unknown as string;
  // WebAssembly memory never shrinks: each call uses an instance of its own.
  return new Argon2(argon2Instance()).tryVerify(encoded, typed).success;
}

function stretch(algorithm: "md5" | "sha512", salt: string, password: string, count: number): Buffer {
  const typed = Buffer.from(password, "utf8");
  let hash = digest(algorithm, Buffer.concat([Buffer.from(salt), typed]));
  for (let round = 0; round < count; round++) hash = digest(algorithm, Buffer.concat([hash, typed]));
  return hash;
}

/** Base64 with the low bits first, as phpass and Drupal write it. */
function phpBase64(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const value = (bytes[index] ?? 0) | ((bytes[index + 1] ?? 0) << 8) | ((bytes[index + 2] ?? 0) << 16);
    const letters = Math.min(3, bytes.length - index) + 1;
    for (let place = 0; place < letters; place++) text += ITOA64[(value >> (6 * place)) & 63];
  }
  return text;
}

function mysqlOldPassword(password: string): string {
  const MASK = 0x7fffffffn;
  let first = 0x50305735n;
  let second = 0x12345671n;
  let add = 7n;
  for (const byte of Buffer.from(password, "utf8")) {
    if (byte === 0x20 || byte === 0x09) continue;
    const value = BigInt(byte);
    first ^= ((first & 63n) + add) * value + (first << 8n);
    second += (second << 8n) ^ first;
    add += value;
    first &= 0xffffffffffffffffn;
    second &= 0xffffffffffffffffn;
  }
  return [first, second].map((each) => (each & MASK).toString(16).padStart(8, "0")).join("");
}

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

export function randomPincode(): string {
  for (;;) {
    const value = randomBytes(4).readUInt32BE();
    // 4,294,000,000 is the largest multiple of a million below 2^32.
    if (value < 4_294_000_000) return String(value % 1_000_000).padStart(6, "0");
  }
}

export function sha256Base64Url(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

/** HMAC-SHA-256; `purpose` keeps a value made for one use from serving another. */
export function keyedHash(secret: string, purpose: string, value: string): string {
  return createHmac("sha256", secret).update(`${purpose}\u0000${value}`).digest("base64url");
}

export function isSameSecret(a: string, b: string): boolean {
  const left = Buffer.from(sha256Base64Url(a));
  const right = Buffer.from(sha256Base64Url(b));
  return timingSafeEqual(left, right);
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = (secret: string, purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", `seal ${purpose}`, 32));

/** AES-256-GCM with a key per purpose; `about` binds the value to its owner. */
export function sealText(secret: string, purpose: string, about: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyFor(secret, purpose), iv);
  cipher.setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
}

export function unsealText(secret: string, purpose: string, about: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFor(secret, purpose), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

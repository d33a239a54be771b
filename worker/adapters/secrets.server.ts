import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

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

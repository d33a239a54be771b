export interface BackupCipher {
  /** Compresses and encrypts. @param place authenticated with the part */
  seal(place: string, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws Error if the bytes were changed, moved or encrypted with another key */
  open(place: string, sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

const IV_BYTES = 12;
const encoder = new TextEncoder();
const bufferOf = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;

const importSecret = (secret: string) =>
  crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey", "deriveBits"]);

/** Derives a key per backup (HKDF over the secret, salted with the backup's id) for AES-256-GCM. */
export async function createBackupCipher(secret: string, backupId: string): Promise<BackupCipher> {
  const key = await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: encoder.encode(backupId), info: encoder.encode("hoewon backup") },
    await importSecret(secret),
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
  const algorithm = (place: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: "AES-GCM",
    iv,
    additionalData: encoder.encode(`${backupId}/${place}`),
  });
  return {
    async seal(place, bytes) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const packed = await throughStream(bytes, new CompressionStream("gzip"));
      const encrypted = new Uint8Array(await crypto.subtle.encrypt(algorithm(place, iv), key, packed));
      const sealed = new Uint8Array(IV_BYTES + encrypted.byteLength);
      sealed.set(iv);
      sealed.set(encrypted, IV_BYTES);
      return sealed;
    },
    async open(place, sealed) {
      const iv = bufferOf(sealed.slice(0, IV_BYTES));
      const packed = await crypto.subtle.decrypt(algorithm(place, iv), key, bufferOf(sealed.subarray(IV_BYTES)));
      return throughStream(new Uint8Array(packed), new DecompressionStream("gzip"));
    },
  };
}

export async function secretFingerprint(secret: string, purpose: string): Promise<string> {
  const bits = await crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(`hoewon fingerprint ${purpose}`) },
    await importSecret(secret),
    64,
  );
  return toHex(new Uint8Array(bits));
}

export async function sha256Hex(bytes: Uint8Array | string): Promise<string> {
  const data = typeof bytes === "string" ? encoder.encode(bytes) : bufferOf(bytes);
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", data)));
}

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function throughStream(bytes: Uint8Array, transform: unknown): Promise<Uint8Array<ArrayBuffer>> {
  // Node and workerd type the accepted arrays differently.
  const pair = transform as ReadableWritablePair<Uint8Array, Uint8Array>;
  const stream = new Blob([bufferOf(bytes)]).stream().pipeThrough(pair);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

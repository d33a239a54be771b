import { createHash } from "node:crypto";

const ORIGIN = "http://localhost";
const encode = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();

export interface AssertionChanges {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  crossOrigin?: boolean;
  counter?: number;
  /** Bits: 1 present, 4 verified, 64 with a new key. */
  flags?: number;
  credentialId?: string;
  userHandle?: string | null;
  key?: CryptoKey;
  hash?: "SHA-256" | "SHA-384";
  /** P1363 as WebCrypto signs; real authenticators use DER. */
  rawSignature?: boolean;
}

/** A software passkey with WebCrypto keys and handwritten CBOR, independent of the library under test. */
export class SoftwareAuthenticator {
  counter = 0;
  private constructor(
    readonly credentialId: string,
    readonly keys: CryptoKeyPair,
    readonly userHandle: string,
  ) {}

  static async create(userId: string): Promise<SoftwareAuthenticator> {
    const keys = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])) as CryptoKeyPair;
    return new SoftwareAuthenticator(encode(crypto.getRandomValues(new Uint8Array(32))), keys, encode(userId));
  }

  async attest(challenge: string, changes: AssertionChanges & { algorithm?: number; format?: string } = {}) {
    const id = Buffer.from(changes.credentialId ?? this.credentialId, "base64url");
    const jwk = (await crypto.subtle.exportKey("jwk", this.keys.publicKey)) as JsonWebKey;
    const authData = Buffer.concat([
      this.authenticatorData({ flags: 0x45, ...changes }),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      coseKey(jwk, changes.algorithm ?? -7),
    ]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText("fmt"),
      cborText(changes.format ?? "none"),
      cborText("attStmt"),
      Buffer.from([0xa0]),
      cborText("authData"),
      cborBytes(authData),
    ]);
    return {
      id: encode(id),
      rawId: encode(id),
      type: "public-key",
      response: {
        clientDataJSON: clientData("webauthn.create", challenge, changes),
        attestationObject: encode(attestationObject),
        transports: ["internal"],
      },
    };
  }

  async assert(challenge: string, changes: AssertionChanges = {}) {
    const id = changes.credentialId ?? this.credentialId;
    const authData = this.authenticatorData(changes);
    const clientDataJSON = clientData("webauthn.get", challenge, changes);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
    const raw = new Uint8Array(
      await crypto.subtle.sign(
        { name: "ECDSA", hash: changes.hash ?? "SHA-256" },
        changes.key ?? this.keys.privateKey,
        signed,
      ),
    );
    const userHandle = changes.userHandle === undefined ? this.userHandle : changes.userHandle;
    return {
      id,
      rawId: id,
      type: "public-key",
      response: {
        clientDataJSON,
        authenticatorData: encode(authData),
        signature: encode(changes.rawSignature ? raw : derSignature(raw)),
        ...(userHandle === null ? {} : { userHandle }),
      },
    };
  }

  private authenticatorData({ rpId = "localhost", flags = 0x05, counter = ++this.counter }: AssertionChanges): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }
}

const clientData = (type: string, challenge: string, changes: AssertionChanges) =>
  encode(
    JSON.stringify({
      type: changes.type ?? type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? ORIGIN,
      crossOrigin: changes.crossOrigin ?? false,
    }),
  );

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 255]), bytes]);
const coordinate = (value = "") => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, "base64url")]);

function coseKey(jwk: JsonWebKey, algorithm: number): Buffer {
  const negative = -1 - algorithm;
  const encoded = negative < 24 ? [0x20 + negative] : [0x39, negative >> 8, negative & 255];
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, ...encoded, 0x20, 0x01, 0x21]),
    coordinate(jwk.x),
    Buffer.from([0x22]),
    coordinate(jwk.y),
  ]);
}

function derSignature(raw: Uint8Array): Buffer {
  const integer = (bytes: Uint8Array) => {
    let from = 0;
    while (from < bytes.length - 1 && bytes[from] === 0) from += 1;
    const own = Buffer.from(bytes.subarray(from));
    const value = (own[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), own]) : own;
    return Buffer.concat([Buffer.from([2, value.length]), value]);
  };
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

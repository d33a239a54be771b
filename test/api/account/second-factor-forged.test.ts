/** @module-tag full */
import { expect, test } from "vitest";
import { callAs, callJson } from "../../support/api-client.ts";
import { advanceClock } from "../../support/factories.ts";
import { createMemberSession, type TestSession } from "../../support/people.ts";
import { type AssertionChanges, SoftwareAuthenticator } from "../../samples/software-authenticator.ts";
import { readRow, readValue } from "../../support/test-database.ts";

const ORIGINS = [
  "https://localhost",
  "http://localhost:8787",
  "http://localhost/",
  "http://LOCALHOST",
  "http://localhost.evil.example",
  "http://evil.example",
  "http://evil.example/http://localhost",
  "http://localhost@evil.example",
  "http://127.0.0.1",
  "http://xn--localhost-",
  "null",
  "",
  "android:apk-key-hash:aaaa",
];
const RP_IDS = [
  "",
  "LOCALHOST",
  "localhost.",
  "evil.example",
  "evil.localhost",
  "local",
  "http://localhost",
  "127.0.0.1",
];
const FLAGS = [0x00, 0x01, 0x04, 0x40, 0x41, 0x80, 0x81];

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

type Assertion = Awaited<ReturnType<SoftwareAuthenticator["assert"]>>;
const PARTS = ["clientDataJSON", "authenticatorData", "signature"] as const;

function damaged(assertion: Assertion, part: (typeof PARTS)[number], change: (bytes: Buffer) => Buffer): Assertion {
  const bytes = change(Buffer.from(assertion.response[part], "base64url"));
  return { ...assertion, response: { ...assertion.response, [part]: bytes.toString("base64url") } };
}

async function personWithPasskey(): Promise<{ person: TestSession; passkey: SoftwareAuthenticator }> {
  const person = await createMemberSession();
  const passkey = await SoftwareAuthenticator.create(person.user.id);
  const token = person.accessToken;
  const options = await callJson("POST", "/api/second-factor/passkey-options", { token, body: {} });
  const response = await passkey.attest(options.data.challenge);
  expect((await callJson("POST", "/api/second-factor/passkey", { token, body: { response } })).code).toBe("SUCCESS");
  return { person, passkey };
}

test("none of more than 400 forged assertions is accepted", async () => {
  const one = await personWithPasskey();
  const two = await personWithPasskey();
  const random = randomFrom(20261122);
  let tries = 0;
  // Uses a new address each time, so that rate limits do not decide.
  const nextAddress = () => `198.18.${++tries >> 8}.${tries & 255}`;

  const places = {
    verify: {
      challenge: async () =>
        (await callJson("POST", "/api/second-factor/verify-options", { token: one.person.accessToken, body: {} })).data
          .passkey.challenge as string,
      send: (response: unknown) =>
        callJson("POST", "/api/second-factor/verify", {
          token: one.person.accessToken,
          body: { kind: "passkey", response },
          address: nextAddress(),
        }),
    },
    signin: {
      challenge: async () =>
        (await callJson("POST", "/api/second-factor/signin-options", { body: {} })).data.challenge as string,
      send: (response: unknown) =>
        callJson("POST", "/api/second-factor/signin", { body: { response }, address: nextAddress() }),
    },
  };
  const sessionsBefore = await readValue("SELECT count(*) AS n FROM session");
  // The time of the last verification must not advance.
  const proven = () => readRow("SELECT second_factor_date FROM session WHERE user_id = ?", one.person.user.id);
  const provenBefore = await proven();
  advanceClock(60_000);
  const refused = async (place: keyof typeof places, name: string, response: unknown) => {
    const answer = await places[place].send(response);
    const told = [place, name, answer.status >= 400 && answer.status < 500, answer.status !== 429, answer.data];
    expect(told).toEqual([place, name, true, true, undefined]);
  };

  const rsa = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  for (const place of ["verify", "signin"] as const) {
    const fresh = () => places[place].challenge();
    const forge = async (name: string, changes: AssertionChanges, challenge?: string) =>
      refused(place, name, await one.passkey.assert(challenge ?? (await fresh()), changes));

    for (const origin of ORIGINS) await forge(`origin ${origin}`, { origin });
    for (const rpId of RP_IDS) await forge(`rpId ${rpId}`, { rpId });
    for (const flags of FLAGS) await forge(`flags ${flags}`, { flags });
    for (const type of ["webauthn.create", "payment.get", "", "WEBAUTHN.GET"]) await forge(`type ${type}`, { type });
    await forge("in a frame of another site", { crossOrigin: true });
    for (const counter of [0, 1]) await forge(`counter ${counter}`, { counter });

    await forge("SHA-384", { hash: "SHA-384" });
    await forge("raw signature", { rawSignature: true });
    await forge("another curve", { key: rsa.privateKey, hash: "SHA-384" });
    await forge("another person's key", { key: two.passkey.keys.privateKey });
    await forge("another person's handle", { userHandle: two.passkey.userHandle });
    await forge("an unknown handle", { userHandle: Buffer.from("nobody").toString("base64url") });
    await forge("an unknown credential", { credentialId: Buffer.alloc(32, 7).toString("base64url") });
    await forge("another person's credential", { credentialId: two.passkey.credentialId });
    await refused("verify", "another person's passkey", await two.passkey.assert(await places.verify.challenge()));

    const spare = await fresh();
    for (let at = 0; at < 12; at++) {
      const bytes = Buffer.from(spare, "base64url");
      const index = random(bytes.length);
      bytes[index] = (bytes[index] ?? 0) ^ (1 << random(8));
      await forge(`challenge with a changed bit ${at}`, {}, bytes.toString("base64url"));
    }
    for (const length of [0, 1, 24, 71])
      await forge(`challenge of ${length} letters`, { challenge: spare.slice(0, length) });
    await forge("challenge made up", {}, Buffer.alloc(54, 1).toString("base64url"));
    const elsewhere = await places[place === "verify" ? "signin" : "verify"].challenge();
    await forge("challenge of another purpose", {}, elsewhere);
    const theirs = await callJson("POST", "/api/second-factor/verify-options", {
      token: two.person.accessToken,
      body: {},
    });
    await forge("challenge of another session", {}, theirs.data.passkey.challenge);
    const spent = await fresh();
    const replayed = await one.passkey.assert(spent, { origin: "http://evil.example" });
    await refused(place, "spent on a forgery", replayed);
    await forge("challenge that a forgery used up", {}, spent);

    // Truncated parts and flipped bits.
    for (const part of PARTS) {
      for (let at = 0; at < 12; at++) {
        const good = await one.passkey.assert(await fresh());
        const length = random(Buffer.from(good.response[part], "base64url").length);
        await refused(
          place,
          `${part} cut at ${length}`,
          damaged(good, part, (bytes) => bytes.subarray(0, length)),
        );
      }
      for (let at = 0; at < 25; at++) {
        const good = await one.passkey.assert(await fresh());
        const changed = damaged(good, part, (bytes) => {
          const index = random(bytes.length);
          bytes[index] = (bytes[index] ?? 0) ^ (1 << random(8));
          return bytes;
        });
        await refused(place, `${part} with a changed bit`, changed);
      }
      const good = await one.passkey.assert(await fresh());
      await refused(
        place,
        `${part} with more behind it`,
        damaged(good, part, (bytes) => Buffer.concat([bytes, bytes])),
      );
      await refused(place, `${part} empty`, { ...good, response: { ...good.response, [part]: "" } });
      await refused(place, `${part} a number`, { ...good, response: { ...good.response, [part]: 7 } });
      await refused(place, `${part} null`, { ...good, response: { ...good.response, [part]: null } });
      await refused(place, `${part} not base64url`, { ...good, response: { ...good.response, [part]: "한글+/=" } });
      await refused(place, `${part} huge`, { ...good, response: { ...good.response, [part]: "A".repeat(100_000) } });
    }
    for (const json of [
      "null",
      "[]",
      "1",
      '"x"',
      "{}",
      '{"challenge":{}}',
      '{"challenge":null,"type":"webauthn.get"}',
      "{",
    ]) {
      const good = await one.passkey.assert(await fresh());
      await refused(
        place,
        `client data ${json}`,
        damaged(good, "clientDataJSON", () => Buffer.from(json)),
      );
    }
    const good = await one.passkey.assert(await fresh());
    await refused(place, "two ids", { ...good, rawId: two.passkey.credentialId });
    await refused(place, "another type", { ...good, type: "password" });
    for (const odd of [null, [], "x", 1, {}, { ...good, response: null }, { ...good, id: 1 }])
      await refused(place, `body ${JSON.stringify(odd)?.slice(0, 20)}`, odd);

    const early = await one.passkey.assert(await fresh());
    advanceClock(5 * 60_000 + 1000);
    await refused(place, "a challenge that ran out", early);
  }

  expect(tries).toBeGreaterThanOrEqual(400);
  expect(await readValue("SELECT count(*) AS n FROM session")).toBe(sessionsBefore);
  expect(await proven()).toEqual(provenBefore);
  for (const place of ["verify", "signin"] as const) {
    const right = await one.passkey.assert(await places[place].challenge());
    expect((await places[place].send(right)).code, `${place}`).toBe("SUCCESS");
    await refused(place, "replayed", right);
    expect((await places[place].send(await one.passkey.assert(await places[place].challenge()))).code, `${place}`).toBe(
      "SUCCESS",
    );
  }
}, 240_000);

test("a passkey is registered only for its own challenge", async () => {
  const one = await createMemberSession();
  const two = await personWithPasskey();
  const challengeOf = async ({ accessToken: token }: TestSession) =>
    (await callJson("POST", "/api/second-factor/passkey-options", { token, body: {} })).data.challenge as string;
  const send = (response: unknown) => callAs(one, "POST", "/api/second-factor/passkey", { response });
  const key = await SoftwareAuthenticator.create(one.user.id);
  type Changes = Parameters<SoftwareAuthenticator["attest"]>[1];
  const forged: [string, Changes][] = [
    ...ORIGINS.map((origin): [string, Changes] => [`origin ${origin}`, { origin }]),
    ...RP_IDS.map((rpId): [string, Changes] => [`rpId ${rpId}`, { rpId }]),
    ...[0x40, 0x41, 0x44, 0x05].map((flags): [string, Changes] => [`flags ${flags}`, { flags }]),
    ...[-8, -35, -36, -37, -257, -65535, -7000].map((algorithm): [string, Changes] => [
      `algorithm ${algorithm}`,
      { algorithm },
    ]),
    ...["packed", "fido-u2f", "android-key", "android-safetynet", "tpm", "apple", "x"].map(
      (format): [string, Changes] => [`format ${format}`, { format }],
    ),
    ["type", { type: "webauthn.get" }],
    ["in a frame of another site", { crossOrigin: true }],
  ];
  for (const [name, changes] of forged) {
    const answer = await send(await key.attest(await challengeOf(one), changes));
    expect([name, answer.status, answer.data]).toEqual([name, 400, undefined]);
  }
  const good = async (challenge: string) => key.attest(challenge);
  expect((await send(await good(await challengeOf(two.person)))).status).toBe(400);
  const used = await good(await challengeOf(one));
  const cut = {
    ...used,
    response: { ...used.response, attestationObject: used.response.attestationObject.slice(0, 90) },
  };
  expect((await send(cut)).status).toBe(400);
  expect((await send(used)).status).toBe(400);
  const taken = await key.attest(await challengeOf(one), { credentialId: two.passkey.credentialId });
  expect((await send(taken)).code).toBe("ALREADY_EXISTS");
  expect(await readValue("SELECT count(*) AS n FROM second_factor")).toBe(1);
  const right = await good(await challengeOf(one));
  expect((await send(right)).code).toBe("SUCCESS");
  expect((await send(right)).status).toBe(400);
});

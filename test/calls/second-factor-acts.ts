import { Secret, TOTP } from "otpauth";
import { callJson } from "../support/api-client.ts";
import { advanceClock } from "../support/factories.ts";
import { type TestSession } from "../support/people.ts";
import { SoftwareAuthenticator } from "../samples/software-authenticator.ts";

export const MINUTE = 60_000;

export const postSecondFactor = (
  path: string,
  { accessToken }: { accessToken: string },
  body: object = {},
  vars?: object,
) => callJson("POST", `/api/second-factor${path}`, { token: accessToken, body, vars });

export const totpCodeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

export async function addPasskey(person: TestSession) {
  const passkey = await SoftwareAuthenticator.create(person.user.id);
  const options = await postSecondFactor("/passkey-options", person);
  const added = await postSecondFactor("/passkey", person, { response: await passkey.attest(options.data.challenge) });
  if (added.code !== "SUCCESS") throw new Error(`${added.code} ${added.message}`);
  return { passkey, recoveryCodes: added.data.recoveryCodes as string[] | undefined, id: added.data.id as string };
}

/** Stops the clock, so that a code stays the current one until the test moves it. */
export async function addTotp(person: TestSession) {
  advanceClock(0);
  const { data: setup } = await postSecondFactor("/totp-options", person);
  const added = await postSecondFactor("/totp", person, {
    setupToken: setup.setupToken,
    code: totpCodeOf(setup.secret),
  });
  if (added.code !== "SUCCESS") throw new Error(`${added.code} ${added.message}`);
  return { secret: setup.secret as string, id: added.data.id as string, recoveryCodes: added.data.recoveryCodes };
}

export const verifyByPasskey = async (person: TestSession, passkey: SoftwareAuthenticator) =>
  postSecondFactor("/verify", person, {
    kind: "passkey",
    response: await passkey.assert((await postSecondFactor("/verify-options", person)).data.passkey.challenge),
  });

export const readOwnSecondFactors = async ({ accessToken: token }: TestSession, vars?: object) =>
  (await callJson("GET", "/api/second-factor", { token, vars })).data;

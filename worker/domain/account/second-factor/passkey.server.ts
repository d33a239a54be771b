type Passkeys = typeof import("./webauthn.server.ts");

/** Loaded only for passkeys, because the library is a fifth of all code apart from the pages. */
const load = () => import("./webauthn.server.ts");

export const passkeyCreationOptions: Passkeys["passkeyCreationOptions"] = async (...asked) =>
  (await load()).passkeyCreationOptions(...asked);
export const passkeyRequestOptions: Passkeys["passkeyRequestOptions"] = async (...asked) =>
  (await load()).passkeyRequestOptions(...asked);
export const readNewPasskey: Passkeys["readNewPasskey"] = async (...asked) => (await load()).readNewPasskey(...asked);
export const verifyAssertion: Passkeys["verifyAssertion"] = async (...asked) =>
  (await load()).verifyAssertion(...asked);

type Passkeys = typeof import("./webauthn.server.ts");

/** With all that it reads certificates by, the library is a fifth of the code that stands beside the pages: it is loaded for a passkey alone. */
const load = () => import("./webauthn.server.ts");

export const passkeyCreationOptions: Passkeys["passkeyCreationOptions"] = async (...asked) =>
  (await load()).passkeyCreationOptions(...asked);
export const passkeyRequestOptions: Passkeys["passkeyRequestOptions"] = async (...asked) =>
  (await load()).passkeyRequestOptions(...asked);
export const readNewPasskey: Passkeys["readNewPasskey"] = async (...asked) => (await load()).readNewPasskey(...asked);
export const verifyAssertion: Passkeys["verifyAssertion"] = async (...asked) =>
  (await load()).verifyAssertion(...asked);

import type { UserKeyType } from "#worker/contract/account/rules.ts";

export interface SigninTexts {
  title: string;
  memberOnly: string;
  keys: Record<UserKeyType, string>;
  keyMissing: (type: UserKeyType) => string;
  /** @param said the message for an impossible key */
  keyProblem: (type: UserKeyType, said: string) => string;
  password: string;
  passwordMissing: string;
  remember: (key: string) => string;
  failed: (error: unknown) => string;
  passkey: string;
  passkeyCancelled: string;
  /** Null if the user or the page cancelled the request. */
  passkeyFailed: (error: unknown) => string | null;
  links: readonly { label: string; href: string }[];
  note: string;
}

import type { UserKeyType } from "#worker/contract/account/rules.ts";

/** What the sign-in page says by itself. */
export interface SigninTexts {
  title: string;
  memberOnly: string;
  keys: Record<UserKeyType, string>;
  keyMissing: (type: UserKeyType) => string;
  /** @param said of a key that nobody can have */
  keyProblem: (type: UserKeyType, said: string) => string;
  password: string;
  passwordMissing: string;
  remember: (key: string) => string;
  failed: (error: unknown) => string;
  passkey: string;
  passkeyCancelled: string;
  /** Null where the person or the page gave up by themselves. */
  passkeyFailed: (error: unknown) => string | null;
  links: readonly { label: string; href: string }[];
  /** Below the links. */
  note: string;
}

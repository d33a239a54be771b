import type { UserKeyType } from "#worker/contract/account/rules.ts";
import type { AroundName } from "#app/lib/texts/account.ts";
import type { VerifyMethods } from "#worker/domain/account/second-factor/factor.server.ts";

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

export interface SecondFactorTexts {
  title: string;
  description: AroundName;
  loading: string;
  methods: Record<keyof VerifyMethods, { label: string; text: string; field: string; missing: string }>;
  submit: string;
  failed: (error: unknown) => string;
  /** Null if the user or the page cancelled the request. */
  passkeyFailed: (error: unknown) => string | null;
  passkeyCancelled: string;
  passkeyGone: string;
  otherAccount: string;
  recovery: {
    lost: string;
    how: (phone: string | undefined) => string;
    startedTitle: string;
    started: AroundName;
    usableTitle: string;
    usable: string;
    use: string;
  };
}

type AddressType = Exclude<UserKeyType, "Id">;

export interface RecoveryTexts {
  findId: {
    title: string;
    intro: (type: AddressType) => string;
    found: string;
    none: string;
    joined: AroundName;
    sentTo: (type: AddressType) => string;
    again: string;
  };
  reset: {
    title: string;
    hint: (type: AddressType) => string;
    newTitle: string;
    failed: string;
    choose: string;
    linkOver: string;
    byCode: string;
    otherAddress: string;
    sentTo: (address: string) => AroundName;
    doneTitle: string;
    done: string;
    notDone: string;
  };
}

import type { AuthType, UserKeyType } from "#worker/contract/account/rules.ts";
import type { ProfileField, SignupText } from "#worker/contract/account/view.ts";
import type { AppError } from "#worker/contract/kernel/errors.ts";
import type { AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";

type AddressType = Exclude<UserKeyType, "Id">;

export interface AroundName {
  before: string;
  after: string;
}

export type AccountAct = "check" | "sendCode" | "signup" | "findId";

export interface AccountTexts {
  failed: (act: AccountAct, error: unknown) => string;
  codeFailed: (error: unknown) => string;
  reason: (error: AppError) => string;
  /** @param said the Korean message */
  problem: (field: string, said: string, rules: AccountRules) => string;
  profileProblem: (field: ProfileField, said: string) => string;
  /** True if problem texts already name their field. */
  namesFields: boolean;
  keys: Record<UserKeyType, string>;
  keyMissing: (type: UserKeyType) => string;
  keyTaken: (type: UserKeyType) => string;
  keyFree: (type: UserKeyType) => string;
  unverified: Record<AddressType, string>;
  email: { domain: string; otherDomain: string };
  userId: { hint: string; check: string; unchecked: string };
  name: { label: string; missing: string; hint: (rules: AccountRules) => string; takesLatin: boolean };
  password: {
    label: string;
    newLabel: string;
    confirmation: (label: string) => string;
    missing: string;
    confirmationMissing: string;
    mismatch: string;
    rules: (rules: AccountRules["password"]) => Record<string, string>;
    met: string;
    unmet: string;
    note: string;
  };
  code: {
    label: string;
    placeholder: string;
    missing: string;
    ask: string;
    enter: string;
    again: string;
    askAgain: string;
    wait: (seconds: number) => string;
    left: (time: string) => string;
    over: string;
    confirm: string;
    confirmed: string;
    title: Record<AddressType, string>;
    hint: Record<AddressType, string>;
    sentTo: (address: string) => AroundName;
    sentAgain: string;
  };
  agreements: {
    all: string;
    required: string;
    optional: string;
    missing: (title: string) => string;
    read: string;
    regionOf: (title: string) => string;
    language: string;
  };
  signup: {
    title: string;
    closed: (missing: readonly SignupText[]) => string | null;
    stepsLabel: string;
    steps: readonly [string, string, string, string];
    currentStep: string;
    doneStep: string;
    addressHint: (authType: AuthType) => string;
    submit: string;
    failed: string;
    officeFields: string;
  };
  welcome: {
    title: string;
    nobody: string;
    greeting: AroundName;
    greetingOfNobody: string;
    waiting: string;
    done: string;
    home: string;
  };
  pending: { title: string; description: string; submit: string; leave: string };
  signin: string;
}

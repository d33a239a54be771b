import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { passwordRuleProblem } from "#worker/contract/account/rules.ts";
import { type AccountRules } from "#worker/contract/kernel/identity-rules.ts";

const OWN_WORD_MIN = 4;
const COMMON_BASE_MIN = 4;
/** Rank by leak frequency up to which a word spoils a password built on it. */
const COMMON_BASES = 10_000;
const LEET: Record<string, string> = {
  "@": "a",
  "4": "a",
  "8": "b",
  "(": "c",
  "3": "e",
  "6": "g",
  "9": "g",
  "1": "i",
  "!": "i",
  "|": "l",
  "0": "o",
  $: "s",
  "5": "s",
  "+": "t",
  "7": "t",
  "2": "z",
};

interface CommonPasswords {
  all: ReadonlySet<string>;
  bases: ReadonlySet<string>;
}
let loading: Promise<CommonPasswords> | undefined;

/** Loads the list at the first new password to keep the Worker's start fast. */
function commonPasswords(): Promise<CommonPasswords> {
  loading ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => {
    const words = dictionary["passwords-common"].map((word) => String(word).toLowerCase());
    return { all: new Set(words), bases: new Set(words.slice(0, COMMON_BASES)) };
  });
  return loading;
}

const withLettersForSigns = (word: string) => word.replace(/[^a-z]/g, (sign) => LEET[sign] ?? sign);
const withoutTail = (word: string) => word.replace(/(?<![^a-z])[^a-z]+$/, "");

/** Base words of a password, without trailing digits and signs, and with leetspeak decoded. */
function baseWords(lower: string): string[] {
  return [
    lower,
    withoutTail(lower),
    withLettersForSigns(lower),
    withLettersForSigns(withoutTail(lower)),
    withoutTail(withLettersForSigns(lower)),
  ];
}

export async function passwordProblem(
  rules: AccountRules,
  password: string,
  ownWords: string[],
): Promise<string | null> {
  const broken = passwordRuleProblem(password, rules);
  if (broken) return broken;
  const lower = password.toLowerCase();
  const own = ownWords
    .map((word) => word.toLowerCase().split("@")[0] ?? "")
    .filter((word) => word.length >= OWN_WORD_MIN);
  if (own.some((word) => baseWords(lower).some((form) => form.includes(word))))
    return ACCOUNT_RULE_MESSAGES.passwordOwn;
  const common = await commonPasswords();
  if (common.all.has(lower)) return ACCOUNT_RULE_MESSAGES.passwordCommon;
  const spoilt = baseWords(lower).some((word) => word.length >= COMMON_BASE_MIN && common.bases.has(word));
  return spoilt ? ACCOUNT_RULE_MESSAGES.passwordCommon : null;
}

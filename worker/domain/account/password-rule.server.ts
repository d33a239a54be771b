import { ACCOUNT_RULE_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { baseWords, holdsOwnWord, passwordRuleProblem } from "#worker/contract/account/rules.ts";
import { type AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";

const COMMON_BASE_MIN = 4;
/** Rank by leak frequency up to which a word spoils a password built on it. */
const COMMON_BASES = 10_000;

interface CommonPasswords {
  all: ReadonlySet<string>;
  bases: ReadonlySet<string>;
}
let loading: Promise<CommonPasswords> | undefined;

/** Loads the list at the first new password to keep the Worker's start fast. */
function commonPasswords(): Promise<CommonPasswords> {
  // The package's index also loads its word lists for passphrases.
  loading ??= import("@zxcvbn-ts/language-common/dist/passwords.json.mjs").then(({ default: passwords }) => {
    const words = passwords.map((word) => word.toLowerCase());
    return { all: new Set(words), bases: new Set(words.slice(0, COMMON_BASES)) };
  });
  return loading;
}

export async function passwordProblem(rules: AccountRules, password: string, ownWords: readonly string[]) {
  const broken = passwordRuleProblem(password, rules);
  if (broken) return broken;
  if (holdsOwnWord(password, ownWords)) return ACCOUNT_RULE_MESSAGES.passwordOwn;
  const lower = password.toLowerCase();
  const common = await commonPasswords();
  if (common.all.has(lower)) return ACCOUNT_RULE_MESSAGES.passwordCommon;
  const spoilt = baseWords(lower).some((word) => word.length >= COMMON_BASE_MIN && common.bases.has(word));
  return spoilt ? ACCOUNT_RULE_MESSAGES.passwordCommon : null;
}

export interface AccountRuleSettings {
  userName: { min: number; max: number; foreign: boolean };
  password: { min: number; max: number };
  /** The maximum length of the top-level domain: 3 for .com, more for .info or .academy. */
  email: { endingMax: number };
}

export const DEFAULT_RULE_SETTINGS: AccountRuleSettings = {
  userName: { min: 1, max: 4, foreign: false },
  password: { min: 6, max: 16 },
  email: { endingMax: 3 },
};

/** The outer bounds of all settings; bodies are parsed by them before the site's own rules. */
export const WIDEST_RULE_SETTINGS: AccountRuleSettings = {
  userName: { min: 1, max: 20, foreign: true },
  password: { min: 6, max: 64 },
  email: { endingMax: 24 },
};

const FOREIGN = "[\\p{Script=Latin}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";

const FOREIGN_NAME = `${FOREIGN}(?:(?:\\. |[ .'’·\\-])?${FOREIGN}){0,58}\\.?`;

/** As published by GET site-setting/authentication; patterns need the `u` flag. */
export function buildAccountRules({ userName, password, email }: AccountRuleSettings) {
  const { min, max, foreign } = userName;
  const hangul = `[가-힣]{${min},${max}}`;
  return {
    password: {
      ...password,
      pattern: `^(?=.*[A-Za-z])(?=.*[0-9])(?=.*[^A-Za-z0-9])[!-~]{${password.min},${password.max}}$`,
    },
    userName: { min, max, foreign, pattern: foreign ? `^(?:${hangul}|${FOREIGN_NAME})$` : `^${hangul}$` },
    userId: { max: 50, pattern: "^\\S+$" },
    email: {
      max: 100,
      pattern: `^[A-Za-z0-9._%+\\-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9\\-]*[A-Za-z0-9])?\\.)+[A-Za-z]{2,${email.endingMax}}$`,
    },
    phone: { pattern: "^\\d{2,3}-\\d{3,4}-\\d{4}$" },
    /** HH:mm on a 24-hour clock, also without the colon. */
    time: { pattern: "^(?:[01]\\d|2[0-3]):?[0-5]\\d$" },
    mobile: { pattern: "^01[016789]-\\d{3,4}-\\d{4}$" },
  };
}

export type AccountRules = ReturnType<typeof buildAccountRules>;

export const RULES = buildAccountRules(DEFAULT_RULE_SETTINGS);

/** For addresses that are no sign-in key. */
export const WIDEST_ACCOUNT_RULES = buildAccountRules(WIDEST_RULE_SETTINGS);

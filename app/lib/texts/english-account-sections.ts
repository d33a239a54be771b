import type { AccountSections } from "#app/lib/page-language.ts";
import { ENGLISH_ACCOUNT_TEXTS } from "#app/lib/texts/english-account.ts";
import { ENGLISH_RECOVERY_TEXTS } from "#app/lib/texts/english-recovery.ts";
import { ENGLISH_SECOND_FACTOR_TEXTS } from "#app/lib/texts/english-second-factor.ts";
import { ENGLISH_SIGNIN_TEXTS } from "#app/lib/texts/english-signin.ts";

export const ENGLISH_ACCOUNT_SECTIONS: AccountSections = {
  signin: ENGLISH_SIGNIN_TEXTS,
  account: ENGLISH_ACCOUNT_TEXTS,
  recovery: ENGLISH_RECOVERY_TEXTS,
  secondFactor: ENGLISH_SECOND_FACTOR_TEXTS,
};

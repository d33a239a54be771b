import { createTabStore } from "#app/features/account/tab-store.ts";
import type { Verification } from "#app/features/account/verification.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";

/** What was typed, without passwords. */
export interface Draft {
  /** `code@version` of each text that was agreed to. */
  agreed: string[];
  email: string;
  mobile: string;
  verification: Verification | null;
  userId: string;
  /** The ID that was found free, normalised. */
  checkedId: string | null;
  userName: string;
  profile: ProfileInput;
}

export const signupDraft = createTabStore<Draft>("signupDraft", {
  agreed: [],
  email: "",
  mobile: "",
  verification: null,
  userId: "",
  checkedId: null,
  userName: "",
  profile: {},
});

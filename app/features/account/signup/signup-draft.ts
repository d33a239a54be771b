import { createTabStore } from "#app/features/account/tab-store.ts";
import type { KeyVerification } from "#app/features/account/verification.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";

/** What was typed, without passwords. */
export interface SignupDraft {
  /** `code@version` of each text that was agreed to. */
  agreed: string[];
  email: string;
  mobile: string;
  verification: KeyVerification | null;
  userId: string;
  /** The ID that was found free, normalised. */
  checkedId: string | null;
  userName: string;
  profile: ProfileInput;
}

export const signupDraftStore = createTabStore<SignupDraft>("signupDraft", {
  agreed: [],
  email: "",
  mobile: "",
  verification: null,
  userId: "",
  checkedId: null,
  userName: "",
  profile: {},
});

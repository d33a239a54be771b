import { createTabStore } from "#app/features/account/tab-store.ts";
import type { KeyVerification } from "#app/features/account/verification.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";

export interface SignupDraft {
  /** Agreed texts as `code@version`. */
  agreed: string[];
  email: string;
  mobile: string;
  verification: KeyVerification | null;
  userId: string;
  /** The normalised ID that was found free. */
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

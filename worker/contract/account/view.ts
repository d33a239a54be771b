import type { UserType } from "../kernel/permissions.ts";
import type { SignupText } from "./signup-texts.ts";
import type { UserKeyType, ProfileInputType, AuthType } from "./rules.ts";
import type { AccountRules } from "../kernel/identity-rules.ts";
import type { Versioned } from "../kernel/envelope.ts";
import type { AuthenticationSettings } from "./setting-input.ts";
import type { PicturePlace } from "../file/view.ts";

export interface SignedInUser {
  id: string;
  userName: string;
  userType: UserType;
  role: { roleCode: string; roleName: string; permissions: string[] };
}

export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  user: SignedInUser;
  /** Required agreements in a version that the person has not agreed to yet; absent when there is none. */
  pendingAgreements?: AgreementInfo[];
  /** The second factor is still to be shown: a guest until then. Absent where there is none. */
  secondFactor?: "pending";
}

/** A change of address that whoever holds the link may undo. */
export interface UndoKeyChangeView {
  userKeyType: "Email" | "Mobile";
  isDone: boolean;
}

/** Who writes, and what they sign in with again when the session has run out. */
export interface WriterIdentity {
  userId: string;
  userName: string;
  userKeyType: UserKeyType;
  userKeyCode: string;
}

export interface UserView {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  userKeys: { userKeyType: UserKeyType; userKeyCode: string; verified: boolean }[];
  profile: Record<string, unknown>;
  createdDate: string;
  version: number;
}

export interface SessionView {
  sid: string;
  /** "Chrome · Windows" */
  device: string;
  address: string;
  createdDate: string;
  lastUsedDate: string;
  /** The session that asks. */
  current: boolean;
}

export interface ConsentView extends AgreementInfo {
  agreed: boolean;
  /** When it was last agreed to or declined; null when the person was never asked. */
  consentDate: string | null;
  /** To which version that was said: of an optional one it may be an earlier one, which holds until the person says otherwise. */
  consentVersion: string | null;
}

export type AuthenticationSettingView = Versioned<AuthenticationSettings>;

export interface ProfileField {
  code: string;
  name: string;
  inputType: ProfileInputType;
  required: boolean;
  /** The options of select, radio and checkbox. */
  detail: string[];
  /** On English pages; empty where they say the Korean name. */
  englishName: string;
  /** The same of the options, in their order. */
  englishDetail: string[];
  order: number;
}

export interface AdminProfileField extends ProfileField {
  isClosed: boolean;
  /** How many members have a value in it. */
  valueCount: number;
  version: number;
}

export interface AgreementInfo {
  code: string;
  title: string;
  required: boolean;
  version: string;
}

export interface AuthenticationInfo {
  authType: AuthType;
  userProfiles: ProfileField[];
  roleCodeForGuest: string;
  roleForGuest: { roleCode: string; permissions: string[] };
  rules: AccountRules;
  agreements: AgreementInfo[];
}

/** What the sign-up page is made of: the same with the text of each agreement. */
export interface SignupFormView extends AuthenticationInfo {
  agreements: (AgreementInfo & { content: string; pictures: PicturePlace[] })[];
  /** Texts without which nobody is let in yet. */
  missingTexts: SignupText[];
}

import type { Page } from "../kernel/envelope.ts";
import type { SecondFactorKind } from "./second-factor-rules.ts";

export interface FactorView {
  id: string;
  kind: SecondFactorKind;
  name: string;
  createdDate: string;
  lastUsedDate: string | null;
}

export interface VerifyMethods {
  passkey: boolean;
  totp: boolean;
  recoveryCode: boolean;
  /** True while there is no second factor. */
  password: boolean;
}

export interface RecoveryView {
  createdDate: string;
  usableDate: string;
  expiresDate: string;
  isUsable: boolean;
}

export interface OwnSecondFactor {
  userName: string;
  /** The password was accepted and the second factor is pending: nothing else is open. */
  isPending: boolean;
  isRequired: boolean;
  methods: VerifyMethods;
  factors: FactorView[];
  recoveryCodesLeft: number;
  recovery: RecoveryView | null;
}

/** Returned once, with the first factor. */
export interface AddedFactor {
  id: string;
  recoveryCodes?: string[];
}

export interface TotpSetup {
  secret: string;
  uri: string;
  setupToken: string;
}

export interface SecondFactorRow {
  userId: string;
  userName: string;
  roleName: string;
  isRequired: boolean;
  kinds: SecondFactorKind[];
  recoveryCodesLeft: number;
  lastUsedDate: string | null;
  recovery: RecoveryView | null;
}

export type SecondFactorPage = Page<SecondFactorRow> & { missingCount: number; isEnforced: boolean };

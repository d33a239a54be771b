import type { Page } from "../kernel/envelope.ts";
import type { SecondFactorKind } from "./second-factor-rules.ts";

export interface FactorView {
  id: string;
  kind: SecondFactorKind;
  name: string;
  createdDate: string;
  lastUsedDate: string | null;
}

/** By what the person can show now that it is them. */
export interface VerifyMethods {
  passkey: boolean;
  totp: boolean;
  recoveryCode: boolean;
  /** Where there is no second factor yet. */
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
  /** The password was right, the second factor is still to come: nothing else is open. */
  isPending: boolean;
  /** The person's permissions ask for one. */
  isRequired: boolean;
  methods: VerifyMethods;
  /** Empty while pending. */
  factors: FactorView[];
  recoveryCodesLeft: number;
  recovery: RecoveryView | null;
}

/** What comes with the first factor, shown once. */
export interface AddedFactor {
  id: string;
  recoveryCodes?: string[];
}

export interface TotpSetup {
  /** To type where no camera is. */
  secret: string;
  /** otpauth://…, which the QR code holds. */
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

import { AppError } from "./errors.ts";
import type { PermissionSet } from "./permissions.ts";

/** Whether sensitive permissions require a second factor; `offered` is for local development only. */
export const SECOND_FACTOR_MODES = ["required", "offered"] as const;
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number];

/** `data.reason` of a FORBIDDEN answer despite the permission. */
const SECOND_FACTOR_REASONS = {
  /** Verify the second factor, then repeat the call. */
  SECOND_FACTOR_REQUIRED: "본인 확인이 필요합니다. 2단계 인증을 한 뒤 다시 시도해 주십시오.",
  /** Set up a second factor first. */
  SECOND_FACTOR_SETUP:
    "이 기능은 2단계 인증을 등록한 뒤에 쓰실 수 있습니다. 마이페이지의 '2단계 인증'에서 먼저 등록해 주십시오.",
} as const;
type SecondFactorReason = keyof typeof SECOND_FACTOR_REASONS;

export const secondFactorError = (reason: SecondFactorReason) =>
  new AppError("FORBIDDEN", { message: SECOND_FACTOR_REASONS[reason], data: { reason } });

/** `data.reason` of a call that opens the console to someone without a reason or password. */
export const CONSOLE_ENTRY_REASON = "CONSOLE_ENTRY";
/** `data.reason` of a change that is refused until it has a reason. */
export const CHANGE_REASON = "CHANGE_REASON";
export interface ConsoleEntryProof {
  reason?: string | undefined;
  password?: string | undefined;
}

export function secondFactorReasonOf(data: Record<string, unknown> | undefined): SecondFactorReason | null {
  const reason = data?.reason;
  return typeof reason === "string" && Object.hasOwn(SECOND_FACTOR_REASONS, reason)
    ? (reason as SecondFactorReason)
    : null;
}

const SENSITIVE_CODE = /^(?:ADMIN_Access|Member_[A-Za-z]+|Inquiry_Answer|Mail_Template|[A-Za-z]+_(?:Export|Import))$/;
const isSensitivePermission = (code: string) => SENSITIVE_CODE.test(code);

export const needsSecondFactor = (permissions: PermissionSet) =>
  permissions.all || [...permissions.codes].some(isSensitivePermission);

export const withoutSensitivePermissions = (permissions: PermissionSet): PermissionSet => ({
  all: false,
  codes: new Set([...permissions.codes].filter((code) => !isSensitivePermission(code))),
});

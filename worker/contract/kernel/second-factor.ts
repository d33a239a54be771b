import { AppError } from "./errors.ts";
import type { PermissionSet } from "./permissions.ts";

/** Whether those with sensitive permissions must have a second factor; `offered` is for a developer's machine alone. */
export const SECOND_FACTOR_MODES = ["required", "offered"] as const;
export type SecondFactorMode = (typeof SECOND_FACTOR_MODES)[number];

/** Why a call answers FORBIDDEN though the permission is there; stands in the envelope's `data.reason`. */
export const SECOND_FACTOR_REASONS = {
  /** Show it (again), then repeat the call. */
  SECOND_FACTOR_REQUIRED: "본인 확인이 필요합니다. 2단계 인증을 한 뒤 다시 시도해 주십시오.",
  /** There is none yet, and this permission needs one. */
  SECOND_FACTOR_SETUP:
    "이 기능은 2단계 인증을 등록한 뒤에 쓰실 수 있습니다. 마이페이지의 '2단계 인증'에서 먼저 등록해 주십시오.",
} as const;
export type SecondFactorReason = keyof typeof SECOND_FACTOR_REASONS;

export const secondFactorError = (reason: SecondFactorReason) =>
  new AppError("FORBIDDEN", { message: SECOND_FACTOR_REASONS[reason], data: { reason } });

/** `data.reason` of the answer to a call that lets somebody into the console without saying why, or without the password. */
export const CONSOLE_ENTRY_REASON = "CONSOLE_ENTRY";
export interface ConsoleEntryProof {
  reason?: string | undefined;
  password?: string | undefined;
}

/** The reason of an error, if it is one of these. */
export function secondFactorReasonOf(data: Record<string, unknown> | undefined): SecondFactorReason | null {
  const reason = data?.reason;
  return typeof reason === "string" && Object.hasOwn(SECOND_FACTOR_REASONS, reason)
    ? (reason as SecondFactorReason)
    : null;
}

/** Other people's data by the hundred, or other people's rights: the console, exports, imports, members, what they wrote to the office. */
const SENSITIVE_CODE = /^(?:ADMIN_Access|Member_[A-Za-z]+|Inquiry_Answer|Mail_Template|[A-Za-z]+_(?:Export|Import))$/;
export const isSensitivePermission = (code: string) => SENSITIVE_CODE.test(code);

/** Must whoever holds these permissions have a second factor? */
export const needsSecondFactor = (permissions: PermissionSet) =>
  permissions.all || [...permissions.codes].some(isSensitivePermission);

/** What is left of the permissions until a second factor is there. */
export const withoutSensitivePermissions = (permissions: PermissionSet): PermissionSet => ({
  all: false,
  codes: new Set([...permissions.codes].filter((code) => !isSensitivePermission(code))),
});

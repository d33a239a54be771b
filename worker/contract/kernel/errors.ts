type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 406 | 409 | 410 | 413 | 415 | 429 | 500 | 503;

/** The catalogue of contract.md section 2; `message` is the default text for users. */
export const ERRORS = {
  INVALID_INPUT: { status: 400, message: "입력한 내용을 다시 확인해 주십시오." },
  INVALID_CREDENTIAL: { status: 401, message: "계정 정보가 일치하지 않습니다. 다시 입력해주세요." },
  UNAUTHORIZED: { status: 401, message: "로그인 후 이용해 주시기 바랍니다." },
  FORBIDDEN: { status: 403, message: "접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다" },
  NOT_FOUND: { status: 404, message: "요청하신 내용을 찾을 수 없습니다." },
  METHOD_NOT_ALLOWED: { status: 405, message: "지원하지 않는 요청 방식입니다." },
  NOT_ACCEPTABLE: { status: 406, message: "로그인에 실패했습니다. 관리자에게 문의해주세요." },
  ALREADY_EXISTS: { status: 409, message: "이미 사용 중인 값입니다." },
  CONFLICT: { status: 409, message: "그사이 다른 곳에서 내용이 바뀌었습니다. 새로 불러온 뒤 다시 시도해 주십시오." },
  PINCODE_MISMATCH: { status: 400, message: "인증에 실패하였습니다." },
  PINCODE_EXPIRED: { status: 410, message: "인증번호 발송 요청을 다시 해주세요." },
  PAYLOAD_TOO_LARGE: { status: 413, message: "보내신 내용이 허용된 크기를 넘었습니다." },
  UNSUPPORTED_FILE: { status: 415, message: "지원하지 않는 파일 형식입니다." },
  TOO_MANY_REQUESTS: { status: 429, message: "요청이 너무 많습니다. 잠시 후 다시 시도해 주십시오." },
  UPSTREAM_UNAVAILABLE: { status: 503, message: "외부 서비스가 응답하지 않습니다. 잠시 후 다시 시도해 주십시오." },
  INTERNAL_ERROR: { status: 500, message: "일시적인 오류가 발생했습니다. 잠시 후 다시 시도해 주십시오." },
} as const satisfies Record<string, { status: ErrorStatus; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorDetail {
  message?: string;
  /** Input path to Korean message; INVALID_INPUT only. */
  fields?: Record<string, string>;
  /** Whole seconds; TOO_MANY_REQUESTS only. */
  retryAfterSeconds?: number;
  data?: Record<string, unknown>;
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly data: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, detail: ErrorDetail = {}) {
    super(detail.message ?? ERRORS[code].message, { cause: detail.cause });
    this.name = "AppError";
    this.code = code;
    this.status = ERRORS[code].status;
    this.fields = detail.fields;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.data = detail.data;
  }
}

/** @param message of the whole answer; the first field's by default */
export function invalidInput(fields: Record<string, string>, message = Object.values(fields)[0]): AppError {
  return new AppError("INVALID_INPUT", { fields, ...(message === undefined ? {} : { message }) });
}

export interface SuccessAnswer<T> {
  code: "SUCCESS";
  data: T;
}

export interface FailureAnswer {
  code: ErrorCode;
  message: string;
  fields?: Record<string, string>;
  data?: Record<string, unknown>;
  requestId: string;
}

/** Adds the request id, by which the log entry is found. */
export const withRequestNumber = (message: string, requestId: string | undefined): string =>
  requestId ? `${message} (문의 번호 ${requestId})` : message;

export type Envelope<T> = SuccessAnswer<T> | FailureAnswer;

/** The rest was not in a state that allows the change. */
export interface BulkResult {
  changed: number;
}

/** The version for the next change's optimistic lock. */
export interface NewVersion {
  version: number;
}

export interface Versioned<T> {
  value: T;
  version: number;
}

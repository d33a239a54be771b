import { AppError } from "#worker/contract/kernel/errors.ts";

/** Returns null if the user or the page cancelled the request. */
export function passkeyErrorMessage(error: unknown): string | null {
  if (error instanceof AppError) return error.message;
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError" || name === "NotAllowedError") return null;
  if (name === "InvalidStateError") return "이 기기의 패스키는 이미 등록되어 있습니다.";
  if (name === "SecurityError") return "이 주소에서는 패스키를 쓸 수 없습니다. 사이트의 원래 주소로 접속해 주십시오.";
  return "이 기기나 브라우저에서 패스키를 쓸 수 없습니다. 다른 방법을 이용해 주십시오.";
}

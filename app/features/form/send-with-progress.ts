import { dropRefusedSession, getFreshAccessToken } from "#app/lib/session.ts";
import { AppError, type Envelope, ERRORS, withRequestNumber } from "#worker/contract/kernel/errors.ts";

interface ProgressRequest {
  method: "PUT";
  url: string;
  body: Blob | FormData;
  signal: AbortSignal;
  onProgress(percent: number): void;
}

/**
 * Uses XMLHttpRequest because fetch reports no upload progress. @throws AppError; DOMException AbortError when
 * cancelled
 */
export async function sendWithProgress<T>({ method, url, body, signal, onProgress }: ProgressRequest): Promise<T> {
  const token = await getFreshAccessToken();
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancelled = () => reject(new DOMException("cancelled", "AbortError"));
    if (signal.aborted) return cancelled();
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open(method, url);
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.responseType = "text";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onProgress(Math.floor((event.loaded / event.total) * 100));
    });
    request.addEventListener("abort", cancelled);
    request.addEventListener("error", () =>
      reject(
        new AppError("INTERNAL_ERROR", { message: "연결이 끊어졌습니다. 연결을 확인한 뒤 다시 시도해 주십시오." }),
      ),
    );
    request.addEventListener("load", () => {
      try {
        const answer = JSON.parse(request.responseText) as Envelope<T>;
        if (answer.code === "SUCCESS") return resolve(answer.data);
        const code = Object.hasOwn(ERRORS, answer.code) ? answer.code : "INTERNAL_ERROR";
        if (token && code === "UNAUTHORIZED") dropRefusedSession(token);
        const message = Object.values(answer.fields ?? {})[0] ?? answer.message;
        const shown = ERRORS[code].status >= 500 ? withRequestNumber(message, answer.requestId) : message;
        reject(new AppError(code, { message: shown }));
      } catch (cause) {
        reject(new AppError("INTERNAL_ERROR", { cause }));
      }
    });
    request.send(body);
  });
}

export const isAbortError = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

export const firstErrorMessage = (error: unknown): string =>
  error instanceof AppError ? (Object.values(error.fields ?? {})[0] ?? error.message) : ERRORS.INTERNAL_ERROR.message;

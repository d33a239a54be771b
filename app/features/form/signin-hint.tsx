import { AppError } from "#worker/contract/kernel/errors.ts";

function hintText(error: unknown): string | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === "TOO_MANY_REQUESTS") return "기다리지 않고 비밀번호를 다시 정하실 수도 있습니다.";
  const remaining = error.code === "INVALID_CREDENTIAL" ? error.data?.remaining : undefined;
  if (typeof remaining !== "number") return null;
  return remaining === 0
    ? "비밀번호를 여러 번 틀리셔서 한동안 로그인하실 수 없습니다."
    : `${remaining}번 더 틀리시면 한동안 로그인하실 수 없습니다.`;
}

/** Opens the link in a new tab if the page has unsaved input. */
export function SigninHint({ error, newTab = false }: { error: unknown; newTab?: boolean }) {
  const text = hintText(error);
  if (!text) return null;
  return (
    <>
      {" "}
      {text}{" "}
      <a
        href="/Account/FindPassword"
        className="font-semibold underline underline-offset-4"
        {...(newTab ? { target: "_blank", rel: "noopener" } : {})}
      >
        비밀번호 재설정{newTab && <span className="sr-only"> (새 창)</span>}
      </a>
    </>
  );
}

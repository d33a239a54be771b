import X from "lucide-react/icons/x";
import { type ReactNode, useSyncExternalStore } from "react";
import { IconButton } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";

type Tone = "info" | "success" | "error";
interface Toast {
  id: number;
  text: ReactNode;
  tone: Tone;
}

const LIFE_MS: Record<Tone, number> = { info: 5000, success: 5000, error: 10_000 };
const NONE: readonly Toast[] = [];
const listeners = new Set<() => void>();
let toasts = NONE;
let lastId = 0;

function setToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
function removeToast(id: number): void {
  setToasts(toasts.filter((each) => each.id !== id));
}

/** Says something that has happened; for the browser alone, never while rendering. */
export function toast(text: ReactNode, tone: Tone = "info", lifeMs = LIFE_MS[tone]): void {
  const id = ++lastId;
  setToasts([...toasts.filter((each) => each.text !== text).slice(-2), { id, text, tone }]);
  setTimeout(() => removeToast(id), lifeMs);
}

const TONES: Record<Tone, string> = {
  info: "bg-gray-80 text-white",
  success: "bg-success-60 text-white",
  error: "bg-danger-60 text-white",
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stands once, in the root; both regions exist before there is something to say, as screen readers need it. */
export function ToastRegion() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );
  const list = (urgent: boolean) =>
    shown
      .filter((each) => (each.tone === "error") === urgent)
      .map((each) => (
        <div
          key={each.id}
          className={cx(
            "on-dark pointer-events-auto flex w-full max-w-md animate-rise items-center gap-2 rounded-lg py-2 pr-2 pl-5 shadow-lg",
            TONES[each.tone],
          )}
        >
          <p className="min-w-0 flex-1 py-1.5">{each.text}</p>
          <IconButton
            label="알림 닫기"
            onClick={() => removeToast(each.id)}
            className="text-white hover:bg-white/15 hover:text-white"
          >
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        </div>
      ));
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 print:hidden">
      <div role="alert" className="contents">
        {list(true)}
      </div>
      <div role="status" className="contents">
        {list(false)}
      </div>
    </div>
  );
}

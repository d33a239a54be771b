import X from "lucide-react/icons/x";
import { type ReactNode, useSyncExternalStore } from "react";
import { IconButton } from "#app/ui/button.tsx";
import { TOAST_LIFE_MS, TOAST_TEXT_CLASS, toastClass, type ToastTone } from "#app/ui/toast-look.ts";

interface Toast {
  id: number;
  text: ReactNode;
  tone: ToastTone;
}

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

/** Shows a toast; browser only, never during rendering. */
export function toast(text: ReactNode, tone: ToastTone = "info", lifeMs = TOAST_LIFE_MS[tone]): void {
  const id = ++lastId;
  setToasts([...toasts.filter((each) => each.text !== text).slice(-2), { id, text, tone }]);
  setTimeout(() => removeToast(id), lifeMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Rendered once, in the root. Screen readers need both live regions before the first toast. */
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
        <div key={each.id} className={toastClass(each.tone)}>
          <p className={TOAST_TEXT_CLASS}>{each.text}</p>
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
    <div
      id="toasts"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 print:hidden"
    >
      <div role="alert" className="contents">
        {list(true)}
      </div>
      <div role="status" className="contents">
        {list(false)}
      </div>
    </div>
  );
}

import { lazy, useCallback, useEffect, useRef, useState } from "react";
import { setSecondFactorPrompt } from "#app/lib/second-factor-prompt.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { LazyPart } from "#app/ui/lazy-part.tsx";

/** Asks again for the second factor while the action waits with its form. */
export function SecondFactorPrompt() {
  const settle = useRef<((shown: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  useEffect(
    () =>
      setSecondFactorPrompt(() => {
        setOpen(true);
        return new Promise<boolean>((resolve) => {
          settle.current = resolve;
        });
      }),
    [],
  );
  const close = useCallback((shown: boolean) => {
    setOpen(false);
    settle.current?.(shown);
    settle.current = null;
  }, []);
  return (
    <Dialog open={open} onClose={() => close(false)} title="본인 확인">
      <p className="mb-5 text-gray-70">
        중요한 작업을 하기 전에 본인인지 한 번 더 확인합니다. 확인은 5분 동안 유지됩니다.
      </p>
      <LazyPart fallback={<p role="status">불러오는 중입니다.</p>}>
        <LazyVerifyForm onDone={() => close(true)} />
      </LazyPart>
    </Dialog>
  );
}

/** Is loaded lazily because few pages ask for it. */
export const LazyVerifyForm = lazy(() => import("./verify-form.tsx"));

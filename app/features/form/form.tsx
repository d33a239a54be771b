import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useLayoutEffect, useRef, useState } from "react";
import { Button, type ButtonSize } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";
import { tellTypedEarly } from "#app/lib/typed-early.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";

interface FormProps {
  onSubmit: () => void;
  children: ReactNode;
  ref?: Ref<HTMLFormElement> | undefined;
  label?: string | undefined;
  className?: string | undefined;
}

/** A form that the page's own script sends. `post`, so that what was typed never stands in an address. */
export function Form({ onSubmit, children, ref, label, className }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog's form is, for React, inside the form that opened it.
    event.stopPropagation();
    onSubmit();
  };
  // Enter that ends a syllable is no wish to send.
  const keepComposing = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.nativeEvent.isComposing || event.keyCode === 229)) event.preventDefault();
  };
  return (
    <form
      ref={ref}
      method="post"
      noValidate
      aria-label={label}
      className={className}
      onSubmit={submit}
      onKeyDown={keepComposing}
    >
      <noscript>
        <p className="mb-6 rounded-lg border border-warning-50 bg-warning-5 px-5 py-4 text-warning-60">
          이 화면을 이용하시려면 브라우저의 자바스크립트를 켜 주십시오.
        </p>
      </noscript>
      {children}
    </form>
  );
}

/** Until the page listens Enter sends nothing: the form's first button is one that cannot be pressed. What is typed stays. */
export function Ready({ children, className }: { children: ReactNode; className?: string }) {
  const hydrated = useHydrated();
  const fields = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (fields.current) tellTypedEarly(fields.current);
  }, []);
  return (
    <div ref={fields} className={cx("min-w-0", !hydrated && "[&_button]:pointer-events-none", className)}>
      {!hydrated && <button type="submit" disabled hidden aria-label="준비 중" />}
      {children}
    </div>
  );
}

/** Submits once the page listens; before that a click would send the form past the script. */
export function SubmitButton({
  busy,
  children,
  size = "lg",
  danger = false,
  className,
}: {
  busy: boolean;
  children: ReactNode;
  size?: ButtonSize;
  danger?: boolean;
  className?: string;
}) {
  const hydrated = useHydrated();
  return (
    <Button
      type={hydrated ? "submit" : "button"}
      variant={danger ? "danger" : "primary"}
      size={size}
      busy={busy}
      className={cx(!hydrated && "pointer-events-none", className)}
    >
      {children}
    </Button>
  );
}

/** Runs one thing at a time: a double click or a second Enter does nothing. */
export function useOnce(): [busy: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return [busy, run];
}

import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useRef, useState } from "react";
import { captureSubmittedForm } from "#app/features/form/unsaved.ts";
import { Button, type ButtonSize } from "#app/ui/button.tsx";
import { cx } from "#app/ui/cx.ts";

interface ValidatedFormProps {
  onSubmit: () => void;
  children: ReactNode;
  ref?: Ref<HTMLFormElement> | undefined;
  label?: string | undefined;
  className?: string | undefined;
}

/** A form that the page's own script sends. `post`, so that what was typed never stands in an address. */
export function ValidatedForm({ onSubmit, children, ref, label, className }: ValidatedFormProps) {
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
        {/* The form's first button is one that cannot be pressed, so that Enter sends nothing. */}
        <button type="submit" disabled hidden aria-label="준비 중" />
      </noscript>
      {children}
    </form>
  );
}

/** Sends the form; without a script, which alone can, it is not there. */
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
  return (
    <Button
      type="submit"
      variant={danger ? "danger" : "primary"}
      size={size}
      busy={busy}
      className={cx("needs-script", className)}
    >
      {children}
    </Button>
  );
}

/** What the work of a form gives when all that was typed in it is kept. */
export const SAVED = "saved";

/** Runs one thing at a time: a double click or a second Enter does nothing. */
export function useOnce(): [busy: boolean, run: (work: () => Promise<typeof SAVED | void>) => Promise<void>] {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<typeof SAVED | void>) => {
    if (running.current) return;
    running.current = true;
    const markSaved = captureSubmittedForm();
    setBusy(true);
    try {
      if ((await work()) === SAVED) markSaved();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return [busy, run];
}

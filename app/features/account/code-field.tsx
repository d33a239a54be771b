import { type Ref, useEffect, useState } from "react";
import { formatCountdown } from "#app/features/account/verification.ts";
import type { AccountTexts } from "#app/lib/texts/account.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { now } from "#app/lib/clock.ts";

interface CodeFieldProps {
  ref: Ref<HTMLInputElement>;
  resendAt: number;
  expiresAt: number;
  error: string | null;
  busy: boolean;
  onResend: () => void;
  texts: AccountTexts["code"];
}

export function CodeField({ ref, resendAt, expiresAt, error, busy, onResend, texts }: CodeFieldProps) {
  const nowMs = useCurrentTime(true);
  const wait = Math.ceil((resendAt - nowMs) / 1000);
  return (
    <Field id="pincode" label={texts.label} error={error} required>
      <span className="flex gap-2">
        <Input
          ref={ref}
          name="pincode"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder={texts.placeholder}
          className="tabular min-w-0 flex-1 tracking-widest placeholder:tracking-normal"
          onInput={({ currentTarget, nativeEvent }) => {
            // An input method would write its text again.
            if (!(nativeEvent as InputEvent).isComposing) keepDigits(currentTarget);
          }}
          onCompositionEnd={({ currentTarget }) => keepDigits(currentTarget)}
        />
        <Button onClick={onResend} disabled={wait > 0} busy={busy} className="tabular">
          {wait > 0 ? texts.wait(wait) : texts.again}
        </Button>
      </span>
      <span role="timer" className="tabular mt-2 block text-sm text-gray-70">
        {expiresAt > nowMs ? texts.left(formatCountdown(expiresAt - nowMs)) : texts.over}
      </span>
    </Field>
  );
}

function keepDigits(input: HTMLInputElement): void {
  const digits = input.value.normalize("NFKC").replace(/\D/g, "").slice(0, 6);
  if (digits !== input.value) input.value = digits;
}

export function useCurrentTime(watching: boolean): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!watching) return;
    const timer = setInterval(() => setTime(now()), 1000);
    return () => clearInterval(timer);
  }, [watching]);
  return time;
}

import type { Ref } from "react";
import { useCurrentTime } from "#app/features/account/use-current-time.ts";
import { formatCountdown } from "#app/features/account/verification.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";

interface CodeFieldProps {
  ref: Ref<HTMLInputElement>;
  resendAt: number;
  expiresAt: number;
  error: string | null;
  busy: boolean;
  onResend: () => void;
}

/** Six digits with the time that is left for them, and another code after a while. */
export function CodeField({ ref, resendAt, expiresAt, error, busy, onResend }: CodeFieldProps) {
  const now = useCurrentTime(true);
  const wait = Math.ceil((resendAt - now) / 1000);
  return (
    <Field id="pincode" label="인증번호" error={error} required>
      <span className="flex gap-2">
        <Input
          ref={ref}
          name="pincode"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="6자리 숫자"
          className="tabular min-w-0 flex-1 tracking-widest placeholder:tracking-normal"
          onInput={(event) => {
            const digits = event.currentTarget.value.normalize("NFKC").replace(/\D/g, "").slice(0, 6);
            if (digits !== event.currentTarget.value) event.currentTarget.value = digits;
          }}
        />
        <Button onClick={onResend} disabled={wait > 0} busy={busy} className="tabular">
          {wait > 0 ? `재전송 (${wait}초)` : "재전송"}
        </Button>
      </span>
      <span role="timer" className="tabular mt-2 block text-sm text-gray-70">
        {expiresAt > now ? `남은 시간 ${formatCountdown(expiresAt - now)}` : "인증번호 입력 시간이 지났습니다."}
      </span>
    </Field>
  );
}

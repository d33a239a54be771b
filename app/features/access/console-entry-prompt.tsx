import { useEffect, useRef, useState } from "react";
import { formText } from "#app/features/form/form-values.ts";
import { LongReasonField } from "#app/features/form/reason-field.tsx";
import { setConsoleEntryPrompt } from "#app/lib/second-factor-prompt.ts";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import type { ConsoleEntryProof } from "#worker/contract/kernel/second-factor.ts";

type Proof = ConsoleEntryProof | null;

/** Asks why somebody is let into the console, and for the giver's password; the change waits, with all that was typed. */
export function ConsoleEntryPrompt() {
  const settle = useRef<((proof: Proof) => void) | null>(null);
  const [asked, setAsked] = useState<{ wrong: string | null } | null>(null);
  const [errors, setErrors] = useState<ConsoleEntryProof>({});
  useEffect(
    () =>
      setConsoleEntryPrompt((wrong) => {
        setAsked({ wrong });
        setErrors(wrong ? { password: wrong } : {});
        return new Promise<Proof>((resolve) => {
          settle.current = resolve;
        });
      }),
    [],
  );
  const close = (proof: Proof) => {
    setAsked(null);
    settle.current?.(proof);
    settle.current = null;
  };
  const submit = (form: FormData) => {
    const reason = formText(form, "reason");
    const password = String(form.get("password") ?? "");
    const missing = {
      ...(reason ? {} : { reason: "사유를 입력해 주십시오." }),
      ...(password ? {} : { password: "비밀번호를 입력해 주십시오." }),
    };
    setErrors(missing);
    if (Object.keys(missing).length === 0) close({ reason, password });
  };
  return (
    <FormDialog
      open={asked !== null}
      onClose={() => close(null)}
      title="관리 화면 권한 주기"
      size="sm"
      submitLabel="권한 주기"
      danger
      busy={false}
      onSubmit={submit}
    >
      <p className="text-gray-70">
        관리 화면에 들어올 수 있는 사람이 늘어납니다. 사유와 본인의 비밀번호를 입력해 주십시오. 사유는 감사 기록에
        남습니다.
      </p>
      <LongReasonField hint="누구에게 왜 주는지 적어 주십시오." error={errors.reason} />
      <Field label="비밀번호" required error={errors.password}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
    </FormDialog>
  );
}

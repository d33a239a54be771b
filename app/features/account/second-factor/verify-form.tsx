import { useEffect, useRef, useState } from "react";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor-rules.ts";
import type { VerifyMethods } from "#worker/contract/account/second-factor-view.ts";
import { passkeyErrorMessage } from "./passkey-error.ts";

type Method = keyof VerifyMethods;

const METHODS: Record<Method, { label: string; text: string; field: string; missing: string }> = {
  passkey: {
    label: "패스키로 확인",
    text: "등록하신 기기의 지문, 얼굴 또는 화면 잠금 번호로 확인합니다. 아래 단추를 누르고 기기의 안내를 따라 주십시오.",
    field: "",
    missing: "",
  },
  totp: {
    label: "인증 앱으로 확인",
    text: "휴대전화의 인증 앱을 열고, 지금 보이는 숫자 6자리를 입력해 주십시오.",
    field: "인증 앱의 숫자 6자리",
    missing: "인증 앱에 보이는 숫자 6자리를 입력해 주십시오.",
  },
  recoveryCode: {
    label: "복구 코드로 확인",
    text: "등록할 때 받아 두신 복구 코드 가운데 아직 쓰지 않은 것을 하나 입력해 주십시오. 한 번 쓴 코드는 다시 쓸 수 없습니다.",
    field: "복구 코드",
    missing: "복구 코드를 입력해 주십시오.",
  },
  password: {
    label: "비밀번호로 확인",
    text: "로그인하실 때 쓰는 비밀번호를 입력해 주십시오.",
    field: "비밀번호",
    missing: "비밀번호를 입력해 주십시오.",
  },
};
const ORDER: Method[] = ["passkey", "totp", "recoveryCode", "password"];

/** Shows the second factor by whichever way the person has; `onDone` once the server took it. */
export default function VerifyForm({ onDone }: { onDone: () => void }) {
  const [methods, setMethods] = useState<Method[] | null>(null);
  const [method, setMethod] = useState<Method>("passkey");
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    let isHere = true;
    const load = async () => {
      try {
        const own = await callApi(api["second-factor"].$get());
        if (!isHere) return;
        const usable = ORDER.filter(
          (each) => own.methods[each] && (each !== "passkey" || "PublicKeyCredential" in window),
        );
        setMethods(usable);
        setMethod(usable[0] ?? "password");
      } catch (thrown) {
        if (isHere) setError(errorMessage(thrown));
      }
    };
    void load();
    return () => {
      isHere = false;
    };
  }, []);
  useEffect(() => {
    if (methods) (field.current ?? button.current)?.focus();
  }, [methods, method]);

  const { busy, run } = useAction({
    reloads: "never",
    onFailure(failure, thrown) {
      setError(method === "passkey" ? (passkeyErrorMessage(thrown) ?? "확인을 취소하였습니다.") : failure.message);
      field.current?.focus();
      field.current?.select();
      return true;
    },
  });
  const show = (work: () => Promise<unknown>) => {
    setError(null);
    return run(async () => {
      await work();
      onDone();
    }, null);
  };
  const showPasskey = async () => {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const { passkey } = await callApi(api["second-factor"]["verify-options"].$post({ json: {} }));
    // Removed from another device since this form was opened.
    if (!passkey)
      throw new AppError("NOT_FOUND", { message: "등록된 패스키가 없습니다. 다른 방법으로 확인해 주십시오." });
    const response = await startAuthentication({ optionsJSON: passkey });
    await callApi(api["second-factor"].verify.$post({ json: { kind: "passkey", response } }));
  };
  const submit = () => {
    if (method === "passkey") return void show(showPasskey);
    const typed = field.current?.value ?? "";
    if (typed.trim() === "") {
      setError(METHODS[method].missing);
      return field.current?.focus();
    }
    const json = method === "password" ? { kind: method, password: typed } : { kind: method, code: typed };
    return void show(() => callApi(api["second-factor"].verify.$post({ json })));
  };

  if (!methods) return error ? <Alert tone="error">{error}</Alert> : <p role="status">불러오는 중입니다.</p>;
  const { text, field: label } = METHODS[method];
  const others = methods.filter((each) => each !== method);
  return (
    <ValidatedForm onSubmit={submit} label={METHODS[method].label}>
      <p className="mb-5">{text}</p>
      {method !== "passkey" && (
        <Field key={method} label={label} error={error} className="mb-5">
          {method === "password" ? (
            <PasswordInput ref={field} name="password" autoComplete="current-password" />
          ) : (
            <Input
              ref={field}
              name="code"
              autoComplete="one-time-code"
              inputMode={method === "totp" ? "numeric" : "text"}
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={SECOND_FACTOR_LIMITS.typedCodeLength}
            />
          )}
        </Field>
      )}
      <ErrorAlert className="mb-5">{method === "passkey" && error}</ErrorAlert>
      {method === "passkey" ? (
        <Button ref={button} type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          패스키로 확인
        </Button>
      ) : (
        <SubmitButton busy={busy} className="w-full">
          확인
        </SubmitButton>
      )}
      {others.length > 0 && (
        <div className="mt-3 grid gap-3">
          {others.map((each) => (
            <Button
              key={each}
              onClick={() => {
                setError(null);
                setMethod(each);
              }}
            >
              {METHODS[each].label}
            </Button>
          ))}
        </div>
      )}
    </ValidatedForm>
  );
}

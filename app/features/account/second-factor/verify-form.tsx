import { useEffect, useEffectEvent, useRef, useState } from "react";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor.ts";
import { useSecondFactorTexts } from "./texts.ts";
import type { VerifyMethods } from "#worker/domain/account/second-factor/factor.server.ts";

type Method = keyof VerifyMethods;

const ORDER: Method[] = ["passkey", "totp", "recoveryCode", "password"];

export function VerifyForm({ onDone }: { onDone: () => void }) {
  const texts = useSecondFactorTexts();
  const [methods, setMethods] = useState<Method[] | null>(null);
  const [method, setMethod] = useState<Method>("passkey");
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const sayLoadFailure = useEffectEvent((thrown: unknown) => setError(texts.failed(thrown)));

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
        if (isHere) sayLoadFailure(thrown);
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
      setError(method === "passkey" ? (texts.passkeyFailed(thrown) ?? texts.passkeyCancelled) : texts.failed(failure));
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
    // The passkey was removed on another device after this form opened.
    if (!passkey) throw new AppError("NOT_FOUND", { message: texts.passkeyGone });
    const response = await startAuthentication({ optionsJSON: passkey });
    await callApi(api["second-factor"].verify.$post({ json: { kind: "passkey", response } }));
  };
  const submit = () => {
    if (method === "passkey") return void show(showPasskey);
    const typed = field.current?.value ?? "";
    if (typed.trim() === "") {
      setError(texts.methods[method].missing);
      return field.current?.focus();
    }
    const json = method === "password" ? { kind: method, password: typed } : { kind: method, code: typed };
    return void show(() => callApi(api["second-factor"].verify.$post({ json })));
  };

  if (!methods) return error ? <Alert tone="error">{error}</Alert> : <p role="status">{texts.loading}</p>;
  const { text, field: label } = texts.methods[method];
  const others = methods.filter((each) => each !== method);
  return (
    <ValidatedForm onSubmit={submit} label={texts.methods[method].label}>
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
          {texts.methods.passkey.label}
        </Button>
      ) : (
        <SubmitButton busy={busy} className="w-full">
          {texts.submit}
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
              {texts.methods[each].label}
            </Button>
          ))}
        </div>
      )}
    </ValidatedForm>
  );
}

import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";
import { firstErrorMessage } from "#app/features/form/send-with-progress.ts";
import { hasUnsavedInput } from "#app/features/form/unsaved.ts";
import { SigninHint } from "#app/features/form/signin-hint.tsx";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_FORM_TEXTS } from "#app/lib/texts/korean-form.ts";
import { api, callApi } from "#app/lib/api.ts";
import { promptSecondFactor } from "#app/lib/second-factor-prompt.ts";
import { keepSession, readSigninKey, rememberSigninKey, subscribeToSession } from "#app/lib/session.ts";
import { isOthersSession } from "#app/lib/session-tokens.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";

interface SigninKey {
  userKeyType: keyof typeof USER_KEY_NAMES;
  userKeyCode: string;
}

interface SigninDialogProps {
  open: boolean;
  /** Null if the page does not know the user; the dialog then asks for the key. */
  writer: SigninKey | null;
  onDone: (signedIn: boolean) => void;
}

/** Accepts any kind of key, regardless of the sign-in form's setting. */
function toUserKey(typed: string) {
  const userKeyCode = typed.trim();
  const userKeyType = userKeyCode.includes("@") ? "Email" : /^[\d-]+$/.test(userKeyCode) ? "Mobile" : "Id";
  return { userKeyType, userKeyCode } as const;
}

/** @returns false if the second factor is missing @throws AppError, also for another member than the page's */
export async function signInAgain(key: SigninKey, password: string) {
  const tokens = await callApi(api.user.signin.$post({ json: { ...key, password } }));
  keepSession(tokens);
  if (isOthersSession()) throw new AppError("UNAUTHORIZED", { message: "이 화면을 쓰던 계정이 아닙니다." });
  rememberSigninKey(key.userKeyCode);
  return !tokens.secondFactor || promptSecondFactor();
}

/** Signs in on the open page so that no typed text is lost. */
export function SigninDialog({ open, writer, onDone }: SigninDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const texts = useSection("form", KOREAN_FORM_TEXTS).again;
  const [refusal, setRefusal] = useState<unknown>(null);
  const { revalidate } = useRevalidator();
  const isOthers = useSyncExternalStore(subscribeToSession, isOthersSession, () => false);
  useEffect(() => {
    if (open) (keyField.current?.value === "" ? keyField : field).current?.focus();
  }, [open]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const { userKeyType, userKeyCode } = writer ?? toUserKey(keyField.current?.value ?? "");
    if (userKeyCode === "") return fail(texts.keyMissing, keyField);
    const password = field.current?.value ?? "";
    if (password === "") return fail(texts.passwordMissing);
    setBusy(true);
    setError(null);
    setRefusal(null);
    try {
      if (!(await signInAgain({ userKeyType, userKeyCode }, password))) return fail(texts.secondFactorMissing);
      onDone(true);
      // A reload may answer that this person lost the right to the page; their text would go with it.
      if (!hasUnsavedInput()) void revalidate();
    } catch (thrown) {
      fail(texts.failed || firstErrorMessage(thrown));
      setRefusal(thrown);
    } finally {
      setBusy(false);
    }
  };
  const fail = (message: string, at = field) => {
    setError(message);
    at.current?.focus();
  };
  return (
    <Dialog open={open} onClose={() => onDone(false)} title={texts.title} locked={busy}>
      <form onSubmit={submit} noValidate>
        <p className="text-gray-70">
          {isOthers ? texts.others : texts.over} {texts.kept(writer !== null)}
        </p>
        {writer ? (
          <Field label={USER_KEY_NAMES[writer.userKeyType]} className="mt-4">
            <Input readOnly value={writer.userKeyCode} autoComplete="username" />
          </Field>
        ) : (
          <Field label={texts.key} className="mt-4">
            <Input
              ref={keyField}
              defaultValue={open ? readSigninKey() : ""}
              autoComplete="username"
              autoCapitalize="none"
            />
          </Field>
        )}
        <Field label={texts.password} error={error} className="mt-4">
          <PasswordInput ref={field} autoComplete="current-password" />
        </Field>
        <p className="mt-2 text-sm text-gray-70" aria-live="polite">
          <SigninHint error={refusal} newTab />
        </p>
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={() => onDone(false)} disabled={busy}>
            {texts.cancel}
          </Button>
          <Button variant="primary" type="submit" busy={busy}>
            {texts.signin}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

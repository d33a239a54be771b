import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { ValidatedForm, SubmitButton } from "#app/features/form/validated-form.tsx";
import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { useSigninTexts } from "#app/features/account/signin-texts.ts";
import { SigninHint } from "#app/features/form/signin-hint.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { enterSite } from "#app/features/account/enter-site.ts";
import { PasskeySignin } from "#app/features/account/second-factor/passkey-signin.tsx";
import { readRememberedId, rememberId, rememberSigninKey } from "#app/lib/session.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { useReturningPath } from "#app/lib/return-url.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { normaliseUserKey, type UserKeyType, userKeyProblem } from "#worker/contract/account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/identity-rules.ts";

interface SigninErrors {
  key?: string;
  password?: string;
  form?: string;
  thrown?: unknown;
}

/** Fields are uncontrolled so that values filled in before hydration count. */
export function SigninForm({ userKeyType, returnUrl }: { userKeyType: UserKeyType; returnUrl: string }) {
  const texts = useSigninTexts();
  const { language } = useTexts();
  const returning = useReturningPath();
  const key = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const remember = useRef<HTMLInputElement>(null);
  const [errors, setErrors] = useState<SigninErrors>({});
  const { busy, run } = useAction({
    reloads: "never",
    onFailure(failure) {
      setErrors({ form: texts.failed(failure), thrown: failure });
      password.current?.focus();
      password.current?.select();
      return true;
    },
  });

  useEffect(() => {
    const remembered = readRememberedId();
    if (!remembered) return;
    if (remember.current) remember.current.checked = true;
    if (key.current?.value === "") key.current.value = remembered;
    password.current?.focus();
  }, []);

  const check = (userKeyCode: string, secret: string): SigninErrors => {
    const found: SigninErrors = {};
    if (userKeyCode === "") found.key = texts.keyMissing(userKeyType);
    else {
      const problem = userKeyProblem(userKeyType, userKeyCode, WIDEST_ACCOUNT_RULES);
      if (problem) found.key = texts.keyProblem(userKeyType, problem);
    }
    if (secret === "") found.password = texts.passwordMissing;
    return found;
  };

  const submit = () => {
    if (busy) return;
    const userKeyCode = normaliseUserKey(userKeyType, key.current?.value ?? "");
    const secret = password.current?.value ?? "";
    const found = check(userKeyCode, secret);
    setErrors(found);
    if (found.key) return key.current?.focus();
    if (found.password) return password.current?.focus();
    return void run(async () => {
      const keep = remember.current?.checked ?? false;
      const json = { userKeyType, userKeyCode, password: secret, returnUrl, rememberId: keep };
      const tokens = await callApi(api.user.signin.$post({ json }));
      rememberId(keep ? userKeyCode : null);
      rememberSigninKey(userKeyCode);
      await enterSite(tokens, returnUrl);
    }, null);
  };

  return (
    <ValidatedForm onSubmit={submit} label={texts.title}>
      <div className="space-y-5">
        <Field label={texts.keys[userKeyType]} error={errors.key}>
          <UserKeyInput ref={key} userKeyType={userKeyType} name="userKeyCode" autoComplete="username webauthn" />
        </Field>
        <Field label={texts.password} error={errors.password}>
          <PasswordInput ref={password} name="password" autoComplete="current-password" />
        </Field>
        <Checkbox ref={remember} name="rememberId" label={texts.remember(texts.keys[userKeyType])} />
        {errors.form && (
          <Alert tone="error">
            {errors.form}
            {language === "ko" && <SigninHint error={errors.thrown} />}
          </Alert>
        )}
        <SubmitButton busy={busy} className="w-full">
          {texts.title}
        </SubmitButton>
        <PasskeySignin returnUrl={returnUrl} onError={(message) => setErrors({ form: message })} />
      </div>
      <ul className="mt-6 flex flex-wrap justify-center text-sm">
        {texts.links.map((link, index) => (
          <li key={link.href} className="flex items-center">
            {index > 0 && <span aria-hidden="true" className="h-3.5 w-px bg-gray-30" />}
            <Link
              to={returning(link.href)}
              className="inline-flex min-h-11 items-center px-4 text-gray-70 underline-offset-4 hover:text-primary-60 hover:underline"
            >
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
      {texts.note && <p className="mt-4 text-center text-sm text-gray-60">{texts.note}</p>}
    </ValidatedForm>
  );
}

import { Link, redirect, useSearchParams } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { useSection, useTexts } from "#app/lib/page-language.ts";
import { type Matches, pageMeta, sectionOf } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { withRestoredHash } from "#app/lib/destination.ts";
import { returningPath, safeReturnUrl, secondFactorPathFor, useReturningPath } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { normaliseUserKey, SIGNIN_KEY, userKeyProblem, type UserKeyType } from "#worker/contract/account/rules.ts";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/signin";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { SubmitButton, ValidatedForm } from "#app/features/form/validated-form.tsx";
import { UserKeyInput } from "#app/features/account/user-key-input.tsx";
import { SigninHint } from "#app/features/form/signin-hint.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { keepSession, readRememberedId, rememberId, rememberSigninKey } from "#app/lib/session.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { PasswordInput } from "#app/ui/password-input.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/setting/identity-rules.ts";
import type { TokenPair } from "#worker/contract/account/view.ts";
import { Button } from "#app/ui/button.tsx";
import { enterMessage, keyMissingMessage, signinErrorMessage } from "#app/features/account/error-messages.ts";
import { passkeyErrorMessage } from "#app/features/account/second-factor/passkey-error.ts";
import type { SigninTexts } from "#app/lib/texts/signin.ts";
import { UI_MESSAGES, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const [{ authType }, ctx] = await Promise.all([getAuthenticationInfo(scope), scope.context()]);
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const home = language === "en" ? ENGLISH_ROOT : "/";
  const returnUrl = safeReturnUrl(searchParams.get("returnUrl") ?? home);
  if (ctx.actor.kind !== "guest") throw redirect(returnUrl);
  if (ctx.actor.pending) throw redirect(secondFactorPathFor(returnUrl, language));
  return { userKeyType: SIGNIN_KEY[authType] };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: signinTextsOf(matches).title, path: "/Account/Signin" });

export default function SigninPage({ loaderData }: Route.ComponentProps) {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  const texts = useSigninTexts();
  const home = useTexts().pathOf("", "/");
  return (
    <AccountPage title={texts.title}>
      {returnUrl && <Alert className="mb-6">{texts.memberOnly}</Alert>}
      <SigninForm userKeyType={loaderData.userKeyType} returnUrl={safeReturnUrl(returnUrl ?? home)} />
    </AccountPage>
  );
}

interface SigninErrors {
  key?: string;
  password?: string;
  form?: string;
  thrown?: unknown;
}

/** Fields are uncontrolled so that values filled in before hydration count. */
function SigninForm({ userKeyType, returnUrl }: { userKeyType: UserKeyType; returnUrl: string }) {
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

/** Loads a whole document after sign-in so that the page frame is the member's. */
async function enterSite(tokens: TokenPair, returnUrl: string): Promise<never> {
  keepSession(tokens);
  const asked = tokens.pendingAgreements?.length ?? 0;
  const language = languageOf(location.pathname);
  const root = language === "en" ? ENGLISH_ROOT : "";
  const wanted = withRestoredHash(returnUrl, location.hash);
  const next = asked > 0 ? returningPath(`${root}/Account/Agreements`, wanted) : wanted;
  location.replace(tokens.secondFactor ? secondFactorPathFor(next, language) : next);
  return new Promise(() => {});
}

/** Renews before the server's challenge expires after `SECOND_FACTOR_LIMITS.challengeMs` (5 minutes). */
const RENEW_MS = 4 * 60_000;

function PasskeySignin({ returnUrl, onError }: { returnUrl: string; onError: (message: string) => void }) {
  const texts = useSigninTexts();
  const [isSupported, setSupported] = useState(false);
  const { busy, run } = useAction({
    reloads: "never",
    onFailure(_failure, thrown) {
      onError(texts.passkeyFailed(thrown) ?? texts.passkeyCancelled);
      return true;
    },
  });

  const askPasskey = async (useBrowserAutofill: boolean) => {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const optionsJSON = await callApi(api["second-factor"]["signin-options"].$post({ json: {} }));
    return startAuthentication({ optionsJSON, useBrowserAutofill });
  };
  const signIn = async (response: Awaited<ReturnType<typeof askPasskey>>) =>
    enterSite(await callApi(api["second-factor"].signin.$post({ json: { response } })), returnUrl);
  const signInByAutofill = useEffectEvent(async () => {
    // Ignores failures: the user has not asked for a passkey yet.
    const response = await askPasskey(true).catch(() => null);
    if (!response) return;
    await signIn(response).catch((error: unknown) => {
      const message = texts.passkeyFailed(error);
      if (message) onError(message);
    });
  });

  useEffect(() => {
    let isHere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // With autofill, the request waits in the background until a passkey is chosen.
    const wait = () => {
      timer = setTimeout(wait, RENEW_MS);
      void signInByAutofill();
    };
    const start = async () => {
      if (!("PublicKeyCredential" in window)) return;
      setSupported(true);
      const { browserSupportsWebAuthnAutofill } = await import("@simplewebauthn/browser");
      if ((await browserSupportsWebAuthnAutofill()) && isHere) wait();
    };
    void start();
    return () => {
      isHere = false;
      clearTimeout(timer);
      void import("@simplewebauthn/browser").then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
    };
  }, []);

  if (!isSupported) return null;
  return (
    <Button
      size="lg"
      className="w-full"
      busy={busy}
      onClick={() => void run(async () => signIn(await askPasskey(false)), null)}
    >
      {texts.passkey}
    </Button>
  );
}

const KOREAN_SIGNIN_TEXTS: SigninTexts = {
  title: "로그인",
  memberOnly: UI_MESSAGES.memberOnly,
  keys: USER_KEY_NAMES,
  keyMissing: keyMissingMessage,
  keyProblem: (_type, said) => said,
  password: "비밀번호",
  passwordMissing: enterMessage("비밀번호"),
  remember: (key) => `${key} 저장`,
  failed: signinErrorMessage,
  passkey: "패스키로 로그인",
  passkeyCancelled: "패스키 로그인을 취소하였습니다.",
  passkeyFailed: passkeyErrorMessage,
  links: [
    { label: "아이디 찾기", href: "/Account/FindId" },
    { label: "비밀번호 찾기", href: "/Account/FindPassword" },
    { label: "회원가입", href: "/Account/Signup" },
  ],
  note: "",
};

const useSigninTexts = () => useSection("signin", KOREAN_SIGNIN_TEXTS);

const signinTextsOf = (matches: Matches) => sectionOf(matches, "signin", KOREAN_SIGNIN_TEXTS);

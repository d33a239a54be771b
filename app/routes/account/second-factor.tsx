import { redirect } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { VerifyForm } from "#app/features/account/second-factor/verify-form.tsx";
import { secondFactorTextsOf, useSecondFactorTexts } from "#app/features/account/second-factor/texts.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { useSiteFrame, useTexts } from "#app/lib/page-language.ts";
import { followReturnUrl, withRestoredHash } from "#app/lib/destination.ts";
import { safeReturnUrl, signinPathFor } from "#app/lib/return-url.ts";
import { signOut } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { getOwnSecondFactor } from "#worker/domain/account/second-factor/factor.server.ts";
import { UserText } from "#app/ui/user-text.tsx";
import { ENGLISH_ROOT, languageOf } from "#worker/contract/kernel/language.ts";
import type { Route } from "./+types/second-factor";
import { useState } from "react";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/inline.tsx";
import type { RecoveryView } from "#worker/contract/account/second-factor.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { pathname, searchParams } = new URL(request.url);
  const language = languageOf(pathname);
  const returnUrl = safeReturnUrl(searchParams.get("returnUrl") ?? (language === "en" ? ENGLISH_ROOT : "/"));
  if (ctx.actor.kind !== "guest") throw redirect(returnUrl);
  if (!ctx.actor.pending) throw redirect(signinPathFor(returnUrl, language));
  const { userName, recovery } = await getOwnSecondFactor(ctx);
  return { userName, recovery, returnUrl };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: secondFactorTextsOf(matches).title, path: "/Account/SecondFactor" });

export default function SecondFactorPage({ loaderData }: Route.ComponentProps) {
  const { userName, recovery, returnUrl } = loaderData;
  const texts = useSecondFactorTexts();
  const { language } = useTexts();
  const leave = async () => {
    await signOut();
    location.replace(signinPathFor(withRestoredHash(returnUrl, location.hash), language));
  };
  return (
    <AccountPage
      title={texts.title}
      description={
        <>
          {texts.description.before}
          <UserText>{userName}</UserText>
          {texts.description.after}
        </>
      }
    >
      <VerifyForm onDone={() => followReturnUrl(returnUrl)} />
      <div className="mt-8 border-t border-gray-20 pt-5">
        <RecoveryOffer recovery={recovery} onDone={() => location.replace("/Mypage/Security")} />
        <Button size="sm" className="needs-script mt-3 block" onClick={() => void leave()}>
          {texts.otherAccount}
        </Button>
      </div>
    </AccountPage>
  );
}

function RecoveryOffer({ recovery, onDone }: { recovery: RecoveryView | null; onDone: () => void }) {
  const { recovery: texts, failed } = useSecondFactorTexts();
  const { phone: phoneText } = useTexts();
  const phone = useSiteFrame()?.site.contact.phone;
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, run } = useAction({
    reloads: "never",
    onFailure(failure) {
      setProblem(failed(failure));
      return true;
    },
  });
  if (!recovery) {
    return (
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline underline-offset-4">
          {texts.lost}
        </summary>
        <p className="mt-2 text-gray-70">{texts.how(phone && phoneText(phone))}</p>
      </details>
    );
  }
  if (!recovery.isUsable) {
    return (
      <Alert title={texts.startedTitle}>
        {texts.started.before}
        <Time date={recovery.usableDate} format="datetime" />
        {texts.started.after}
      </Alert>
    );
  }
  const use = () =>
    run(async () => {
      await callApi(api["second-factor"].recovery.$post({ json: {} }));
      onDone();
    }, null);
  return (
    <Alert title={texts.usableTitle}>
      <p className="mb-3">{texts.usable}</p>
      {problem && <p className="mb-3 font-medium text-danger-60">{problem}</p>}
      <Button variant="primary" busy={busy} onClick={() => void use()}>
        {texts.use}
      </Button>
    </Alert>
  );
}

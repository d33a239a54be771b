import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { recoveryTextsOf, useRecoveryTexts } from "#app/features/account/recovery-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { useReturningPath } from "#app/lib/return-url.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import type { Route } from "./+types/password-success";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: recoveryTextsOf(matches).reset.doneTitle });

/** Requires state in the history entry; visitors without it are redirected. */
export default function PasswordSuccess() {
  const navigate = useNavigate();
  const { reset: texts } = useRecoveryTexts();
  const { signin } = useAccountTexts();
  const { pathOf } = useTexts();
  const returning = useReturningPath();
  const start = pathOf("", "/Account/FindPassword");
  const state = useLocation().state as { done?: boolean } | null;
  const done = useIsHydrated() && state?.done === true;
  useEffect(() => {
    if (!state?.done) void navigate(start, { replace: true });
  }, [state, navigate, start]);
  return (
    <AccountPage title={texts.doneTitle}>
      <div className="text-center">
        <p>{done ? texts.done : texts.notDone}</p>
        <div className="mt-8">
          {done ? (
            <ButtonLink to={returning(pathOf("", "/Account/Signin"))} variant="primary">
              {signin}
            </ButtonLink>
          ) : (
            <ButtonLink to={start} variant="primary">
              {texts.title}
            </ButtonLink>
          )}
        </div>
      </div>
    </AccountPage>
  );
}

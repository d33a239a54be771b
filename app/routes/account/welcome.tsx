import { useLocation } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { SignupSteps } from "#app/features/account/signup/signup-steps.tsx";
import { accountTextsOf, useAccountTexts } from "#app/features/account/account-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { useReturningPath } from "#app/lib/return-url.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { needsSignupApproval } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/welcome";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  approval: await needsSignupApproval(scope),
}));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: accountTextsOf(matches).welcome.title });

function NobodySignedUp() {
  const { welcome: texts, signup, signin } = useAccountTexts();
  const { pathOf } = useTexts();
  const returning = useReturningPath();
  return (
    <AccountPage title={texts.title} wide>
      <div className="text-center">
        <p className="text-gray-70">{texts.nobody}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink to={returning(pathOf("", "/Account/Signup"))} variant="primary">
            {signup.title}
          </ButtonLink>
          <ButtonLink to={returning(pathOf("", "/Account/Signin"))}>{signin}</ButtonLink>
        </div>
      </div>
    </AccountPage>
  );
}

/** Reads the name from the history entry, which survives a reload. */
export default function WelcomePage({ loaderData }: Route.ComponentProps) {
  const state = useLocation().state as { userName?: string } | null;
  const { welcome: texts, signin } = useAccountTexts();
  const { pathOf } = useTexts();
  const returning = useReturningPath();
  const hydrated = useIsHydrated();
  const userName = hydrated ? state?.userName : undefined;
  if (hydrated && !userName) return <NobodySignedUp />;
  return (
    <AccountPage title={texts.title} wide>
      <SignupSteps current={4} />
      <div className="mt-10 text-center">
        <h2 className="text-xl">
          {userName ? (
            <>
              {texts.greeting.before}
              <UserText>{userName}</UserText>
              {texts.greeting.after}
            </>
          ) : (
            texts.greetingOfNobody
          )}
        </h2>
        <p className="mt-3 text-gray-70">{loaderData.approval ? texts.waiting : texts.done}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink to={returning(pathOf("", "/Account/Signin"))} variant="primary">
            {signin}
          </ButtonLink>
          <ButtonLink to={pathOf("", "/")}>{texts.home}</ButtonLink>
        </div>
      </div>
    </AccountPage>
  );
}

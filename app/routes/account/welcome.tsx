import { useLocation } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { SignupSteps } from "#app/features/account/signup/signup-steps.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";
import { needsSignupApproval } from "#worker/domain/account/signup-form.server.ts";
import type { Route } from "./+types/welcome";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  approval: await needsSignupApproval(scope),
}));

export const meta = titledMeta("회원가입 완료");

function NobodySignedUp() {
  return (
    <AccountPage title="회원가입 완료" wide>
      <div className="text-center">
        <p className="text-gray-70">회원가입을 마치신 뒤에 보이는 화면입니다.</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/Account/Signup" variant="primary">
            회원가입
          </ButtonLink>
          <ButtonLink to="/Account/Signin">로그인</ButtonLink>
        </div>
      </div>
    </AccountPage>
  );
}

/** The name travels in the history entry: it is there after a reload and nowhere else. */
export default function WelcomePage({ loaderData }: Route.ComponentProps) {
  const state = useLocation().state as { userName?: string } | null;
  const hydrated = useIsHydrated();
  const userName = hydrated ? state?.userName : undefined;
  // By a link or a bookmark nobody has just signed up.
  if (hydrated && !userName) return <NobodySignedUp />;
  return (
    <AccountPage title="회원가입 완료" wide>
      <SignupSteps current={4} />
      <div className="mt-10 text-center">
        <h2 className="text-xl">{userName ? `${userName}님, 환영합니다.` : "회원가입"}</h2>
        <p className="mt-3 text-gray-70">
          {loaderData.approval
            ? "가입 신청이 접수되었습니다. 관리자가 승인하면 이메일로 알려 드리며, 그 뒤에 로그인하실 수 있습니다."
            : "회원가입이 완료되었습니다. 로그인하신 뒤 회원 서비스를 이용하실 수 있습니다."}
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/Account/Signin" variant="primary">
            로그인
          </ButtonLink>
          <ButtonLink to="/">홈으로</ButtonLink>
        </div>
      </div>
    </AccountPage>
  );
}

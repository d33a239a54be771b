import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { useIsHydrated } from "#app/ui/use-is-hydrated.ts";

export const meta = titledMeta("비밀번호 재설정 완료");

/** For those whose reset went through, which their history entry says; all others are sent to where it begins. */
export default function PasswordSuccess() {
  const navigate = useNavigate();
  const state = useLocation().state as { done?: boolean } | null;
  const done = useIsHydrated() && state?.done === true;
  useEffect(() => {
    if (!state?.done) void navigate("/Account/FindPassword", { replace: true });
  }, [state, navigate]);
  return (
    <AccountPage title="비밀번호 재설정 완료">
      <div className="text-center">
        <p>
          {done
            ? "비밀번호를 재설정하였습니다. 모든 기기에서 로그아웃되었으니 새 비밀번호로 로그인해 주십시오."
            : "비밀번호 재설정을 마치신 뒤에 보실 수 있는 화면입니다."}
        </p>
        <div className="mt-8">
          {done ? (
            <ButtonLink to="/Account/Signin" variant="primary">
              로그인
            </ButtonLink>
          ) : (
            <ButtonLink to="/Account/FindPassword" variant="primary">
              비밀번호 찾기
            </ButtonLink>
          )}
        </div>
      </div>
    </AccountPage>
  );
}

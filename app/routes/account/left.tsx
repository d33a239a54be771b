import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { ButtonLink } from "#app/ui/button.tsx";

export const meta = titledMeta("회원 탈퇴");

/** Requires state in the history entry; visitors without it are redirected. */
export default function Left() {
  const navigate = useNavigate();
  const phone = useSiteFrame()?.site.contact.phone;
  const state = useLocation().state as { done?: boolean } | null;
  const done = useIsHydrated() && state?.done === true;
  useEffect(() => {
    if (!state?.done) void navigate("/", { replace: true });
  }, [state, navigate]);
  return (
    <AccountPage title={done ? "탈퇴가 완료되었습니다" : "회원 탈퇴"}>
      <div className="text-center">
        {done ? (
          <>
            <p>그동안 이용해 주셔서 감사합니다. 인증하신 이메일이 있으면 탈퇴 안내를 보내 드립니다.</p>
            <p className="mt-2 text-gray-70">
              사용하시던 아이디와 이메일로 다시 가입하실 수 있습니다.
              {phone && ` 궁금하신 점은 운영사무국(${phone})에 문의해 주십시오.`}
            </p>
          </>
        ) : (
          <p>탈퇴는 마이페이지에서 하실 수 있습니다.</p>
        )}
        <div className="mt-8">
          <ButtonLink to="/" variant="primary">
            홈으로
          </ButtonLink>
        </div>
      </div>
    </AccountPage>
  );
}

import { Outlet, useLocation } from "react-router";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Tabs } from "#app/ui/tabs.tsx";

const TABS = [
  { label: "회원정보", href: "/Mypage/Info" },
  { label: "비밀번호", href: "/Mypage/Password" },
  { label: "2단계 인증", href: "/Mypage/Security" },
  { label: "이메일", href: "/Mypage/Email" },
  { label: "알림", href: "/Mypage/Notices" },
  { label: "로그인 기기", href: "/Mypage/Sessions" },
  { label: "개인정보 요구", href: "/Mypage/Privacy" },
  { label: "탈퇴", href: "/Mypage/Retire" },
];

/** Each tab asks for itself who is there: a loader here would not run when somebody moves from tab to tab. */
export default function MypageLayout() {
  const path = useLocation().pathname.toLowerCase().replace(/\/$/, "");
  const tabs = TABS.map((tab) => ({ ...tab, current: path === tab.href.toLowerCase() }));
  const current = tabs.find((tab) => tab.current)?.label ?? "마이페이지";
  return (
    <>
      <PageHeader title={current} parents={[{ label: "마이페이지", href: "/Mypage" }]} />
      <div className="container-page max-w-4xl pt-4 pb-16 md:pt-6 md:pb-24">
        <Tabs tabs={tabs} label="마이페이지" />
        <SigninGate className="pt-8 md:pt-10">
          <Outlet />
        </SigninGate>
      </div>
    </>
  );
}

import { Outlet, useLocation } from "react-router";
import { useSiteFrame } from "#app/lib/root-data.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { hasOwnDues } from "#worker/domain/alumni/dues/person.server.ts";
import type { Route } from "./+types/layout";

const TABS = [
  { label: "모아 보기", href: "/Mypage" },
  { label: "알림함", href: "/Mypage/Activity" },
  { label: "회원정보", href: "/Mypage/Info" },
  { label: "비밀번호", href: "/Mypage/Password" },
  { label: "2단계 인증", href: "/Mypage/Security" },
  { label: "이메일", href: "/Mypage/Email" },
  { label: "알림 설정", href: "/Mypage/Notices" },
  { label: "로그인 기기", href: "/Mypage/Sessions" },
  { label: "회비", href: "/Mypage/Dues" },
  { label: "증명서", href: "/Mypage/Certificate" },
  { label: "1:1 문의", href: "/Mypage/Inquiries" },
  { label: "개인정보 열람·정정 요청", href: "/Mypage/Privacy" },
  { label: "탈퇴", href: "/Mypage/Retire" },
];

/** The menu alone: each tab checks the session itself, because this does not rerun between tabs. */
export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({ hasDues: await hasOwnDues(scope) }));

export default function MypageLayout({ loaderData }: Route.ComponentProps) {
  const path = useLocation().pathname.toLowerCase().replace(/\/$/, "");
  const isWithout = useSiteFrame()?.look.certificates;
  const hidden: (string | false | undefined)[] = [
    isWithout && "/Mypage/Certificate",
    !loaderData.hasDues && path !== "/mypage/dues" && "/Mypage/Dues",
  ];
  const tabs = TABS.filter(({ href }) => !hidden.includes(href)).map((tab) => {
    const own = tab.href.toLowerCase();
    return { ...tab, current: path === own || (own !== "/mypage" && path.startsWith(`${own}/`)) };
  });
  const current = tabs.slice(1).find((tab) => tab.current)?.label;
  return (
    <>
      <PageHeader title={current ?? "마이페이지"} parents={current ? [{ label: "마이페이지", href: "/Mypage" }] : []} />
      <div className="container-page items-start gap-x-12 pt-4 pb-16 md:pt-6 md:pb-24 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:pt-10">
        <Tabs tabs={tabs} label="마이페이지" beside />
        <SigninGate className="max-w-3xl pt-8 lg:pt-0">
          <Outlet />
        </SigninGate>
      </div>
    </>
  );
}

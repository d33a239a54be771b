import { type MetaFunction, Outlet, useLocation } from "react-router";
import { titledMeta } from "#app/lib/page-meta.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { hasOwnDues } from "#worker/domain/alumni/dues/person.server.ts";
import { MYPAGE_TABS } from "#worker/contract/account/mypage-tabs.ts";
import type { Route } from "./+types/layout";

function isTabOf(pathname: string, { href }: { href: string }): boolean {
  const path = pathname.toLowerCase().replace(/\/$/, "");
  const own = href.toLowerCase();
  return path === own || (own !== "/mypage" && path.startsWith(`${own}/`));
}

/** The tab's name; a page with another title has its own. */
export const meta: MetaFunction = ({ location, matches }) => {
  const tabs = MYPAGE_TABS.slice(1).filter((tab) => isTabOf(location.pathname, tab));
  return titledMeta(...tabs.map(({ label }) => label), "마이페이지")({ matches });
};

/** The menu alone: each tab checks the session itself, because this does not rerun between tabs. */
export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({ hasDues: await hasOwnDues(scope) }));

export default function MypageLayout({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const isWithoutCertificates = useSiteFrame()?.look.certificates !== undefined;
  const isShown = ({ href, current }: { href: string; current: boolean }) =>
    href === "/Mypage/Certificate" ? !isWithoutCertificates : href !== "/Mypage/Dues" || loaderData.hasDues || current;
  const tabs = MYPAGE_TABS.map((tab) => ({ ...tab, current: isTabOf(pathname, tab) })).filter(isShown);
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

import IdCard from "lucide-react/icons/id-card";
import Lock from "lucide-react/icons/lock";
import MessagesSquare from "lucide-react/icons/messages-square";
import UserRound from "lucide-react/icons/user-round";
import { Link, type MetaFunction, Outlet, useLocation } from "react-router";
import { titledMeta } from "#app/lib/page-meta.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { hasOwnDues } from "#worker/domain/alumni/dues/person.server.ts";
import { MYPAGE_GROUPS, MYPAGE_TABS, type MypageTab } from "#worker/contract/account/mypage-tabs.ts";
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
  const look = useSiteFrame()?.look;
  const isShown = (tab: MypageTab) => {
    if (tab.href === "/Mypage/Certificate") return look?.certificates === undefined;
    if (tab.href === "/Mypage/Proposals") return look?.hasProposals === true;
    return tab.href !== "/Mypage/Dues" || loaderData.hasDues || isTabOf(pathname, tab);
  };
  const current = MYPAGE_TABS.slice(1).find((tab) => isTabOf(pathname, tab))?.label;
  return (
    <>
      <PageHeader title={current ?? "마이페이지"} parents={current ? [{ label: "마이페이지", href: "/Mypage" }] : []} />
      <div className="container-page items-start gap-x-12 pt-4 pb-16 md:pt-6 md:pb-24 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:pt-10">
        <MypageMenu pathname={pathname} isShown={isShown} />
        <SigninGate className="min-w-0 pt-8 lg:pt-0">
          <Outlet />
        </SigninGate>
      </div>
    </>
  );
}

const GROUP_ICONS = { 활동: MessagesSquare, "내 정보": UserRound, 보안: Lock, 사무국: IdCard };

function GroupIcon({ name }: { name: keyof typeof GROUP_ICONS }) {
  const Icon = GROUP_ICONS[name];
  return <Icon aria-hidden="true" className="size-4 shrink-0" />;
}

interface MypageMenuProps {
  pathname: string;
  isShown: (tab: MypageTab) => boolean;
}

const MypageMenu = ({ pathname, isShown }: MypageMenuProps) => (
  <nav aria-label="마이페이지" className="print:hidden">
    <ul className="grid gap-x-6 gap-y-3 md:grid-cols-2 lg:grid-cols-1 lg:gap-y-6">
      {MYPAGE_GROUPS.map(({ name, tabs }) => (
        <li key={name}>
          <span className="flex items-center gap-2 text-sm text-gray-60 lg:px-3">
            <GroupIcon name={name} />
            {name}
          </span>
          <ul className="mt-1 flex flex-wrap gap-1 lg:flex-col">
            {tabs.filter(isShown).map((tab) => (
              <li key={tab.href}>
                <Link
                  to={tab.href}
                  aria-current={isTabOf(pathname, tab) ? "page" : undefined}
                  className="flex min-h-11 items-center rounded-md border border-gray-20 px-3 text-sm font-semibold text-gray-70 hover:bg-gray-10 hover:text-gray-90 aria-[current]:border-primary-60 aria-[current]:bg-primary-5 aria-[current]:text-primary-70 lg:border-transparent lg:text-base"
                >
                  {tab.label}
                </Link>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  </nav>
);

import { RowsScreen } from "#app/features/list/rows-screen.tsx";
import { api } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { TextLink } from "#app/ui/inline.tsx";
import { QUICK_LINKS_MAX, quickLinkRow } from "#worker/contract/site/rows.ts";
import { quickLinks } from "#worker/domain/site/quick-link.server.ts";
import type { Route } from "./+types/quick-links";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => quickLinks.list(scope));

export default function QuickLinksPage({ loaderData }: Route.ComponentProps) {
  return (
    <RowsScreen
      type={quickLinkRow}
      rows={loaderData}
      calls={api.admin["quick-link"]}
      description={
        <>
          첫 화면 배너 아래의 버튼입니다. {QUICK_LINKS_MAX}개까지 두며, 하나도 없으면 게시판과 회원가입이 대신 나옵니다.
          배너의 글은 <TextLink to="/Admin/Contents/banner">첫 화면 배너</TextLink>
          에서 고칩니다.
        </>
      }
      deletion={({ label }) => `첫 화면에서 '${label}' 버튼이 사라집니다. 페이지는 그대로 있습니다.`}
    >
      {({ label, note, href }) => (
        <>
          <p className="font-semibold text-gray-90">{label}</p>
          <p className="text-sm text-gray-60">
            {note && `${note} · `}
            {href}
          </p>
        </>
      )}
    </RowsScreen>
  );
}

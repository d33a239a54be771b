import { Overview } from "#app/features/site/mypage-overview.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getMypageOverview } from "#worker/domain/site/mypage-overview.server.ts";
import type { Route } from "./+types/index";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getMypageOverview(scope));

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: "마이페이지" });
}

export default function MypageHome({ loaderData }: Route.ComponentProps) {
  return <Overview overview={loaderData} />;
}

import { ActivityList } from "#app/features/board/activity-list.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { listActivityQuery } from "#worker/contract/mail/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { listActivity } from "#worker/domain/board/activity-list.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import type { Route } from "./+types/activity";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const { userId } = requireSignedIn(ctx);
  const query = parseInput(listActivityQuery, Object.fromEntries(new URL(request.url).searchParams));
  return { userId, page: await listActivity(ctx, userId, query) };
});

export const meta = titledMeta("알림함", "마이페이지");

export default function ActivityRoute({ loaderData }: Route.ComponentProps) {
  return <ActivityList {...loaderData} />;
}

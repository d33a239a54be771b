import { feedResponse } from "#app/lib/feed-response.server.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { boardCode } from "#worker/contract/board/input.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { renderBoardCalendar } from "#worker/domain/board/calendar.server.ts";
import type { Route } from "./+types/calendar-feed";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = boardCode.safeParse(params.boardCode.toLowerCase());
  if (!code.success) throw new AppError("NOT_FOUND", { message: "일정을 찾을 수 없습니다." });
  const feed = await renderBoardCalendar(scope, code.data, languageOf(new URL(request.url).pathname));
  return feedResponse(feed, "text/calendar");
});

import { feedResponse } from "#app/lib/feed-response.server.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { boardCode } from "#worker/contract/board/input.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { renderBoardFeed } from "#worker/domain/board/feed.server.ts";
import type { Route } from "./+types/rss";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const code = boardCode.safeParse(params.boardCode.toLowerCase());
  if (!code.success) throw new AppError("NOT_FOUND", { message: "게시판을 찾을 수 없습니다." });
  const feed = await renderBoardFeed(scope, code.data, languageOf(new URL(request.url).pathname));
  return feedResponse(feed, "application/rss+xml");
});

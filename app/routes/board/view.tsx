import { useSearchParams } from "react-router";
import { ArticleBody } from "#app/features/file/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { CommentSection } from "#app/features/board/comment-section.tsx";
import { EventSummary } from "#app/features/board/event/event-summary.tsx";
import { ItemActions } from "#app/features/board/item-actions.tsx";
import { ItemHeader } from "#app/features/board/item-header.tsx";
import { NeighbourLinks } from "#app/features/board/neighbour-links.tsx";
import { readBoardChoice, boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { feedLinks, pageMeta } from "#app/lib/page-meta.ts";
import { articleJsonLd, eventJsonLd } from "#app/lib/item-json-ld.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { cx } from "#app/ui/cx.ts";
import { Breadcrumb } from "#app/ui/breadcrumb.tsx";
import { itemPath } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import type { Route } from "./+types/view";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const path = itemPath.safeParse({ ...params, boardCode: params.boardCode.toLowerCase() });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  const found = await getBoardViewPage(scope, path.data);
  return { ...found, summary: summaryOf(found.item.content) };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { board, item, summary } = loaderData;
  const path = boardItemHref(board.boardCode, item.itemNo);
  const list = { label: board.boardName, href: boardListHref(board.boardCode) };
  return [
    ...pageMeta({
      matches,
      title: item.title,
      description: summary || undefined,
      path,
      article: { createdDate: item.createdDate },
    }),
    ...articleJsonLd(matches, item, path),
    ...eventJsonLd(matches, item, path),
    breadcrumbJsonLd(matches, [list, { label: item.title, href: path }]),
    ...feedLinks(matches, board.boardCode),
  ];
}

export const handle = { isForReaders: true };

export default function BoardView({ loaderData }: Route.ComponentProps) {
  const { board, item, pictures, can } = loaderData;
  const { event } = item;
  const choice = readBoardChoice(useSearchParams()[0]);
  return (
    <div className={cx("container-page pt-5 pb-16 md:pt-6 md:pb-24", !event && "container-reading")}>
      <Breadcrumb
        crumbs={[{ label: board.boardName, href: boardListHref(board.boardCode, choice) }, { label: item.title }]}
      />
      <article
        className={cx(
          "mt-6 md:mt-10",
          event && "lg:grid lg:grid-cols-[minmax(0,1fr)_18rem] lg:grid-rows-[auto_1fr] lg:gap-x-12",
        )}
      >
        <ItemHeader item={item} />
        {event && (
          <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1">
            <EventSummary event={event} boardCode={board.boardCode} itemNo={item.itemNo} />
          </div>
        )}
        <div className="min-w-0">
          <AttachmentList
            files={item.files}
            canDownload={can.download}
            archiveUrl={`/api/board-item-file/${item.boardCode}/${item.itemNo}/archive`}
          />
          <ArticleBody html={item.content} pictures={pictures} />
        </div>
      </article>
      <div className={event ? "lg:mr-84" : undefined}>
        <ItemActions boardCode={board.boardCode} itemNo={item.itemNo} choice={choice} can={can} mine={item.mine} />
        <NeighbourLinks item={item} choice={choice} />
        {board.useComment && <CommentSection key={item.itemNo} {...loaderData} />}
      </div>
    </div>
  );
}

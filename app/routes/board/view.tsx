import { useSearchParams } from "react-router";
import { Article } from "#app/features/file/article.tsx";
import { Attachments } from "#app/features/file/attachments.tsx";
import { Comments } from "#app/features/board/comments.tsx";
import { ItemActions } from "#app/features/board/item-actions.tsx";
import { ItemHead } from "#app/features/board/item-head.tsx";
import { Neighbours } from "#app/features/board/neighbours.tsx";
import { choiceOf, listPath, viewPath } from "#app/features/board/paths.ts";
import { summaryOf } from "#app/features/content/summary.ts";
import { articleLd, breadcrumbLd, feedLinks, pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { Breadcrumb } from "#app/ui/breadcrumb.tsx";
import { itemPath } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { boardViewPage } from "#worker/domain/board/view.server.ts";
import type { Route } from "./+types/view";

export const loader = page(async (door, { params }: Route.LoaderArgs) => {
  const path = itemPath.safeParse({ ...params, boardCode: params.boardCode.toLowerCase() });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  return boardViewPage(door, path.data);
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { board, item } = loaderData;
  const path = viewPath(board.boardCode, item.itemNo);
  const list = { label: board.boardName, href: listPath(board.boardCode) };
  return [
    ...pageMeta({
      matches,
      title: item.title,
      description: summaryOf(item.content) || undefined,
      path,
      article: { createdDate: item.createdDate },
    }),
    ...articleLd(matches, item, path),
    breadcrumbLd(matches, [list, { label: item.title, href: path }]),
    ...feedLinks(matches, board.boardCode),
  ];
}

export default function BoardView({ loaderData }: Route.ComponentProps) {
  const { board, item, pictures, can } = loaderData;
  const choice = choiceOf(useSearchParams()[0]);
  return (
    <div className="container-page max-w-5xl pt-5 pb-16 md:pt-6 md:pb-24">
      <Breadcrumb
        crumbs={[{ label: board.boardName, href: listPath(board.boardCode, choice) }, { label: item.title }]}
      />
      <article className="mt-6 md:mt-10">
        <ItemHead item={item} />
        <Attachments
          files={item.files}
          canDownload={can.download}
          archiveUrl={`/api/board-item-file/${item.boardCode}/${item.itemNo}/archive`}
        />
        <Article html={item.content} pictures={pictures} />
      </article>
      <ItemActions boardCode={board.boardCode} itemNo={item.itemNo} choice={choice} can={can} mine={item.mine} />
      <Neighbours item={item} choice={choice} />
      {board.useComment && <Comments key={item.itemNo} {...loaderData} />}
    </div>
  );
}

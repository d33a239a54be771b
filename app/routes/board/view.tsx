import { useSearchParams } from "react-router";
import { decorateArticle } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/features/file/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { CommentSection } from "#app/features/board/comment-section.tsx";
import { EventSummary } from "#app/features/board/event/event-summary.tsx";
import { ItemActions } from "#app/features/board/item-actions.tsx";
import { ItemHeader } from "#app/features/board/item-header.tsx";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { itemTextsOf } from "#app/features/board/item-texts.ts";
import { KoreanOnly } from "#app/features/board/korean-only.tsx";
import { NeighbourLinks } from "#app/features/board/neighbour-links.tsx";
import { readBoardChoice, boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { feedLinks, findRootData, pageMeta, textsOf } from "#app/lib/page-meta.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { articleJsonLd, eventJsonLd } from "#app/lib/item-json-ld.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { cx } from "#app/ui/cx.ts";
import { Breadcrumb } from "#app/ui/breadcrumb.tsx";
import { itemPath } from "#worker/contract/board/input.ts";
import { isKorean, languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getBoardViewPage } from "#worker/domain/board/view.server.ts";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import type { Route } from "./+types/view";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const path = itemPath.safeParse({ ...params, boardCode: params.boardCode.toLowerCase() });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  const language = languageOf(new URL(request.url).pathname);
  const found = await getBoardViewPage(scope, path.data, language);
  const { content } = found.item;
  return {
    ...found,
    pictures: [],
    item: { ...found.item, content: decorateArticle(content, { pictures: found.pictures, language }) },
    summary: summaryOf(content),
  };
});

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { board, item, summary } = loaderData;
  const path = boardItemHref(board.boardCode, item.itemNo);
  const isInEnglish = !isKorean(item.title) && !isKorean(item.content);
  // A Korean text at its English address is not indexed.
  if (textsOf(matches).language === "en" && !isInEnglish)
    return pageMeta({ matches, title: itemTextsOf(matches).pageTitle(board.boardName, item.itemNo, item.title) });
  const list = { label: board.boardName, href: boardListHref(board.boardCode) };
  return [
    ...pageMeta({
      matches,
      title: item.title,
      description: summary || undefined,
      path,
      hasEnglish: isInEnglish && findRootData(matches)?.look.hasEnglish,
      article: { createdDate: item.createdDate },
      picture: item.thumbnailUrl,
    }),
    ...articleJsonLd(matches, item, path),
    ...eventJsonLd(matches, item, path),
    breadcrumbJsonLd(matches, [list, { label: item.title, href: path }]),
    ...feedLinks(matches, board.boardCode),
  ];
}

export const handle = { isForReaders: true };

export default function BoardView({ loaderData }: Route.ComponentProps) {
  const { board, item, can } = loaderData;
  const { event } = item;
  const hasSide = event !== null || item.files.length > 0;
  const choice = readBoardChoice(useSearchParams()[0]);
  const { onlyInKorean, doInKorean } = usePostTexts();
  const { langOf } = useTexts();
  const hrefs = useBoardHrefs();
  const isMember = useRootData<{ user: object | null }>()?.user != null;
  return (
    <article>
      <div className="border-b border-gray-20 bg-linear-to-b from-primary-5 to-white print:border-0 print:bg-none">
        <div className="container-page pt-5 pb-6 md:pt-6 md:pb-8">
          <Breadcrumb
            crumbs={[{ label: board.boardName, href: hrefs.list(board.boardCode, choice) }, { label: item.title }]}
          />
          <ItemHeader item={item} board={board} />
        </div>
      </div>
      <div
        className={cx(
          "container-page pt-6 pb-16 md:pt-8 md:pb-24",
          hasSide ? "lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start lg:gap-x-12" : "[&>*]:max-w-232",
        )}
      >
        {hasSide && (
          <div className="grid gap-4 lg:col-start-2 lg:row-start-1">
            {event && <EventSummary event={event} boardCode={board.boardCode} itemNo={item.itemNo} />}
            <AttachmentList
              files={item.files}
              canDownload={can.download}
              archiveUrl={`/api/board-item-file/${item.boardCode}/${item.itemNo}/archive`}
            />
          </div>
        )}
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          {langOf(item.title + item.content) && <KoreanOnly className="mb-6">{onlyInKorean.item}</KoreanOnly>}
          <div lang={langOf(item.content)}>
            <ArticleBody html={item.content} />
          </div>
          <ItemActions boardCode={board.boardCode} itemNo={item.itemNo} choice={choice} can={can} mine={item.mine} />
          <NeighbourLinks item={item} choice={choice} />
          {board.useComment && <CommentSection key={item.itemNo} {...loaderData} />}
          {isMember && <KoreanOnly className="mt-6">{doInKorean}</KoreanOnly>}
        </div>
      </div>
    </article>
  );
}

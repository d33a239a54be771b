import { OFFICE_WRITER, writerIn } from "#worker/contract/kernel/messages.ts";
import { WriterName } from "#app/features/board/writer-name.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { Link, type MetaDescriptor, useSearchParams } from "react-router";
import { decorateArticle } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/ui/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { CommentSection } from "#app/features/board/comment-section.tsx";
import { RegistrationBlock } from "#app/features/event/registration-block.tsx";
import { EventSummary } from "#app/features/board/event/event-summary.tsx";
import { ItemActions } from "#app/features/board/item-actions.tsx";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { itemTextsOf, useItemTexts } from "#app/features/board/item-texts.ts";
import { KoreanOnly } from "#app/features/board/korean-only.tsx";
import {
  boardItemHref,
  type BoardListChoice,
  boardListHref,
  readBoardChoice,
} from "#app/features/board/board-paths.ts";
import {
  feedLinks,
  findRootData,
  type Matches,
  pageMeta,
  sharePictureOf,
  siteIconOf,
  textsOf,
} from "#app/lib/page-meta.ts";
import { useRootData, useTexts } from "#app/lib/page-language.ts";
import { breadcrumbJsonLd } from "#app/lib/breadcrumb-json-ld.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { cx } from "#app/ui/cx.ts";
import { Breadcrumb } from "#app/ui/breadcrumb.tsx";
import { itemPath } from "#worker/contract/board/input.ts";
import { isKorean, languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getBoardViewPage, type ItemView } from "#worker/domain/board/view.server.ts";
import { getItemRegistration } from "#worker/domain/event/item-registration.server.ts";
import { summaryOf } from "#worker/domain/kernel/html-text.server.ts";
import type { Route } from "./+types/view";
import type { BoardInfo, EventView } from "#worker/contract/board/view.ts";
import ChevronRight from "lucide-react/icons/chevron-right";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { UserText } from "#app/ui/user-text.tsx";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { ReactNode } from "react";
import { SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge, Time } from "#app/ui/inline.tsx";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const path = itemPath.safeParse({ ...params, boardCode: params.boardCode.toLowerCase() });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  const language = languageOf(new URL(request.url).pathname);
  const [found, registration] = await Promise.all([
    getBoardViewPage(scope, path.data, language),
    getItemRegistration(scope, path.data),
  ]);
  const { content } = found.item;
  return {
    ...found,
    ...registration,
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
    ...articleJsonLd(matches, item, path, isInEnglish),
    ...eventJsonLd(matches, item, path),
    breadcrumbJsonLd(matches, [list, { label: item.title, href: path }]),
    ...feedLinks(matches, board.boardCode),
  ];
}

export const handle = { isForReaders: true };

/** 760 px of text, for an item without event and files. */
const ONE_COLUMN = "max-w-[50.5rem]";

export default function BoardView({ loaderData }: Route.ComponentProps) {
  const { board, item, can, registration, own } = loaderData;
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
        <div className={cx("container-page pt-5 pb-6 md:pt-6 md:pb-8", !hasSide && ONE_COLUMN)}>
          <Breadcrumb
            crumbs={[{ label: board.boardName, href: hrefs.list(board.boardCode, choice) }, { label: item.title }]}
          />
          <ItemHeader item={item} board={board} />
        </div>
      </div>
      <div
        className={cx(
          "container-page pt-6 pb-16 md:pt-8 md:pb-24",
          hasSide
            ? "lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_auto_1fr] lg:items-start lg:gap-x-12"
            : ONE_COLUMN,
        )}
      >
        {event && (
          // The registration below says until when.
          <EventSummary
            event={registration ? { ...event, deadline: null } : event}
            boardCode={board.boardCode}
            itemNo={item.itemNo}
          />
        )}
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          {langOf(item.title + item.content) && <KoreanOnly className="mb-6">{onlyInKorean.item}</KoreanOnly>}
          <div lang={langOf(item.content)}>
            <ArticleBody html={item.content} />
          </div>
        </div>
        <div className={cx("lg:col-start-2 lg:row-span-2", event ? "lg:mt-4" : "lg:row-start-1")}>
          {event && <RegistrationBlock item={item} registration={registration} own={own} />}
          <AttachmentList
            files={item.files}
            canDownload={can.download}
            archiveUrl={`/api/board-item-file/${item.boardCode}/${item.itemNo}/archive`}
          />
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-3">
          <MemberGate isOpen={isMember && doInKorean === ""}>
            <ItemActions boardCode={board.boardCode} itemNo={item.itemNo} choice={choice} can={can} mine={item.mine} />
            {board.useComment && <CommentSection key={item.itemNo} {...loaderData} />}
            <NeighbourLinks item={item} choice={choice} />
          </MemberGate>
          {isMember && <KoreanOnly className="mt-6">{doInKorean}</KoreanOnly>}
        </div>
      </div>
    </article>
  );
}

/** Guests write nothing here. */
const MemberGate = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) =>
  isOpen ? (
    <SigninGate className="contents" keepsDrafts>
      {children}
    </SigninGate>
  ) : (
    children
  );

function articleJsonLd(
  matches: Matches,
  item: Pick<ItemView, "title" | "createdDate" | "modifiedDate" | "createdUserName" | "thumbnailUrl">,
  path: string,
  isInEnglish: boolean,
): MetaDescriptor[] {
  const root = findRootData(matches);
  if (!root) return [];
  const { createdUserName: writer } = item;
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Article",
        headline: item.title.slice(0, 110),
        datePublished: item.createdDate,
        dateModified: item.modifiedDate,
        author: {
          "@type": writer === OFFICE_WRITER ? "Organization" : "Person",
          name: writerIn(textsOf(matches).language, writer),
        },
        publisher: {
          "@type": "Organization",
          name: root.site.siteName,
          logo: root.origin + siteIconOf(root),
        },
        image: item.thumbnailUrl
          ? root.origin + item.thumbnailUrl
          : (sharePictureOf(root) ?? root.origin + siteIconOf(root)),
        mainEntityOfPage: root.origin + path,
        inLanguage: isInEnglish ? "en" : "ko",
      },
    },
  ];
}

function eventJsonLd(
  matches: Matches,
  { title, event }: { title: string; event: EventView | null },
  path: string,
): MetaDescriptor[] {
  const root = findRootData(matches);
  if (!root || !event) return [];
  const { isAllDay, startDate, endDate, firstDay, lastDay, place, isCancelled } = event;
  return [
    {
      "script:ld+json": {
        "@context": "https://schema.org",
        "@type": "Event",
        name: title,
        startDate: isAllDay ? firstDay : startDate,
        endDate: isAllDay ? lastDay : endDate,
        eventStatus: `https://schema.org/${isCancelled ? "EventCancelled" : "EventScheduled"}`,
        ...(place ? { location: { "@type": "Place", name: place, address: place } } : {}),
        organizer: { "@type": "Organization", name: root.site.siteName, url: `${root.origin}/` },
        url: root.origin + path,
        inLanguage: "ko",
      },
    },
  ];
}

function NeighbourLinks({ item, choice }: { item: ItemView; choice: BoardListChoice }) {
  const texts = useItemTexts();
  const { titleOf } = usePostTexts();
  const hrefs = useBoardHrefs();
  const neighbours = [
    { label: texts.previous, none: texts.noPrevious, neighbour: item.previous, Icon: ChevronLeft },
    { label: texts.next, none: texts.noNext, neighbour: item.next, Icon: ChevronRight },
  ];
  return (
    <nav aria-label={texts.neighbours} className="mt-10 divide-y divide-gray-20 border-y border-gray-20 print:hidden">
      {neighbours.map(({ label, none, neighbour, Icon }) => (
        <div key={label} className="flex min-h-14 items-center gap-4 px-2 py-2 md:gap-8">
          <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-gray-70">
            <Icon aria-hidden="true" className="size-4" />
            {label}
          </span>
          {neighbour ? (
            <Link
              to={hrefs.item(item.boardCode, neighbour.itemNo, choice)}
              className="line-clamp-2 py-1 underline-offset-4 hover:text-primary-60 hover:underline md:line-clamp-1"
            >
              <UserText>{titleOf(neighbour.title)}</UserText>
            </Link>
          ) : (
            <span className="text-gray-60">{none}</span>
          )}
        </div>
      ))}
    </nav>
  );
}

function ItemHeader({ item, board }: { item: ItemView; board: BoardInfo }) {
  const texts = usePostTexts();
  const { langOf } = useTexts();
  const category = lookUp(board.categoryNames, item.category) ?? item.category;
  return (
    <header className="mt-5 md:mt-7">
      {(item.isPinned || item.category || item.isSecret) && (
        <p className="mb-3 flex items-center gap-2">
          {item.isPinned && <Badge tone="solid">{texts.pinned}</Badge>}
          {category && (
            <Badge tone="primary">
              <UserText>{category}</UserText>
            </Badge>
          )}
          {item.isSecret && <SecretMark />}
        </p>
      )}
      <h1 lang={langOf(item.title)} className="text-xl md:text-[1.75rem]/[1.4]">
        {item.title}
      </h1>
      <dl className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <ItemFact name={texts.writer}>
          <WriterName>{item.createdUserName}</WriterName>
        </ItemFact>
        <ItemFact name={texts.date} obvious>
          <Time date={item.createdDate} format="datetime" />
        </ItemFact>
        <ItemFact name={texts.views}>
          <span className="tabular">{formatCount(item.viewCount)}</span>
        </ItemFact>
      </dl>
    </header>
  );
}

/** `obvious` hides the name on phones. */
function ItemFact({ name, obvious, children }: { name: string; obvious?: boolean; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className={cx("text-gray-60", obvious && "max-md:sr-only")}>{name}</dt>
      <dd className="font-medium text-gray-80">{children}</dd>
    </div>
  );
}

import { useSiteFrame, useTexts, useWords } from "#app/lib/page-language.ts";
import Paperclip from "lucide-react/icons/paperclip";
import { Link } from "react-router";
import { type BoardListChoice } from "#app/features/board/board-paths.ts";
import { useBoardTexts } from "#app/features/board/board-texts.ts";
import { useSearchTexts } from "#app/features/board/search-texts.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { RowMarks, SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount, telephoneHref } from "#app/lib/format.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { PageHit, SearchHit } from "#worker/contract/board/view.ts";
import type { SearchPage } from "#worker/domain/board/search.server.ts";
import { highlightHtml, splitAtHits } from "#worker/contract/board/search-terms.ts";

const NO_PAGES: readonly PageHit[] = [];

/** Marks the searched words in a text. */
function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return <span lang={useTexts().langOf(text)} dangerouslySetInnerHTML={{ __html: highlightHtml(text, words) }} />;
}

/** Lists the site's own pages that answer better than every item. */
export function PageHits({ pages, words }: { pages: readonly PageHit[]; words: readonly string[] }) {
  const say = useWords();
  const texts = useSearchTexts();
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby="page-hits" className="mt-8">
      <h2 id="page-hits" className="text-lg">
        {say(texts.pages)}
      </h2>
      <ul className="mt-3 grid gap-3 md:grid-cols-2">
        {pages.map((page) => (
          <li key={page.path} className="relative rounded-lg border border-gray-20 bg-primary-5 px-5 py-4">
            <PageHitEntry page={page} words={words} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PageHitEntry({ page, words }: { page: PageHit; words: readonly string[] }) {
  const say = useWords();
  const { phone: shown } = useTexts();
  const texts = useSearchTexts();
  const { kind, title, path, excerpt, phone, fileNames } = page;
  return (
    <>
      <p className="flex items-center gap-2">
        <Badge tone="primary">{say(texts.kinds[kind])}</Badge>
        <Link
          to={path}
          className="min-w-0 font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline"
        >
          <MarkedText text={title} words={words} />
        </Link>
      </p>
      {phone && (
        <p className="mt-1.5">
          <span className="sr-only">{texts.phone} </span>
          <a href={telephoneHref(phone)} className="tabular relative z-1 font-semibold text-primary-60 underline">
            {shown(phone)}
          </a>
        </p>
      )}
      {excerpt && (
        <p className="mt-1.5 line-clamp-2 text-sm text-gray-70">
          <MarkedText text={excerpt} words={words} />
        </p>
      )}
      {fileNames.map((name) => (
        <FileName key={name} name={name} words={words} />
      ))}
    </>
  );
}

function FileName({ name, words }: { name: string; words: readonly string[] }) {
  const texts = useSearchTexts();
  return (
    <p className="mt-1.5 flex items-start gap-1.5 text-sm text-gray-70">
      <Paperclip aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="sr-only">{texts.file} </span>
      <span className="min-w-0">
        <MarkedText text={name} words={words} />
      </span>
    </p>
  );
}

interface SearchResultsProps {
  keyword: string;
  result: SearchPage | null;
  error: string | null;
  href: (page: number) => string;
  choice?: BoardListChoice;
  /** True if several boards are searched, so that each hit names its board. */
  showBoard?: boolean;
  pages?: readonly PageHit[];
  orders?: readonly { label: string; href: string; current: boolean }[];
}

export function SearchResults({
  keyword,
  result,
  error,
  href,
  choice,
  showBoard = false,
  pages = NO_PAGES,
  orders = [],
}: SearchResultsProps) {
  const texts = useSearchTexts();
  const { pager } = useBoardTexts();
  if (error) {
    return (
      <Alert tone="error" className="mt-6">
        {texts.problem(error)}
      </Alert>
    );
  }
  if (!result) return null;
  const pagesAfter = (items: number) =>
    pages
      .filter(({ itemsBefore }) => itemsBefore > 0 && itemsBefore === items)
      .map((page) => (
        <li key={page.path} className="relative border-b border-gray-20 px-2 py-5 hover:bg-gray-5">
          <PageHitEntry page={page} words={result.highlight} />
        </li>
      ));
  const entries = [
    ...result.content.flatMap((hit, at) => [
      ...pagesAfter(at),
      <SearchHitEntry
        key={`${hit.boardCode}-${hit.itemNo}`}
        hit={hit}
        words={result.highlight}
        choice={choice}
        showBoard={showBoard}
      />,
    ]),
    ...pagesAfter(result.content.length),
  ];
  return (
    <section aria-label={texts.results} className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b-2 border-primary-80 pb-2">
        <p role="status" className="text-gray-70">
          <strong className="text-gray-90">
            <UserText>{keyword}</UserText>
          </strong>
          {texts.found.between}
          <strong className="tabular text-primary-60">{formatCount(pages.length + result.totalElements)}</strong>
          {texts.found.after(result.more)}
          {result.also.length > 0 && result.totalElements > 0 && (
            <span className="block text-sm">
              <UserText>{texts.also(result.also.map((word) => `‘${word}’`).join(", "))}</UserText>
            </span>
          )}
          {result.isNear && <span className="block text-sm">{texts.near}</span>}
          {result.corrected.length > 0 && (
            <span className="block text-sm">
              <UserText>{texts.corrected(result.corrected.join(", "))}</UserText>
            </span>
          )}
        </p>
        {orders.length > 0 && (
          <nav aria-label={texts.order}>
            <ul className="flex gap-1 text-sm">
              {orders.map(({ label, href: to, current }) => (
                <li key={label}>
                  <Link
                    to={to}
                    aria-current={current ? "true" : undefined}
                    preventScrollReset
                    className="inline-flex min-h-11 items-center rounded-md px-2.5 text-gray-60 hover:text-primary-60 aria-[current]:font-bold aria-[current]:text-primary-60"
                  >
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
      {result.content.length === 0 ? (
        <Empty
          className="border-b border-gray-20"
          action={pages.length === 0 && <NothingFound suggested={result.suggested} />}
        >
          {pages.length > 0 ? texts.noItems : texts.none}
        </Empty>
      ) : (
        <ul>{entries}</ul>
      )}
      <Pager list={result} href={href} label={texts.pager} words={pager} />
    </section>
  );
}

/** Names close words of the site, and the office. */
function NothingFound({ suggested }: { suggested: readonly string[] }) {
  const texts = useSearchTexts();
  const { phone, langOf } = useTexts();
  const { to } = useBoardHrefs();
  const office = useSiteFrame()?.site.contact.phone;
  return (
    <div className="grid max-w-xl justify-items-center gap-3 text-sm">
      {suggested.length > 0 && (
        <p>
          <span className="mr-1.5">{texts.suggested}</span>
          {suggested.map((word) => (
            <Link
              key={word}
              to={to(`/search?${new URLSearchParams({ keyword: word }).toString()}`)}
              lang={langOf(word)}
              className="mx-1 inline-flex min-h-11 items-center font-semibold text-primary-60 underline"
            >
              {word}
            </Link>
          ))}
        </p>
      )}
      <p>{texts.noneHelp}</p>
      <p className="flex flex-wrap items-center justify-center gap-x-4">
        {office && (
          <a
            href={telephoneHref(office)}
            className="tabular inline-flex min-h-11 items-center text-primary-60 underline"
          >
            {texts.office(phone(office))}
          </a>
        )}
        {texts.inquiry && (
          <Link to="/Mypage/Inquiries/New" className="inline-flex min-h-11 items-center text-primary-60 underline">
            {texts.inquiry}
          </Link>
        )}
      </p>
    </div>
  );
}

interface SearchHitEntryProps {
  hit: SearchHit;
  words: readonly string[];
  choice: BoardListChoice | undefined;
  showBoard: boolean;
}

function SearchHitEntry({ hit, words, choice, showBoard }: SearchHitEntryProps) {
  const texts = useSearchTexts();
  const { titleOf, writerOf } = usePostTexts();
  const hrefs = useBoardHrefs();
  const hasMark = (name: string) => splitAtHits(name, words).some((part) => part.hit);
  const files = hit.fileNames.filter(hasMark);
  return (
    <li className="relative border-b border-gray-20 px-2 py-5 transition-colors hover:bg-gray-5">
      {/* Stays inline so that the badges follow the last word of the title. */}
      <div className="[&>*]:mr-2 [&>*]:align-middle">
        {showBoard && (
          <Badge tone="primary">
            <UserText>{hit.boardName}</UserText>
          </Badge>
        )}
        {hit.category && (
          <span className="text-sm text-primary-60">
            [<UserText>{hit.category}</UserText>]
          </span>
        )}
        {hit.isSecret && <SecretMark />}
        <Link
          to={hrefs.item(hit.boardCode, hit.itemNo, choice)}
          state={{ fromList: true }}
          className="text-lg font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline"
        >
          <MarkedText text={titleOf(hit.title)} words={words} />
        </Link>
        <RowMarks row={hit} />
      </div>
      {hit.excerpt && (
        <p className="mt-1.5 line-clamp-2 text-gray-70">
          <MarkedText text={hit.excerpt} words={words} />
        </p>
      )}
      {hit.attachments.map(({ fileName, excerpt }) => (
        <p key={fileName} className="mt-1.5 border-l-2 border-primary-20 pl-3 text-sm text-gray-70">
          <span className="font-semibold text-gray-80">
            <UserText>{texts.inFile(fileName)}</UserText>
          </span>
          <span className="line-clamp-2">
            <MarkedText text={excerpt} words={words} />
          </span>
        </p>
      ))}
      {hit.comment && (
        <p className="mt-1.5 line-clamp-2 border-l-2 border-primary-20 pl-3 text-sm text-gray-70">
          <span className="mr-1.5 font-semibold text-gray-80">{texts.comment}</span>
          <MarkedText text={hit.comment} words={words} />
        </p>
      )}
      {files.map((name) => (
        <FileName key={name} name={name} words={words} />
      ))}
      <p className="mt-2 flex flex-wrap gap-x-3 text-sm text-gray-60">
        <span>
          <MarkedText text={writerOf(hit.createdUserName)} words={words} />
        </span>
        <Time date={hit.createdDate} format="short" />
        <span className="tabular">{texts.views(formatCount(hit.viewCount))}</span>
      </p>
    </li>
  );
}

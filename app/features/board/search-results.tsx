import Paperclip from "lucide-react/icons/paperclip";
import { Link } from "react-router";
import { type BoardListChoice, boardItemHref } from "#app/features/board/board-paths.ts";
import { RowMarks, SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Time } from "#app/ui/time.tsx";
import type { SearchHit, SearchPage } from "#worker/contract/board/view.ts";
import { splitAtHits } from "#worker/contract/board/search-terms.ts";

/** A text with the searched words marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return splitAtHits(text, words).map((part, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- parts of one text have no other name
    part.hit ? <mark key={at}>{part.text}</mark> : <span key={at}>{part.text}</span>,
  );
}

interface SearchResultsProps {
  keyword: string;
  result: SearchPage | null;
  error: string | null;
  /** The address of another page of the same search. */
  href: (page: number) => string;
  choice?: BoardListChoice;
  /** Several boards are searched: each hit says where it stands. */
  showBoard?: boolean;
}

export function SearchResults({ keyword, result, error, href, choice, showBoard = false }: SearchResultsProps) {
  if (error) {
    return (
      <Alert tone="error" className="mt-6">
        {error}
      </Alert>
    );
  }
  if (!result) return null;
  return (
    <section aria-label="검색 결과" className="mt-8">
      <p role="status" className="border-b-2 border-primary-80 pb-3 text-gray-70">
        <strong className="text-gray-90">{keyword}</strong> 검색 결과 총{" "}
        <strong className="tabular text-primary-60">{formatCount(result.totalElements)}</strong>건
        {result.more && " 이상"}
      </p>
      {result.content.length === 0 ? (
        <Empty className="border-b border-gray-20">검색 결과가 없습니다.</Empty>
      ) : (
        <ul>
          {result.content.map((hit) => (
            <SearchHitEntry
              key={`${hit.boardCode}-${hit.itemNo}`}
              hit={hit}
              words={result.highlight}
              choice={choice}
              showBoard={showBoard}
            />
          ))}
        </ul>
      )}
      <Pager page={result.page} totalPages={result.totalPages} href={href} label="검색 결과 페이지 이동" />
    </section>
  );
}

interface SearchHitEntryProps {
  hit: SearchHit;
  words: readonly string[];
  choice: BoardListChoice | undefined;
  showBoard: boolean;
}

function SearchHitEntry({ hit, words, choice, showBoard }: SearchHitEntryProps) {
  const hasMark = (name: string) => splitAtHits(name, words).some((part) => part.hit);
  const files = hit.fileNames.filter(hasMark);
  return (
    <li className="relative border-b border-gray-20 px-2 py-5 transition-colors hover:bg-gray-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {showBoard && <Badge tone="primary">{hit.boardName}</Badge>}
        {hit.category && <span className="text-sm text-primary-60">[{hit.category}]</span>}
        {hit.isSecret && <SecretMark />}
        <Link
          to={boardItemHref(hit.boardCode, hit.itemNo, choice)}
          state={{ fromList: true }}
          className="min-w-0 text-lg font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline"
        >
          <MarkedText text={hit.title} words={words} />
        </Link>
        <RowMarks row={hit} />
      </div>
      {hit.excerpt && (
        <p className="mt-1.5 line-clamp-2 text-gray-70">
          <MarkedText text={hit.excerpt} words={words} />
        </p>
      )}
      {files.map((name) => (
        <p key={name} className="mt-1.5 flex items-start gap-1.5 text-sm text-gray-70">
          <Paperclip aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="sr-only">첨부파일 </span>
          <span className="min-w-0 [word-break:normal]">
            <MarkedText text={name} words={words} />
          </span>
        </p>
      ))}
      <p className="mt-2 flex flex-wrap gap-x-3 text-sm text-gray-60">
        <span>
          <MarkedText text={hit.createdUserName} words={words} />
        </span>
        <Time date={hit.createdDate} />
        <span className="tabular">조회 {formatCount(hit.viewCount)}</span>
      </p>
    </li>
  );
}

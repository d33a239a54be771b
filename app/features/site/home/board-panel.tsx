import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { NewMark, SecretMark } from "#app/features/board/row-marks.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Time } from "#app/ui/time.tsx";
import type { HomePage } from "#worker/contract/board/view.ts";

/** The newest items of one board. */
export function HomeBoardPanel({ panel }: { panel: HomePage["boards"][number] }) {
  const { boardCode, boardName, items } = panel;
  const headingId = `panel-${boardCode}`;
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="flex items-end justify-between gap-4 border-b-2 border-primary-80 pb-2">
        <h2 id={headingId} className="text-xl">
          {boardName}
        </h2>
        <Link
          to={boardListHref(boardCode)}
          className="-mr-2 inline-flex min-h-11 items-center gap-0.5 rounded-md px-2 text-sm font-semibold text-gray-70 hover:text-primary-60"
        >
          <span className="sr-only">{boardName} </span>더보기
          <ChevronRight aria-hidden="true" className="size-4" />
        </Link>
      </div>
      {items === null ? (
        <Empty>{boardName} 게시물을 불러오지 못했습니다. 잠시 후 다시 시도해 주십시오.</Empty>
      ) : items.length === 0 ? (
        <Empty>등록된 게시물이 없습니다.</Empty>
      ) : (
        <ul className="divide-y divide-gray-20 border-b border-gray-20">
          {items.map((item) => (
            <li
              key={item.itemNo}
              className="relative flex flex-wrap items-center gap-x-4 gap-y-0.5 px-1 py-3.5 transition-colors hover:bg-gray-5 md:flex-nowrap"
            >
              <span className="flex w-full min-w-0 items-center gap-1.5 md:w-auto md:flex-1">
                {item.isSecret && <SecretMark />}
                <Link
                  to={boardItemHref(boardCode, item.itemNo)}
                  className="line-clamp-2 min-w-0 text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline md:line-clamp-1"
                >
                  {item.title}
                </Link>
                {item.isNew && <NewMark />}
              </span>
              <span className="text-sm text-gray-60">
                <Time date={item.createdDate} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

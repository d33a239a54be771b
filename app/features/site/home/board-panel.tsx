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
        <Link to={boardListHref(boardCode)} className="more-link">
          <span className="sr-only">{boardName} </span>더보기
          <ChevronRight aria-hidden="true" />
        </Link>
      </div>
      {items === null ? (
        <Empty>{boardName} 게시물을 불러오지 못했습니다. 잠시 후 다시 시도해 주십시오.</Empty>
      ) : items.length === 0 ? (
        <Empty>등록된 게시물이 없습니다.</Empty>
      ) : (
        <ul className="panel-rows">
          {items.map((item) => (
            <li key={item.itemNo}>
              <span>
                {item.isSecret && <SecretMark />}
                <Link to={boardItemHref(boardCode, item.itemNo)}>{item.title}</Link>
                {item.isNew && <NewMark />}
              </span>
              <Time date={item.createdDate} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

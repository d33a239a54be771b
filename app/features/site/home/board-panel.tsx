import ChevronRight from "lucide-react/icons/chevron-right";
import { Link } from "react-router";
import { boardListHref, boardItemHref } from "#app/features/board/board-paths.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { UserText } from "#app/ui/user-text.tsx";
import { NewMark, SecretMark } from "#app/features/board/row-marks.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Time } from "#app/ui/time.tsx";
import type { HomePage } from "#worker/contract/board/view.ts";

export function HomeBoardPanel({ panel }: { panel: HomePage["boards"][number] }) {
  const { boardCode, boardName, items } = panel;
  const { home, pathOf, langOf } = useTexts();
  const headingId = `panel-${boardCode}`;
  return (
    <section aria-labelledby={headingId} className="min-w-0">
      <div className="flex items-end justify-between gap-4 border-b-2 border-primary-80 pb-2">
        <h2 id={headingId} lang={langOf(boardName)} className="text-xl">
          {boardName}
        </h2>
        <Link to={pathOf("", boardListHref(boardCode))} className="more-link">
          <span className="sr-only">{home.moreOf(boardName)}</span>
          {home.more}
          <ChevronRight aria-hidden="true" />
        </Link>
      </div>
      {items === null ? (
        <Empty>{home.boardFailed(boardName)}</Empty>
      ) : items.length === 0 ? (
        <Empty>{home.noItems}</Empty>
      ) : (
        <ul className="panel-rows">
          {items.map((item) => (
            <li key={item.itemNo}>
              <span>
                {item.isSecret && <SecretMark />}
                <Link to={pathOf("", boardItemHref(boardCode, item.itemNo))}>
                  <UserText>{item.title}</UserText>
                </Link>
                {item.isNew && <NewMark />}
              </span>
              <Time date={item.createdDate} format="short" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

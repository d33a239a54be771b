import { lookUp } from "#worker/contract/kernel/labels.ts";
import ChevronDown from "lucide-react/icons/chevron-down";
import { Link } from "react-router";
import { ArticleBody } from "#app/ui/article.tsx";
import { type BoardListChoice } from "#app/features/board/board-paths.ts";
import { useBoardTexts } from "#app/features/board/board-texts.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { SecretMark } from "#app/features/board/row-marks.tsx";
import { type RowSelection, RowTick } from "./bulk-action-bar.tsx";
import { useTexts } from "#app/lib/page-language.ts";
import type { ItemRow } from "#worker/contract/board/view.ts";
import type { BoardListPage } from "#worker/domain/board/list.server.ts";

interface FaqListProps extends Pick<BoardListPage, "board" | "items" | "answers"> {
  choice: BoardListChoice;
  selection?: RowSelection | undefined;
}

/** Answers open in place without JavaScript. An unreadable answer is shown as a link. */
export function FaqList({ board, items, answers, choice, selection }: FaqListProps) {
  return (
    <ul className="border-t-2 border-primary-80">
      {[...items.pinned, ...items.content].map((row) => (
        <li key={row.itemNo} className="flex items-start gap-3 border-b border-gray-20">
          <RowTick row={row} selection={selection} className="mt-4.5" />
          <div className="min-w-0 flex-1">
            <FaqQuestion row={row} board={board} answer={answers[row.itemNo]} choice={choice} />
          </div>
        </li>
      ))}
    </ul>
  );
}

interface FaqQuestionProps extends Pick<BoardListPage, "board"> {
  row: ItemRow;
  answer: string | undefined;
  choice: BoardListChoice;
}

function FaqQuestion({ row, board, answer, choice }: FaqQuestionProps) {
  const { list: texts } = useBoardTexts();
  const { titleOf } = usePostTexts();
  const { langOf } = useTexts();
  const category = lookUp(board.categoryNames, row.category) ?? row.category;
  const path = useBoardHrefs().item(row.boardCode, row.itemNo, choice);
  const title = (
    <>
      <span aria-hidden="true" className="text-xl font-bold text-primary-60">
        Q
      </span>
      {category && (
        <span lang={langOf(category)} className="shrink-0 text-sm text-primary-60">
          [{category}]
        </span>
      )}
      {row.isSecret && <SecretMark />}
      <span lang={langOf(row.title)} className="min-w-0 flex-1 font-semibold">
        {titleOf(row.title)}
      </span>
    </>
  );
  if (answer === undefined) {
    return (
      <Link to={path} className="flex min-h-15 items-center gap-3 px-2 py-3 hover:bg-gray-5">
        {title}
      </Link>
    );
  }
  return (
    <details className="group">
      <summary className="flex min-h-15 cursor-pointer items-center gap-3 px-2 py-3 hover:bg-gray-5">
        {title}
        <ChevronDown aria-hidden="true" className="size-5 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="bg-gray-5 px-4 py-4 md:px-10 [&_.article]:py-0">
        <div lang={langOf(answer)}>
          <ArticleBody html={answer} />
        </div>
        <p className="mt-3 text-sm">
          <Link
            to={path}
            state={{ fromList: true }}
            className="inline-flex min-h-11 items-center text-primary-60 underline underline-offset-4 md:min-h-8"
          >
            {texts.whole(row.fileCount)}
          </Link>
        </p>
      </div>
    </details>
  );
}

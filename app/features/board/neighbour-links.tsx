import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { type BoardListChoice, boardItemHref } from "#app/features/board/board-paths.ts";
import type { ItemNeighbour, ItemView } from "#worker/contract/board/view.ts";

/** 이전글 and 다음글 under the text. */
export function NeighbourLinks({ item, choice }: { item: ItemView; choice: BoardListChoice }) {
  return (
    <nav aria-label="이전글 다음글" className="mt-10 divide-y divide-gray-20 border-y border-gray-20 print:hidden">
      <NeighbourLine
        label="이전글"
        none="이전글이 없습니다."
        boardCode={item.boardCode}
        neighbour={item.previous}
        choice={choice}
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
      </NeighbourLine>
      <NeighbourLine
        label="다음글"
        none="다음글이 없습니다."
        boardCode={item.boardCode}
        neighbour={item.next}
        choice={choice}
      >
        <ChevronRight aria-hidden="true" className="size-4" />
      </NeighbourLine>
    </nav>
  );
}

interface NeighbourLineProps {
  label: string;
  none: string;
  boardCode: string;
  neighbour: ItemNeighbour | null;
  choice: BoardListChoice;
  children: ReactNode;
}

function NeighbourLine({ label, none, boardCode, neighbour, choice, children }: NeighbourLineProps) {
  return (
    <div className="flex min-h-14 items-center gap-4 px-2 py-2 md:gap-8">
      <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-gray-70">
        {children}
        {label}
      </span>
      {neighbour ? (
        <Link
          to={boardItemHref(boardCode, neighbour.itemNo, choice)}
          className="line-clamp-2 py-1 underline-offset-4 hover:text-primary-60 hover:underline md:line-clamp-1"
        >
          {neighbour.title}
        </Link>
      ) : (
        <span className="text-gray-60">{none}</span>
      )}
    </div>
  );
}

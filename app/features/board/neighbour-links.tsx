import ChevronRight from "lucide-react/icons/chevron-right";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { Link } from "react-router";
import { type BoardListChoice, boardItemHref } from "#app/features/board/board-paths.ts";
import type { ItemView } from "#worker/contract/board/view.ts";

/** 이전글 and 다음글 under the text. */
export function NeighbourLinks({ item, choice }: { item: ItemView; choice: BoardListChoice }) {
  const neighbours = [
    { label: "이전글", neighbour: item.previous, Icon: ChevronLeft },
    { label: "다음글", neighbour: item.next, Icon: ChevronRight },
  ];
  return (
    <nav aria-label="이전글 다음글" className="mt-10 divide-y divide-gray-20 border-y border-gray-20 print:hidden">
      {neighbours.map(({ label, neighbour, Icon }) => (
        <div key={label} className="flex min-h-14 items-center gap-4 px-2 py-2 md:gap-8">
          <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-gray-70">
            <Icon aria-hidden="true" className="size-4" />
            {label}
          </span>
          {neighbour ? (
            <Link
              to={boardItemHref(item.boardCode, neighbour.itemNo, choice)}
              className="line-clamp-2 py-1 underline-offset-4 hover:text-primary-60 hover:underline md:line-clamp-1"
            >
              {neighbour.title}
            </Link>
          ) : (
            <span className="text-gray-60">{label}이 없습니다.</span>
          )}
        </div>
      ))}
    </nav>
  );
}

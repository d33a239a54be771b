import ChevronRight from "lucide-react/icons/chevron-right";
import ChevronLeft from "lucide-react/icons/chevron-left";
import { Link } from "react-router";
import { type BoardListChoice } from "#app/features/board/board-paths.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { useItemTexts } from "#app/features/board/item-texts.ts";
import { UserText } from "#app/ui/user-text.tsx";
import type { ItemView } from "#worker/contract/board/view.ts";

export function NeighbourLinks({ item, choice }: { item: ItemView; choice: BoardListChoice }) {
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

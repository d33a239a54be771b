import GripVertical from "lucide-react/icons/grip-vertical";
import type { useRowDrag } from "#app/features/list/use-row-drag.ts";
import { Button } from "#app/ui/button.tsx";

interface RowMoveButtonsProps {
  name: string;
  index: number;
  count: number;
  busy?: boolean;
  onMove: (by: -1 | 1) => void;
}

export function RowMoveButtons({ name, index, count, busy = false, onMove }: RowMoveButtonsProps) {
  return (
    <>
      <Button size="sm" disabled={index === 0} busy={busy} onClick={() => onMove(-1)}>
        위로<span className="sr-only"> {name}</span>
      </Button>
      <Button size="sm" disabled={index === count - 1} busy={busy} onClick={() => onMove(1)}>
        아래로<span className="sr-only"> {name}</span>
      </Button>
    </>
  );
}

/** Moves one entry by an offset; a move beyond the list's ends does nothing. */
export function moveEntry<T>(list: readonly T[], at: number, by: number): T[] {
  const entry = list[at];
  if (entry === undefined || at + by < 0 || at + by >= list.length) return [...list];
  return list.toSpliced(at, 1).toSpliced(at + by, 0, entry);
}

/** A drag handle for the mouse; buttons cover other input. @param handle of `useRowDrag` */
export function RowDragHandle({ handle }: { handle: ReturnType<ReturnType<typeof useRowDrag>["handleOf"]> }) {
  return (
    <span {...handle} title="끌어서 순서 바꾸기" className="needs-script cursor-grab text-gray-50 max-md:hidden">
      <GripVertical aria-hidden="true" className="size-5" />
    </span>
  );
}

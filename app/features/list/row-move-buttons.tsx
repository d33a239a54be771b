import { Button } from "#app/ui/button.tsx";

interface RowMoveButtonsProps {
  /** What is moved, for those who only hear the button. */
  name: string;
  index: number;
  count: number;
  busy?: boolean;
  onMove: (by: -1 | 1) => void;
}

/** Up and down in a list. */
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

/** The same list with one entry a place further up or down. */
export function moveEntry<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const [a, b] = [list[at], list[at + by]];
  return a === undefined || b === undefined ? [...list] : list.with(at, b).with(at + by, a);
}

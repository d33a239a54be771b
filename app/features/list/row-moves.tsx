import { Button } from "#app/ui/button.tsx";

interface RowMovesProps {
  /** What is moved, for those who only hear the button. */
  name: string;
  at: number;
  count: number;
  busy?: boolean;
  onMove: (by: -1 | 1) => void;
}

/** Up and down in a list. */
export function RowMoves({ name, at, count, busy = false, onMove }: RowMovesProps) {
  return (
    <>
      <Button size="sm" disabled={at === 0} busy={busy} onClick={() => onMove(-1)}>
        위로<span className="sr-only"> {name}</span>
      </Button>
      <Button size="sm" disabled={at === count - 1} busy={busy} onClick={() => onMove(1)}>
        아래로<span className="sr-only"> {name}</span>
      </Button>
    </>
  );
}

/** The same list with one entry a place further up or down. */
export function moved<T>(list: readonly T[], at: number, by: -1 | 1): T[] {
  const [a, b] = [list[at], list[at + by]];
  return a === undefined || b === undefined ? [...list] : list.with(at, b).with(at + by, a);
}

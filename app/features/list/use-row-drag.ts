import { type DragEvent, useState } from "react";

/**
 * Rows that are dragged by a handle to another place. Whoever has no pointer, or a finger, has the buttons beside it.
 * @param onMove the places in the list before and after
 */
export function useRowDrag(onMove: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return {
    /** The row over which another is held. */
    over: dragged === null || over === dragged ? null : over,
    handleOf: (index: number) => ({
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        setDragged(index);
        event.dataTransfer.effectAllowed = "move";
        // Firefox drags nothing that carries nothing.
        event.dataTransfer.setData("text/plain", String(index));
        const row = event.currentTarget.closest("li");
        if (row) event.dataTransfer.setDragImage(row, 16, 16);
      },
      onDragEnd: end,
    }),
    rowOf: (index: number) => ({
      onDragOver: (event: DragEvent<HTMLElement>) => {
        if (dragged === null) return;
        event.preventDefault();
        setOver(index);
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        event.preventDefault();
        if (dragged !== null && dragged !== index) onMove(dragged, index);
        end();
      },
    }),
  };
}

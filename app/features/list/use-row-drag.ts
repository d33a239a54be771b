import { type DragEvent, useState } from "react";

/** Supports the mouse only; touch and keyboard use buttons. @param onMove the indexes before and after */
export function useRowDrag(onMove: (from: number, to: number) => void) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return {
    over: dragged === null || over === dragged ? null : over,
    handleOf: (index: number) => ({
      draggable: true,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        setDragged(index);
        event.dataTransfer.effectAllowed = "move";
        // Firefox only starts a drag that carries data.
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

import { useRef } from "react";

/** Inserts a `{{placeholder}}` at the cursor, as typed text, and moves the cursor behind it. */
export function usePlaceholderInsertion<E extends HTMLInputElement | HTMLTextAreaElement = HTMLTextAreaElement>() {
  const area = useRef<E>(null);
  const insert = (name: string) => {
    const field = area.current;
    if (!field) return;
    const end = field.value.length;
    field.focus();
    field.setRangeText(`{{${name}}}`, field.selectionStart ?? end, field.selectionEnd ?? end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return { area, insert };
}

import { useRef } from "react";

/** Inserts a `{{placeholder}}` at the cursor and moves the cursor behind it. */
export function usePlaceholderInsertion<E extends HTMLInputElement | HTMLTextAreaElement = HTMLTextAreaElement>(
  text: string,
  setText: (text: string) => void,
) {
  const area = useRef<E>(null);
  const insert = (name: string) => {
    const placeholder = `{{${name}}}`;
    const from = area.current?.selectionStart ?? text.length;
    const to = area.current?.selectionEnd ?? text.length;
    setText(text.slice(0, from) + placeholder + text.slice(to));
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(from + placeholder.length, from + placeholder.length);
    });
  };
  return { area, insert };
}

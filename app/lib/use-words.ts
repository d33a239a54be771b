import { useRootData } from "#app/lib/root-data.ts";
import { fillWords, type OwnWords } from "#worker/contract/kernel/product-words.ts";

/** Puts the society's words into a text: `say("{동문:을/를} 추가")`. */
export function useWords(): (text: string) => string {
  const words = useRootData<{ look: { words: OwnWords } }>()?.look.words ?? {};
  return (text) => fillWords(words, text);
}

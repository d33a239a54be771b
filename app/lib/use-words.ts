import { useRootData } from "#app/lib/root-data.ts";
import { fillWords, type OwnWords } from "#worker/contract/kernel/wording.ts";

/** `say("{동문:을/를} 추가")` inserts the society's own word. */
export function useWords(): (text: string) => string {
  const words = useRootData<{ look: { words: OwnWords } }>()?.look.words ?? {};
  return (text) => fillWords(words, text);
}

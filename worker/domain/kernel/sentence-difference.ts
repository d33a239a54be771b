import type { DiffLine } from "#worker/contract/kernel/text.ts";
import { diffArrays } from "diff";

/** A full stop after a letter and before a space, or a new line; not in numbered lists and dates. */
const SENTENCE_END = /((?<=[^\d\s.][.!?。][\]"'”’」』)]{0,2})\s+|\n\s*)/u;
/** Bounds the comparison of 2,000 sentences to about 0.1 seconds. */
export const EDITS_MAX = 600;
const SENTENCES_MAX = 2000;

export function splitSentences(text: string): string[] {
  return text.split(SENTENCE_END);
}

/** Compares sentence by sentence; nearly unrelated texts are replaced whole. */
export function sentenceDifference(older: readonly string[], newer: readonly string[]): DiffLine[] {
  const [before, after] = [older, newer].map((lines) =>
    lines.flatMap((line) => splitSentences(line).filter((part) => part.trim() !== "")).slice(0, SENTENCES_MAX),
  ) as [string[], string[]];
  const runs = diffArrays(before, after, { maxEditLength: EDITS_MAX }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  return runs.flatMap(({ removed, added, value }) =>
    value.map((text): DiffLine => ({ kind: removed ? "removed" : added ? "added" : "same", text })),
  );
}

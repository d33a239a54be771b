import type { DiffLine } from "#worker/contract/kernel/diff.ts";
import { diffArrays } from "diff";

/** A full stop after a letter and before a space, or a new line; numbered lists and dates go on. */
const SENTENCE_END = /((?<=[^\d\s.][.!?。][\]"'”’」』)]{0,2})\s+|\n\s*)/u;
/** Of a text of 2,000 sentences this takes about a tenth of a second at worst. */
const EDITS_MAX = 600;
const SENTENCES_MAX = 2000;

/** Sentences by turns with the space between them. */
export function splitSentences(text: string): string[] {
  return text.split(SENTENCE_END);
}

/** What was taken out and what was put in, sentence by sentence; of texts with hardly anything in common, all of it. */
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

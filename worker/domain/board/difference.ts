import type { DifferenceLine } from "#worker/contract/board-manage.ts";
import { htmlLines } from "../kernel/html-text.server.ts";

const LINES_MAX = 1000;

/** The lines of a text, pictures among them. */
export const textLines = (html: string): string[] => htmlLines(html, { pictures: true }).slice(0, LINES_MAX);

/** What was taken out and what was put in, by the longest common subsequence of lines. */
export function difference(before: string[], after: string[]): DifferenceLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (lines: string[]): DifferenceLine[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(before.slice(0, start)),
    ...changed(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(end === 0 ? [] : before.slice(-end)),
  ];
}

function changed(before: string[], after: string[]): DifferenceLine[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DifferenceLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: "same", text: before[i]! });
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: before[i++]! });
    } else lines.push({ kind: "added", text: after[j++]! });
  }
  return lines;
}

import { diffArrays } from "diff";
import { DomUtils } from "htmlparser2";
import {
  ENGLISH_TEXT_MISSING,
  ENGLISH_TITLE_MISSING,
  PLACE_TO_FILL,
  PLACES_LEFT_MESSAGE,
} from "#worker/contract/content/rules.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import type { DiffLine } from "#worker/contract/kernel/text.ts";
import { htmlLines, isBlankHtml, readHtml, writeHtml } from "../kernel/html-text.server.ts";
import { EDITS_MAX, sentenceDifference } from "../kernel/sentence-difference.ts";
import { type ChildNode, type Element, isTag } from "domhandler";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";

export function compareHtmlTexts(older: string, newer: string): DiffLine[] {
  return sentenceDifference(htmlLines(older, { pictures: true }), htmlLines(newer, { pictures: true }));
}

export interface TwoTexts {
  content: string;
  englishTitle: string;
  englishContent: string;
}

/** Problems by field; null for none. `needsText` is false for pages that show more than their text. */
export function textProblems({ content, englishTitle, englishContent }: TwoTexts, needsText = true) {
  const hasText = !isBlankHtml(englishContent);
  const untitled = hasText && englishTitle === "";
  const missing = needsText && englishTitle !== "" && !hasText ? ENGLISH_TEXT_MISSING : null;
  return {
    content: content.includes(PLACE_TO_FILL) ? PLACES_LEFT_MESSAGE : null,
    englishTitle: untitled ? ENGLISH_TITLE_MISSING : null,
    englishContent: englishContent.includes(PLACE_TO_FILL) ? PLACES_LEFT_MESSAGE : missing,
  };
}

/** @throws AppError INVALID_INPUT with every problem */
export function refuseProblems(problems: Record<string, string | null>): void {
  const found = Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null);
  if (found.length > 0) throw invalidInput(Object.fromEntries(found));
}

const FILE_PATH = "/api/file/";
const FRAMES = new Set(["p", "figure"]);

/** Removes pictures that this site lacks, and returns their names. */
export function withoutMissingPictures(html: string, files: ReadonlySet<string>): { html: string; left: string[] } {
  const left: string[] = [];
  const cleaned = cleanHtml(html);
  const document = readHtml(cleaned);
  for (const picture of DomUtils.getElementsByTagName("img", document)) {
    const { alt, src = "" } = picture.attribs;
    if (files.has(src.slice(FILE_PATH.length))) continue;
    left.push(`사진 '${alt || "설명 없음"}'`);
    const frame = picture.parent;
    DomUtils.removeElement(picture);
    if (frame && isTag(frame) && FRAMES.has(frame.name) && DomUtils.getInnerHTML(frame).trim() === "")
      DomUtils.removeElement(frame);
  }
  return { html: left.length === 0 ? cleaned : cleanHtml(writeHtml(document)), left };
}

export function withoutMissingPicturesIn(
  texts: { content: string; englishContent: string },
  files: ReadonlySet<string>,
) {
  const korean = withoutMissingPictures(texts.content, files);
  const english = withoutMissingPictures(texts.englishContent, files);
  return { content: korean.html, englishContent: english.html, left: [...korean.left, ...english.left] };
}

const BLOCKS = new Set(["h2", "h3", "h4", "p", "li", "tr"]);
const blocksOf = (nodes: ChildNode[]): Element[] =>
  nodes.filter(isTag).flatMap((node) => (BLOCKS.has(node.name) ? [node] : blocksOf(node.children)));
const textOf = (block: Element) => DomUtils.textContent(block).replace(/\s+/g, "");
const compareBlocks = (from: Element[], to: Element[]) =>
  diffArrays(from.map(textOf), to.map(textOf), { maxEditLength: EDITS_MAX });

/** How many blocks of `template` the text has unchanged. */
export function sharedBlocks(html: string, template: string): number {
  const texts = new Set(blocksOf(readHtml(html).children).map(textOf));
  return blocksOf(readHtml(template).children).filter((block) => texts.has(textOf(block))).length;
}

/**
 * Applies the changes from `older` to `newer` to an edited copy of `older`, block by block; edited blocks stay. A copy
 * with more edits than the comparison allows stays as it is.
 */
export function followHtml(older: string, newer: string, edited: string): string {
  const document = readHtml(edited);
  const [before, after, here] = [
    blocksOf(readHtml(older).children),
    blocksOf(readHtml(newer).children),
    blocksOf(document.children),
  ];
  const [edits, runs] = [compareBlocks(before, here), compareBlocks(before, after)];
  if (older === newer || !edits || !runs) return edited;
  let place = 0;
  /** By index in `before`: the same block of the edited copy. */
  const kept = edits.flatMap(({ added, removed, value }) => {
    if (added) place += value.length;
    return added ? [] : value.map(() => (removed ? undefined : here[place++]));
  });
  let [at, to] = [0, 0];
  for (const [index, { added, removed, value }] of runs.entries()) {
    const next = runs[index + 1];
    const fresh = after.slice(to, to + (removed ? (next?.added ? next.value.length : 0) : value.length));
    if (removed) replaceBlocks(kept.slice(at, at + value.length), fresh);
    else if (added && !runs[index - 1]?.removed) insertBlocks(kept[at - 1], fresh, kept[at]);
    if (!added) at += value.length;
    if (!removed) to += value.length;
  }
  return writeHtml(document);
}

function replaceBlocks(gone: readonly (Element | undefined)[], fresh: readonly Element[]): void {
  if (gone.length !== fresh.length && gone.includes(undefined)) return;
  const [last] = gone.slice(-1);
  for (const [at, block] of fresh.entries()) {
    const place = gone.length === fresh.length ? gone[at] : last;
    if (place) DomUtils.prepend(place, block);
  }
  for (const block of gone) if (block) DomUtils.removeElement(block);
}

/** Inserts between two blocks, into the list or table of the neighbour of the same kind. */
function insertBlocks(before: Element | undefined, fresh: readonly Element[], after: Element | undefined): void {
  const isAfter = before?.name === fresh[0]?.name;
  for (const block of isAfter ? fresh.toReversed() : fresh) {
    if (isAfter && before) DomUtils.append(before, block);
    else if (after?.name === block.name) DomUtils.prepend(after, block);
  }
}

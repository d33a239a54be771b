import { CONSOLE_AREAS, consoleAddress, type ConsoleWaiting } from "#worker/contract/kernel/console/console-pages.ts";
import type { ConsolePage, ConsoleRight } from "#worker/contract/kernel/console/console-page.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { fillWords } from "#worker/contract/kernel/wording.ts";
import type { SiteLook } from "#worker/contract/site/view.ts";

export interface ConsoleLink {
  label: string;
  href: string;
  /** Keywords for the console's search. */
  words: readonly string[];
  /** How much waits at the page, and its name. */
  count: number;
  waits: string;
}

export interface ConsoleMenuArea {
  label: string;
  links: ConsoleLink[];
}

/** Returns the menu in the society's words, without features or permissions that are missing. */
export function consoleMenuFor(
  { words, hasNoCenters, certificates }: SiteLook,
  { consoleRights }: { consoleRights: readonly ConsoleRight[] },
  waiting: ConsoleWaiting = {},
): ConsoleMenuArea[] {
  const say = (text: string) => fillWords(words, text);
  const isThere = (needs: ConsolePage["needs"]): boolean => {
    if (needs === "certificates") return certificates !== "none" && isThere("Alumni_Write");
    if (needs === "proposals") return isThere("Research_Manage") || isThere("Research_Decide");
    return !needs || (needs === "centers" ? !hasNoCenters : consoleRights.includes(needs));
  };
  const linkTo = (page: ConsolePage): ConsoleLink => ({
    label: say(page.label),
    href: consoleAddress(page),
    words: page.words.split(", ").map(say),
    count: lookUp<number | undefined>(waiting, page.path) ?? 0,
    waits: page.waits ?? "",
  });
  return CONSOLE_AREAS.map(({ label, pages }) => ({
    label: say(label),
    links: pages.filter(({ needs }) => isThere(needs)).map(linkTo),
  })).filter(({ links }) => links.length > 0);
}

export interface ConsoleHit {
  label: string;
  href: string;
  /** The setting that matched, or the page's area. */
  note: string;
}

const foldWords = (text: string) =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s·]+/g, "");

/** Ranks name matches before setting matches; an empty keyword returns all pages. */
export function searchConsoleLinks(menu: ConsoleMenuArea[], keyword: string): ConsoleHit[] {
  const folded = foldWords(keyword);
  const hits = menu.flatMap(({ label: area, links }) =>
    links.flatMap(({ label, href, words }) => {
      if (foldWords(label).includes(folded)) return [{ rank: 0, hit: { label, href, note: area } }];
      const word = words.find((each) => foldWords(each).includes(folded));
      if (word) return [{ rank: 1, hit: { label, href, note: word } }];
      return foldWords(area) === folded ? [{ rank: 2, hit: { label, href, note: area } }] : [];
    }),
  );
  return hits.toSorted((a, b) => a.rank - b.rank).map(({ hit }) => hit);
}

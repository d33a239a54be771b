import { type RefObject, useLayoutEffect, useState } from "react";
import type { PrintChoice } from "#app/features/alumni/paper/print-choice.ts";
import type { PrintedPerson } from "#worker/contract/alumni/paper.ts";

/** Space that a printer may cut off, in CSS pixels. */
const EDGE = 2;
const TIGHT = "label-tight";

export interface PaperFit {
  /** People whose text is cut off at the usual size. */
  cut: readonly string[];
  /** Those who are cut off in small type too. */
  cutInSmall: readonly string[];
}

const ALL_FIT: PaperFit = { cut: [], cutInSmall: [] };

function isCut(place: HTMLElement): boolean {
  const paper = place.closest(".label-place") ?? place.closest(".paper-page");
  const [first, last] = [place.firstElementChild, place.lastElementChild];
  if (!paper || !first || !last) return false;
  const box = paper.getBoundingClientRect();
  return (
    first.getBoundingClientRect().top < box.top + EDGE ||
    last.getBoundingClientRect().bottom > box.bottom - EDGE ||
    place.scrollWidth > place.clientWidth + 1
  );
}

/** Measures each place with a `data-person`, at the usual size and in small type. */
function measure(root: HTMLElement, isSmall: boolean): PaperFit {
  const places = [...root.querySelectorAll<HTMLElement>("[data-person]")];
  for (const place of places) place.classList.remove(TIGHT);
  const cut = places.filter(isCut);
  for (const place of cut) place.classList.add(TIGHT);
  const cutInSmall = cut.filter(isCut);
  if (!isSmall) for (const place of cut) place.classList.remove(TIGHT);
  const idsOf = (list: HTMLElement[]) => list.map(({ dataset }) => dataset.person ?? "");
  return { cut: idsOf(cut), cutInSmall: idsOf(cutInSmall) };
}

/** @param isSmall prints those who do not fit in small type */
export function useFit(
  pages: RefObject<HTMLElement | null>,
  people: readonly PrintedPerson[],
  choice: PrintChoice,
  isSmall: boolean,
): PaperFit {
  const [fit, setFit] = useState(ALL_FIT);
  useLayoutEffect(() => {
    let isLeft = false;
    const again = () => {
      if (pages.current && !isLeft) setFit(measure(pages.current, isSmall));
    };
    again();
    void document.fonts.ready.then(again);
    return () => {
      isLeft = true;
    };
  }, [pages, people, choice, isSmall]);
  return fit;
}

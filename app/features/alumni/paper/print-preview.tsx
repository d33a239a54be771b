import Printer from "lucide-react/icons/printer";
import { type ReactNode, useRef, useState } from "react";
import { FitAlert } from "#app/features/alumni/paper/fit-alert.tsx";
import { type PrintChoice, sheetForChoice } from "#app/features/alumni/paper/print-choice.ts";
import { PrintedPages } from "#app/features/alumni/paper/printed-pages.tsx";
import { useFit } from "#app/features/alumni/paper/use-fit.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import type { OwnField } from "#worker/contract/alumni/own-fields.ts";
import { perSheet, type PrintedPerson, sheetCount } from "#worker/contract/alumni/paper.ts";

interface PrintPreviewProps {
  people: readonly PrintedPerson[];
  choice: PrintChoice;
  /** Above a directory. */
  title: string;
  own: readonly OwnField[];
  /** Above the pages, who is left out. */
  children?: ReactNode;
}

/** The pages as they are printed; the page's links need `paper.css`. */
export function PrintPreview({ people, choice, title, own, children }: PrintPreviewProps) {
  const sheet = sheetForChoice(choice);
  const pages = sheet ? sheetCount(people.length, perSheet(sheet), choice.start) : null;
  const paper = useRef<HTMLDivElement>(null);
  const [isSmall, setSmall] = useState(false);
  const fit = useFit(paper, people, choice, isSmall);
  return (
    <section aria-labelledby="print-preview" className="mt-8">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 id="print-preview" className="mr-auto text-xl">
          미리보기{" "}
          <span className="tabular text-base font-normal text-gray-70">
            {formatCount(people.length)}명{pages !== null && `, ${formatCount(pages)}장`}
          </span>
        </h2>
        <Button variant="primary" onClick={() => window.print()}>
          <Printer aria-hidden="true" className="size-5" />
          인쇄
        </Button>
      </div>
      {children}
      <FitAlert fit={fit} isSmall={isSmall} people={people} onSmall={setSmall} />
      <p className="mb-3 text-sm text-gray-60">
        인쇄 창에서 배율은 100%(실제 크기), 여백은 기본값으로 두십시오. 처음에는 흰 종이에 한 장만 찍어 칸에 맞대어
        보십시오.
      </p>
      <div role="region" aria-label="인쇄할 쪽" tabIndex={0} ref={paper} className="paper paper-screen">
        <PrintedPages people={people} choice={choice} title={title} own={own} />
      </div>
    </section>
  );
}

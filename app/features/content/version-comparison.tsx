import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";
import { Time } from "#app/ui/inline.tsx";
import type { DiffLine } from "#worker/contract/kernel/text.ts";
import type { LegalPage } from "#worker/domain/content/legal-page.server.ts";
import { LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";

const CONTEXT = 2;
const LINE_STYLES: Record<DiffLine["kind"], { word: string; sign: string; look: string }> = {
  same: { word: "", sign: "", look: "text-gray-60" },
  added: { word: "추가", sign: "+", look: "bg-success-5 text-success-60" },
  removed: { word: "삭제", sign: "−", look: "bg-danger-5 text-danger-70" },
};

/** Folds runs of unchanged lines except those next to a change. */
function foldUnchangedLines(lines: readonly DiffLine[]): (DiffLine | number)[] {
  const near = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((line) => line.kind !== "same");
  const folded: (DiffLine | number)[] = [];
  for (const [at, line] of lines.entries()) {
    const last = folded.at(-1);
    if (line.kind !== "same" || near(at)) folded.push(line);
    else if (typeof last === "number") folded[folded.length - 1] = last + 1;
    else folded.push(1);
  }
  return folded;
}

export function VersionComparison({
  page,
  comparison,
}: {
  page: LegalPage;
  comparison: NonNullable<LegalPage["comparison"]>;
}) {
  const changes = comparison.lines.filter((line) => line.kind !== "same").length;
  return (
    <section aria-labelledby="comparison" className="py-8">
      <h2 id="comparison" className="text-xl">
        달라진 점
      </h2>
      <p className="mt-2 text-gray-60">
        <Time date={comparison.effectiveDate} format="long" /> 시행 버전과{" "}
        <span>{page.effectiveDate && <Time date={page.effectiveDate} format="long" />}</span> 시행 버전을
        비교하였습니다. {changes === 0 ? "달라진 문장이 없습니다." : `달라진 문장은 ${changes}개입니다.`}{" "}
        <Link
          to={`${LEGAL_PAGES[page.code].path}?version=${page.versionNo}`}
          className="font-semibold text-primary-60 underline underline-offset-4"
        >
          전문 보기
        </Link>
      </p>
      <LineDifferences lines={comparison.lines} />
    </section>
  );
}

export function LineDifferences({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <ol className="mt-5 overflow-hidden rounded-lg border border-gray-20">
      {foldUnchangedLines(lines).map((line, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name and never move
        <li key={at}>{typeof line === "number" ? <FoldedLines count={line} /> : <DifferenceLineRow line={line} />}</li>
      ))}
    </ol>
  );
}

function FoldedLines({ count }: { count: number }) {
  return <p className="bg-gray-5 px-4 py-1.5 text-sm text-gray-60">같은 문장 {count}개 생략</p>;
}

function DifferenceLineRow({ line }: { line: DiffLine }) {
  const { word, sign, look } = LINE_STYLES[line.kind];
  const text =
    line.kind === "added" ? <ins>{line.text}</ins> : line.kind === "removed" ? <del>{line.text}</del> : line.text;
  return (
    <p className={cx("flex gap-3 px-4 py-2", look)}>
      <span aria-hidden="true" className="w-3 shrink-0 font-bold">
        {sign}
      </span>
      <span className="[&_ins]:no-underline">
        {word && <span className="sr-only">{word}: </span>}
        <span>{text}</span>
      </span>
    </p>
  );
}

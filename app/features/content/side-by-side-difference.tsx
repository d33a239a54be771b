import { withParticle } from "#worker/contract/kernel/wording.ts";
import { cx } from "#app/ui/cx.ts";
import type { DiffLine } from "#worker/contract/kernel/text.ts";

interface LinePair {
  older: string | null;
  newer: string | null;
  isSame: boolean;
}

export function pairLines(lines: readonly DiffLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      pairs.push({ older: removed[at] ?? null, newer: added[at] ?? null, isSame: false });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === "removed") removed.push(line.text);
    else if (line.kind === "added") added.push(line.text);
    else {
      flush();
      pairs.push({ older: line.text, newer: line.text, isSame: true });
    }
  }
  flush();
  return pairs;
}

export function SideBySideDifference({
  lines,
  older,
  newer,
}: {
  lines: readonly DiffLine[];
  older: string;
  newer: string;
}) {
  return (
    <table className="w-full table-fixed border-y border-gray-20 max-md:block">
      <caption className="sr-only">
        {withParticle(older, "과/와")} {newer}의 비교
      </caption>
      <thead className="max-md:sr-only">
        <tr className="border-b border-gray-20 bg-gray-5 text-left">
          <th scope="col" className="px-4 py-3">
            {older}
          </th>
          <th scope="col" className="px-4 py-3">
            {newer}
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {pairLines(lines).map((pair, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- sentences have no other name and never move
          <tr key={at} className="border-b border-gray-10 align-top max-md:block">
            <DifferenceCell text={pair.older} isSame={pair.isSame} version={older} isNewer={false} />
            <DifferenceCell text={pair.newer} isSame={pair.isSame} version={newer} isNewer />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DifferenceCellProps {
  text: string | null;
  isSame: boolean;
  version: string;
  isNewer: boolean;
}

function DifferenceCell({ text, isSame, version, isNewer }: DifferenceCellProps) {
  const look = isNewer ? "bg-success-5 text-success-60" : "bg-danger-5 text-danger-70";
  const changed = !isSame && text !== null;
  return (
    <td
      className={cx(
        "px-4 py-2 max-md:block",
        changed ? look : "text-gray-70",
        // Phones show unchanged sentences once and hide empty sides.
        ((isSame && isNewer) || text === null) && "max-md:hidden",
      )}
    >
      {changed && (
        <span className="text-sm font-semibold md:sr-only">
          {version} {isNewer ? "추가" : "삭제"}:{" "}
        </span>
      )}
      {changed ? (
        isNewer ? (
          <ins className="no-underline">{text}</ins>
        ) : (
          <del className="no-underline">{text}</del>
        )
      ) : (
        <span>{text}</span>
      )}
    </td>
  );
}

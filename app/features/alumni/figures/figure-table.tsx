import type { ReactNode } from "react";
import { formatCount } from "#app/lib/format.ts";
import {
  type CohortFigure,
  type Figure,
  type Reach,
  REACH_LABELS,
  REACHES,
  shareText,
} from "#worker/contract/alumni/figures.ts";

const widthOf = (part: number, whole: number) => ({ width: `${whole === 0 ? 0 : (part / whole) * 100}%` });

const highestOf = (figures: readonly Figure[]) => Math.max(1, ...figures.map(({ count }) => count));

interface BarTableProps {
  title: string;
  head: string;
  numbers: readonly string[];
  children: ReactNode;
}

/** The bars are decorative; the numbers carry the same information. */
function BarTable({ title, head, numbers, children }: BarTableProps) {
  return (
    <table className="figure-table tabular">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <td className="figure-bar" aria-hidden="true">
            &nbsp;
          </td>
          {numbers.map((number) => (
            <th key={number} scope="col">
              {number}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface FigureTableProps {
  title: string;
  head: string;
  figures: readonly (Figure & { sum?: number })[];
  total: number;
}

export function FigureTable({ title, head, figures, total }: FigureTableProps) {
  const highest = highestOf(figures);
  const sums = figures.some(({ sum }) => sum !== undefined);
  return (
    <BarTable title={title} head={head} numbers={sums ? ["늘어난 수", "쌓인 수"] : ["명", "비율"]}>
      {figures.map(({ label, count, sum }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="figure-bar" aria-hidden="true">
            <span className="figure-stack">
              <span className="reach-mail" style={widthOf(count, highest)} />
            </span>
          </td>
          <td>{formatCount(count)}</td>
          <td>{sum === undefined ? shareText(count, total) : formatCount(sum)}</td>
        </tr>
      ))}
    </BarTable>
  );
}

export function CohortTable({ cohorts }: { cohorts: readonly CohortFigure[] }) {
  const highest = highestOf(cohorts);
  return (
    <BarTable
      title="기수별 인원과 연락 수단"
      head="기수"
      numbers={["명", ...REACHES.map((reach) => REACH_LABELS[reach]), "연락 가능"]}
    >
      {cohorts.map(({ label, count, reach }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td className="figure-bar" aria-hidden="true">
            <ReachBar reach={reach} whole={highest} />
          </td>
          <td>{formatCount(count)}</td>
          {REACHES.map((each) => (
            <td key={each}>{formatCount(reach[each])}</td>
          ))}
          <td>{shareText(reachedOf(reach), count)}</td>
        </tr>
      ))}
    </BarTable>
  );
}

export const reachedOf = (reach: Record<Reach, number>) => reach.mail + reach.phone + reach.bouncedPhone;

export function ReachBar({ reach, whole }: { reach: Record<Reach, number>; whole: number }) {
  return (
    <span className="figure-stack">
      {REACHES.map((each) => (
        <span key={each} className={`reach-${each}`} style={widthOf(reach[each], whole)} />
      ))}
    </span>
  );
}

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

interface FigureTableProps {
  title: string;
  /** What the rows are. */
  head: string;
  figures: readonly (Figure & { sum?: number })[];
  total: number;
}

/** Bars with their numbers beside them; the bars say nothing that the numbers do not. */
export function FigureTable({ title, head, figures, total }: FigureTableProps) {
  const highest = highestOf(figures);
  const sums = figures.some(({ sum }) => sum !== undefined);
  return (
    <table className="figure-table tabular">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <td className="figure-bar" aria-hidden="true">
            &nbsp;
          </td>
          <th scope="col">{sums ? "늘어난 수" : "명"}</th>
          <th scope="col">{sums ? "쌓인 수" : "비율"}</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}

/** How many of each cohort are reached, and how. */
export function CohortTable({ cohorts }: { cohorts: readonly CohortFigure[] }) {
  const highest = highestOf(cohorts);
  return (
    <table className="figure-table tabular">
      <caption>기수별 인원과 연락 수단</caption>
      <thead>
        <tr>
          <th scope="col">기수</th>
          <td className="figure-bar" aria-hidden="true">
            &nbsp;
          </td>
          <th scope="col">명</th>
          {REACHES.map((reach) => (
            <th key={reach} scope="col">
              {REACH_LABELS[reach]}
            </th>
          ))}
          <th scope="col">연락 가능</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
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

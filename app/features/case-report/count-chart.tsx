import { bandsOf, ticksOf } from "#app/lib/chart-scale.ts";
import type { LocationCount } from "#worker/contract/case-report/view.ts";

const WIDTH = 440;
const ROW = 34;
const VALUE = 76;

interface CountChartProps {
  label: string;
  labelWidth: number;
  locations: readonly LocationCount[];
  shown: (count: number | null) => string;
}

/** Bars are sized on the server so that the layout does not shift. */
export function CountChart({ label, labelWidth, locations, shown }: CountChartProps) {
  const rows = locations.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  const height = rows.length * ROW;
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0));
  const x = (count: number) => (WIDTH - labelWidth - VALUE) * (count / most);
  const bands = bandsOf(rows.length, 0, height, 0.28);
  const ticks = ticksOf(most).slice(1);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label} className="mt-4 block h-auto w-full max-w-xl">
      {ticks.map((tick) => (
        <line
          key={tick}
          x1={labelWidth + x(tick)}
          x2={labelWidth + x(tick)}
          y1={0}
          y2={height}
          className="stroke-gray-10"
          aria-hidden="true"
        />
      ))}
      {rows.map(({ regionCode, regionName, count }, at) => {
        const top = bands.startOf(at);
        const middle = top + bands.size / 2;
        const length = x(count ?? 0);
        return (
          <g key={regionCode} fontSize={15}>
            <text x={0} y={middle} dominantBaseline="central" className="fill-gray-90 font-semibold">
              {regionName}
            </text>
            <rect x={labelWidth} y={top} width={length} height={bands.size} rx={2} className="fill-primary-50" />
            <text x={labelWidth + length + 8} y={middle} dominantBaseline="central" className="tabular fill-gray-90">
              {shown(count)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

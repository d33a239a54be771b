import type { ReactNode } from "react";
import { MapCreditLine, RegionMap } from "#app/features/content/map/region-map.tsx";
import { useSection, useTexts, useWords } from "#app/lib/page-language.ts";
import { KOREAN_RESIDENCE_TEXTS, type ResidenceTexts } from "#app/lib/texts/korean-residence.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/inline.tsx";
import type { LocationCount, SubjectCounts } from "#worker/contract/case-report/case-report.ts";
import { bandsOf, ticksOf } from "#app/lib/chart-scale.ts";

/** Regions too small to contain their names. */
const LABELS_BESIDE = new Set(["incheon", "pusan", "ulsan"]);
const formatShownCount = (count: number | null, texts: ResidenceTexts) =>
  count === null ? texts.hidden : texts.count(formatCount(count));

export function ResidenceFigures({ counts }: { counts: SubjectCounts }) {
  const { total, locations, asOfDate, stale } = counts;
  const shades = makeMapShades(locations);
  const say = useWords();
  const texts = useResidenceTexts();
  return (
    <>
      {stale && (
        <Alert tone="warning" className="mt-6">
          {texts.stale}
        </Alert>
      )}
      <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1 rounded-xl bg-primary-5 px-6 py-5">
        <p className="text-lg">
          {say(texts.registered)}{" "}
          <strong className="tabular text-2xl font-extrabold text-primary-70">{texts.total(formatCount(total))}</strong>
        </p>
        <p className="text-gray-60">
          {texts.asOf.before}
          <Time date={asOfDate} format="datetime" />
          {texts.asOf.after}
        </p>
      </div>
      <div className="mt-10 grid gap-12 lg:grid-cols-2 lg:gap-14">
        <CountMap locations={locations} shades={shades} />
        <CountBars locations={locations} />
      </div>
      <CountTable locations={locations} total={total} />
    </>
  );
}

function FigureSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function CountMap({ locations, shades }: { locations: readonly LocationCount[]; shades: readonly MapShade[] }) {
  const texts = useResidenceTexts();
  return (
    <FigureSection id="residence-map" title={texts.map}>
      <RegionMap
        label={texts.mapLabel}
        className="mx-auto mt-4 w-full max-w-xl"
        defs={<SwatchPatterns />}
        regionOf={(code) => {
          const row = locations.find(({ regionCode }) => regionCode === code);
          if (!row) return { fill: "fill-[url(#no-data)]" };
          if (row.count === null) return { fill: "fill-[url(#hidden-count)]" };
          const shade = findMapShade(shades, row.count);
          return {
            fill: shade?.fill ?? "fill-white stroke-gray-40!",
            text: LABELS_BESIDE.has(code) ? undefined : shade?.text,
            note: formatCount(row.count),
          };
        }}
      />
      <ul aria-label={texts.legend} className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
        <LegendKey label={texts.count("0")}>
          <span className="border border-gray-40 bg-white" />
        </LegendKey>
        {shades.map(({ from, to, box }) => (
          <LegendKey
            key={from}
            label={from === to ? texts.count(formatCount(from)) : texts.range(formatCount(from), formatCount(to))}
          >
            <span className={box} />
          </LegendKey>
        ))}
        {locations.some(({ count }) => count === null) && (
          <LegendKey label={texts.hidden}>
            <Swatch pattern="hidden-count" />
          </LegendKey>
        )}
        <LegendKey label={texts.noData}>
          <Swatch pattern="no-data" />
        </LegendKey>
      </ul>
      <MapCreditLine />
    </FigureSection>
  );
}

function SwatchPatterns() {
  return (
    <defs>
      <pattern id="no-data" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="7" height="7" className="fill-gray-10" />
        <rect width="2" height="7" className="fill-gray-30" />
      </pattern>
      <pattern id="hidden-count" width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" className="fill-accent-5" />
        <circle cx="3" cy="3" r="1.1" className="fill-accent-50" />
      </pattern>
    </defs>
  );
}

const Swatch = ({ pattern }: { pattern: string }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true">
    <rect width="20" height="20" fill={`url(#${pattern})`} />
  </svg>
);

function LegendKey({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <li className="tabular flex items-center gap-2">
      <span aria-hidden="true" className="inline-grid size-5 overflow-hidden rounded-sm forced-color-adjust-none">
        {children}
      </span>
      {label}
    </li>
  );
}

/** Label widths in SVG units. */
const NAME_WIDTHS = { narrow: 52, wide: 96 };

function CountBars({ locations }: { locations: readonly LocationCount[] }) {
  const { hasWideNames } = useTexts();
  const texts = useResidenceTexts();
  return (
    <FigureSection id="residence-bars" title={texts.bars}>
      <CountChart
        labelWidth={hasWideNames ? NAME_WIDTHS.wide : NAME_WIDTHS.narrow}
        label={texts.barsLabel}
        locations={locations}
        shown={(count) => formatShownCount(count, texts)}
      />
    </FigureSection>
  );
}

function CountTable({ locations, total }: { locations: readonly LocationCount[]; total: number }) {
  const texts = useResidenceTexts();
  const share = (count: number | null) =>
    count === null ? "-" : `${total === 0 ? "0.0" : ((count / total) * 100).toFixed(1)}%`;
  return (
    <section aria-labelledby="residence-table" className="mt-12 max-w-2xl">
      <h2 id="residence-table" className="mb-4 text-xl">
        {texts.table}
      </h2>
      <Table caption={texts.tableLabel}>
        <TableHead>
          <Th>{texts.region}</Th>
          <Th className="text-right">{texts.countName}</Th>
          <Th className="text-right">{texts.share}</Th>
        </TableHead>
        <tbody>
          {locations.map(({ regionCode, regionName, count }) => (
            <tr key={regionCode}>
              <th scope="row" className="border-b border-gray-20 px-4 py-3 font-medium">
                {regionName}
              </th>
              <Td className="text-right">{formatShownCount(count, texts)}</Td>
              <Td className="text-right">{share(count)}</Td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-bold">
            <th scope="row" className="bg-gray-5 px-4 py-3">
              {texts.sum}
            </th>
            <td className="bg-gray-5 px-4 py-3 text-right">{texts.count(formatCount(total))}</td>
            <td className="bg-gray-5 px-4 py-3 text-right">{total === 0 ? "-" : "100.0%"}</td>
          </tr>
        </tfoot>
      </Table>
    </section>
  );
}

export const useResidenceTexts = () => useSection("residence", KOREAN_RESIDENCE_TEXTS);

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
function CountChart({ label, labelWidth, locations, shown }: CountChartProps) {
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

const ON_DARK = "fill-white stroke-primary-80";
/** Ordered from light to dark; names on dark shades have inverted colours. */
const SHADES = [
  { fill: "fill-primary-10", box: "bg-primary-10", text: undefined },
  { fill: "fill-primary-20", box: "bg-primary-20", text: undefined },
  { fill: "fill-primary-30", box: "bg-primary-30", text: undefined },
  { fill: "fill-primary-50", box: "bg-primary-50", text: ON_DARK },
  { fill: "fill-primary-70", box: "bg-primary-70", text: ON_DARK },
] as const;

interface MapShade {
  fill: string;
  box: string;
  text: string | undefined;
  from: number;
  to: number;
}

/** Splits the regions into classes of about equal size and returns each class's bounds. */
function makeMapShades(locations: readonly LocationCount[]): MapShade[] {
  const counts = [...new Set(locations.flatMap(({ count }) => (count ? [count] : [])))].toSorted((a, b) => a - b);
  const classes = Math.min(SHADES.length, counts.length);
  return Array.from({ length: classes }, (_none, at) => {
    const first = Math.floor((at * counts.length) / classes);
    const last = Math.floor(((at + 1) * counts.length) / classes) - 1;
    const look = SHADES[Math.round((at * (SHADES.length - 1)) / Math.max(1, classes - 1))] ?? SHADES[0];
    return { ...look, from: counts[first] ?? 0, to: counts[last] ?? 0 };
  });
}

const findMapShade = (shades: readonly MapShade[], count: number) =>
  shades.find(({ from, to }) => count >= from && count <= to);

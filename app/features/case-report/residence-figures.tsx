import { MapCreditLine, RegionMap } from "#app/features/content/map/region-map.tsx";
import { useSection, useWords } from "#app/lib/page-language.ts";
import { KOREAN_RESIDENCE_TEXTS, type ResidenceTexts } from "#app/lib/texts/korean-residence.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Table, TableHead, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/inline.tsx";
import type { LocationCount, SubjectCounts } from "#worker/contract/case-report/case-report.ts";

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
      <h2 className="mt-10 text-xl">{texts.figure}</h2>
      <figure id="residence-figure" className="mt-4 grid gap-10 lg:grid-cols-2 lg:gap-14">
        <CountMap locations={locations} shades={shades} />
        <div className="mx-auto w-full max-w-xl lg:max-w-none">
          <CountTable locations={locations} total={total} />
        </div>
      </figure>
    </>
  );
}

function CountMap({ locations, shades }: { locations: readonly LocationCount[]; shades: readonly MapShade[] }) {
  const texts = useResidenceTexts();
  return (
    <div className="min-w-0">
      <RegionMap
        label={texts.mapLabel}
        className="mx-auto w-full max-w-xl"
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
            label={to === Infinity ? texts.atLeast(formatCount(from)) : texts.range(formatCount(from), formatCount(to))}
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
    </div>
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

function CountTable({ locations, total }: { locations: readonly LocationCount[]; total: number }) {
  const texts = useResidenceTexts();
  const rows = locations.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0));
  const share = (count: number | null) =>
    count === null ? "-" : `${total === 0 ? "0.0" : ((count / total) * 100).toFixed(1)}%`;
  return (
    <Table caption={texts.figure}>
      <TableHead>
        <Th className="px-2 whitespace-nowrap md:px-4">{texts.region}</Th>
        <Th className="px-2 text-right md:px-4">{texts.countName}</Th>
        <Th className="px-2 text-right md:px-4">{texts.share}</Th>
      </TableHead>
      <tbody>
        {rows.map(({ regionCode, regionName, count }) => (
          <tr key={regionCode} className="border-b border-gray-20">
            <th scope="row" className="px-2 py-2 font-medium whitespace-nowrap md:px-4">
              {regionName}
            </th>
            <td className="w-full px-2 py-2 md:px-4">
              <CountBar share={(count ?? 0) / most}>{formatShownCount(count, texts)}</CountBar>
            </td>
            <td className="px-2 py-2 text-right md:px-4">{share(count)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="bg-gray-5 font-bold">
          <th scope="row" className="px-2 py-3 md:px-4">
            {texts.sum}
          </th>
          <td className="px-2 py-3 text-right md:px-4">{texts.count(formatCount(total))}</td>
          <td className="px-2 py-3 text-right md:px-4">{total === 0 ? "-" : "100.0%"}</td>
        </tr>
      </tfoot>
    </Table>
  );
}

/** Sized on the server so that the layout does not shift. */
function CountBar({ share, children }: { share: number; children: string }) {
  return (
    <span className="flex items-center gap-3">
      <svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none" className="h-4 w-0 min-w-8 flex-1">
        <rect width={share * 100} height={1} className="fill-primary-50" />
      </svg>
      <span className="min-w-12 text-right whitespace-nowrap">{children}</span>
    </span>
  );
}

export const useResidenceTexts = () => useSection("residence", KOREAN_RESIDENCE_TEXTS);

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

/** Rounds to the first digit. */
function rounded(count: number): number {
  const step = 10 ** Math.floor(Math.log10(count));
  return Math.round(count / step) * step;
}

/** Splits the regions into classes of about equal size with rounded bounds; the last class is open. */
function makeMapShades(locations: readonly LocationCount[]): MapShade[] {
  const counts = [...new Set(locations.flatMap(({ count }) => (count ? [count] : [])))].toSorted((a, b) => a - b);
  const wanted = Math.min(SHADES.length, counts.length);
  const starts = Array.from({ length: wanted }, (_none, at) =>
    at === 0 ? 1 : rounded(counts[Math.floor((at * counts.length) / wanted)] ?? 1),
  );
  const classes = [...new Set(starts)]
    .map((from, at, all) => ({ from, to: (all[at + 1] ?? Infinity) - 1 }))
    .filter(({ from, to }) => counts.some((count) => count >= from && count <= to));
  return classes.map((each, at) => ({
    ...(SHADES[Math.round((at * (SHADES.length - 1)) / Math.max(1, classes.length - 1))] ?? SHADES[0]),
    ...each,
  }));
}

const findMapShade = (shades: readonly MapShade[], count: number) =>
  shades.find(({ from, to }) => count >= from && count <= to);

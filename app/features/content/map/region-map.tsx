import type { ReactNode } from "react";
import { Link } from "react-router";
import {
  EAST_ISLANDS,
  MAP_CREDIT,
  MAP_VIEW,
  type MapProvince,
  PROVINCE_SHAPES,
} from "#app/features/content/map/provinces.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { cx } from "#app/ui/cx.ts";

interface MapRegion {
  /** Tailwind classes of the shape and, if different, of its name and frame. */
  fill: string;
  text?: string | undefined;
  note?: string | undefined;
  link?: { href: string; label: string } | undefined;
  /** The tooltip of a region without a link. */
  title?: string | undefined;
}

interface RegionMapProps {
  label: string;
  regionOf: (code: string, name: string) => MapRegion;
  /** Frames the region that is pointed at in the map or the list (`mark-region.ts`). */
  isPointedAt?: boolean | undefined;
  className?: string | undefined;
  defs?: ReactNode;
  hideNames?: boolean | undefined;
}

/** Is a group of links if there are links, otherwise a picture described elsewhere. */
export function RegionMap({ label, regionOf, isPointedAt, className, defs, hideNames }: RegionMapProps) {
  const { regionName, hasWideNames } = useTexts();
  const regions = PROVINCE_SHAPES.map((each) => {
    const shape = { ...each, name: regionName(each.code, each.name) };
    return { shape, region: regionOf(shape.code, shape.name) };
  });
  const hasLinks = regions.some(({ region }) => region.link);
  return (
    <svg
      viewBox={MAP_VIEW}
      role={hasLinks ? "group" : "img"}
      aria-label={label}
      className={cx("block h-auto", className)}
    >
      {defs}
      <EastIslands large={hideNames === true} />
      {regions.map(({ shape, region }) => (
        <RegionShape key={shape.code} shape={shape} region={region} />
      ))}
      {isPointedAt && (
        <path
          data-outline
          className="pointer-events-none fill-none stroke-accent-60 stroke-[3]"
          strokeLinejoin="round"
        />
      )}
      {!hideNames &&
        regions.map(({ shape, region }) => (
          <text
            key={shape.code}
            x={shape.x}
            y={shape.y}
            aria-hidden="true"
            className={cx(
              "pointer-events-none stroke-[3] font-semibold [paint-order:stroke]",
              hasWideNames ? "text-[12px]" : "text-[14px]",
              region.text ?? "fill-gray-90 stroke-white",
            )}
            textAnchor="middle"
            dominantBaseline="middle"
          >
            {region.note === undefined ? (
              shape.name
            ) : (
              <>
                <tspan x={shape.x} dy="-.5em">
                  {shape.name}
                </tspan>
                <tspan x={shape.x} dy="1.1em" className="text-[13px] font-bold tabular">
                  {region.note}
                </tspan>
              </>
            )}
          </text>
        ))}
    </svg>
  );
}

/** Provinces too small for a finger get an invisible circle as touch target. */
const SMALL_PROVINCES = new Set(["sejong", "daejeon", "kwangju", "seoul", "incheon", "ulsan", "pusan", "daegu"]);

function EastIslands({ large }: { large: boolean }) {
  const { frame, labels } = EAST_ISLANDS;
  const { map, hasWideNames } = useTexts();
  const size = hasWideNames ? "text-[11.5px]" : large ? "text-[17px]" : "text-[14px]";
  return (
    <g className="pointer-events-none">
      <rect {...frame} rx={8} className="fill-none stroke-primary-30 stroke-[1.5]" />
      {labels.map(({ island, x, y }) => (
        <text
          key={island}
          x={x}
          y={y}
          textAnchor="middle"
          dominantBaseline="middle"
          className={cx("fill-gray-90 font-semibold", size)}
        >
          {map.islands[island]}
        </text>
      ))}
    </g>
  );
}

function RegionShape({ shape, region }: { shape: MapProvince; region: MapRegion }) {
  const drawn = (
    <path
      d={shape.path}
      className={cx("stroke-white stroke-1 transition-colors", region.fill)}
      strokeLinejoin="round"
    />
  );
  if (!region.link) {
    return (
      <g data-region={shape.code}>
        {region.title && <title>{region.title}</title>}
        {drawn}
      </g>
    );
  }
  return (
    <Link
      to={region.link.href}
      aria-label={region.link.label}
      className="outline-none focus-visible:[&>path]:stroke-focus focus-visible:[&>path]:stroke-[4]"
      data-region={shape.code}
    >
      {SMALL_PROVINCES.has(shape.code) && <circle cx={shape.x} cy={shape.y} r={24} className="fill-transparent" />}
      {drawn}
    </Link>
  );
}

/** CC BY 4.0 requires the credit wherever the map is shown. */
export function MapCreditLine() {
  const { map, newWindow } = useTexts();
  return (
    <p className="mt-3 text-xs text-gray-60">
      {map.credit}{" "}
      <a href={MAP_CREDIT.href} target="_blank" rel="noopener noreferrer" title={newWindow} className="underline">
        {MAP_CREDIT.title}
      </a>
      ,{" "}
      <a
        href={MAP_CREDIT.licenseHref}
        target="_blank"
        rel="noopener noreferrer license"
        title={newWindow}
        className="underline"
      >
        {MAP_CREDIT.license}
      </a>
      {map.simplified}
    </p>
  );
}

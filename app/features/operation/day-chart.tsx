import { bandsOf, niceTop, ticksOf } from "#app/lib/chart-scale.ts";
import { formatCount } from "#app/lib/format.ts";

interface DayCounts {
  /** 2026-11-21 */
  day: string;
  items: number;
  comments: number;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 36;
const BOTTOM = 24;
/** In SVG units; phones scale the chart to half, so the text is doubled. */
const AXIS_TEXT = "fill-gray-60 text-[12px] max-md:text-[22px]";

/** Is drawn on the server. A table holds the same numbers for screen readers. */
export function DayChart({ days }: { days: readonly DayCounts[] }) {
  const top = niceTop(Math.max(4, ...days.map((day) => day.items + day.comments)));
  const base = HEIGHT - BOTTOM;
  const bands = bandsOf(days.length, LEFT, WIDTH, 0.18);
  const y = (count: number) => base * (1 - count / top) + 12 * (count / top);
  const items = days.reduce((sum, day) => sum + day.items, 0);
  const comments = days.reduce((sum, day) => sum + day.comments, 0);
  const short = (day: string) => `${Number(day.slice(5, 7))}.${Number(day.slice(8))}.`;
  return (
    <figure className="max-w-4xl">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`최근 30일 글 ${formatCount(items)}건, 댓글 ${formatCount(comments)}건`}
        className="block h-auto w-full"
      >
        {ticksOf(top).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} className="stroke-gray-20" />
            <text x={LEFT - 6} y={y(tick) + 5} textAnchor="end" className={AXIS_TEXT}>
              {tick}
            </text>
          </g>
        ))}
        {days.map((day, at) => {
          const bar = { x: bands.startOf(at), width: bands.size };
          const [low, high] = [y(day.items), y(day.items + day.comments)];
          return (
            <g key={day.day}>
              <title>{`${short(day.day)} 글 ${day.items}건, 댓글 ${day.comments}건`}</title>
              <rect {...bar} y={low} height={base - low} className="fill-primary-60" />
              <rect {...bar} y={high} height={low - high} className="fill-primary-30" />
              {at % 5 === 3 && (
                <text x={bar.x + bar.width / 2} y={HEIGHT - 6} textAnchor="middle" className={AXIS_TEXT}>
                  {short(day.day)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption className="mt-2 flex flex-wrap gap-x-5 text-sm text-gray-70">
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-primary-60" />글 {formatCount(items)}건
        </span>
        <span className="inline-flex items-center gap-2">
          <span aria-hidden="true" className="size-3 bg-primary-30" />
          댓글 {formatCount(comments)}건
        </span>
      </figcaption>
    </figure>
  );
}

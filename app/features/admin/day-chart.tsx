import { formatCount } from "#app/lib/format.ts";

interface Day {
  /** 2026-11-21 */
  day: string;
  items: number;
  comments: number;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 36;
const BOTTOM = 24;

/** Thirty days as stacked bars, drawn on the server; the same numbers stand in a table for those who do not see them. */
export function DayChart({ days }: { days: readonly Day[] }) {
  const highest = Math.max(4, ...days.map((day) => day.items + day.comments));
  const top = Math.ceil(highest / 4) * 4;
  const step = (WIDTH - LEFT) / days.length;
  const height = (count: number) => (count / top) * (HEIGHT - BOTTOM - 12);
  const base = HEIGHT - BOTTOM;
  const items = days.reduce((sum, day) => sum + day.items, 0);
  const comments = days.reduce((sum, day) => sum + day.comments, 0);
  const short = (day: string) => `${Number(day.slice(5, 7))}.${Number(day.slice(8))}.`;
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`최근 30일 글 ${formatCount(items)}건, 댓글 ${formatCount(comments)}건`}
        className="block h-auto w-full"
      >
        {[0, 1, 2, 3, 4].map((line) => (
          <g key={line}>
            <line
              x1={LEFT}
              x2={WIDTH}
              y1={base - height((top / 4) * line)}
              y2={base - height((top / 4) * line)}
              className="stroke-gray-20"
            />
            <text
              x={LEFT - 6}
              y={base - height((top / 4) * line) + 4}
              textAnchor="end"
              className="fill-gray-60 text-[12px]"
            >
              {(top / 4) * line}
            </text>
          </g>
        ))}
        {days.map((day, at) => (
          <g key={day.day}>
            <title>{`${short(day.day)} 글 ${day.items}건, 댓글 ${day.comments}건`}</title>
            <rect
              x={LEFT + at * step + 2}
              y={base - height(day.items)}
              width={step - 4}
              height={height(day.items)}
              className="fill-primary-60"
            />
            <rect
              x={LEFT + at * step + 2}
              y={base - height(day.items + day.comments)}
              width={step - 4}
              height={height(day.comments)}
              className="fill-primary-30"
            />
            {at % 5 === 3 && (
              <text
                x={LEFT + at * step + step / 2}
                y={HEIGHT - 6}
                textAnchor="middle"
                className="fill-gray-60 text-[12px]"
              >
                {short(day.day)}
              </text>
            )}
          </g>
        ))}
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

const NODES = [
  [300, 70, 9],
  [420, 130, 6],
  [205, 150, 6],
  [330, 190, 14],
  [470, 245, 10],
  [150, 265, 10],
  [260, 300, 7],
  [385, 320, 18],
  [520, 370, 6],
  [110, 390, 6],
  [215, 415, 12],
  [330, 440, 8],
  [455, 470, 12],
  [280, 540, 7],
  [395, 570, 9],
  [180, 520, 5],
] as const;
const LINES = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 5],
  [3, 6],
  [3, 7],
  [4, 7],
  [4, 8],
  [5, 6],
  [5, 9],
  [6, 7],
  [6, 10],
  [7, 8],
  [7, 11],
  [7, 12],
  [9, 10],
  [10, 11],
  [10, 13],
  [10, 15],
  [11, 12],
  [11, 14],
  [12, 14],
  [13, 14],
  [13, 15],
  [8, 12],
] as const;

const node = (index: number) => NODES[index] ?? NODES[0];

/** Sixteen centres and what runs between them: a picture, not a map. */
export function NetworkArt({ className }: { className?: string }) {
  return (
    <svg viewBox="60 20 520 600" className={className} aria-hidden="true">
      <g stroke="#86bfcf" strokeWidth="1.25" opacity=".5">
        {LINES.map(([from, to]) => {
          const [x1, y1] = node(from);
          const [x2, y2] = node(to);
          return <line key={`${from}-${to}`} x1={x1} y1={y1} x2={x2} y2={y2} />;
        })}
      </g>
      {NODES.map(([x, y, r]) => (
        <g key={`${x}-${y}`} fill="#b9dae4">
          {r > 8 && <circle cx={x} cy={y} r={r * 2.4} opacity=".1" />}
          <circle cx={x} cy={y} r={r} opacity={r > 11 ? 0.95 : 0.6} />
        </g>
      ))}
    </svg>
  );
}

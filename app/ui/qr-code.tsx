import { encode } from "uqr";

interface QrCodeProps {
  text: string;
  label: string;
  border: number;
  className?: string;
}

/** Draws one SVG path, so that no text becomes markup. */
export function QrCode({ text, label, border, className }: QrCodeProps) {
  const { data, size } = encode(text, { border, ecc: "M" });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

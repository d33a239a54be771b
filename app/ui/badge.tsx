import type { ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

const TONES = {
  primary: "bg-primary-10 text-primary-70",
  solid: "bg-primary-60 text-white",
  accent: "bg-accent-10 text-accent-60",
  gray: "bg-gray-10 text-gray-70",
  danger: "bg-danger-10 text-danger-70",
  success: "bg-success-10 text-success-60",
  warning: "bg-warning-10 text-warning-60",
};
export type BadgeTone = keyof typeof TONES;

export function Badge({
  tone = "gray",
  className,
  children,
}: {
  tone?: BadgeTone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex items-center rounded-sm forced-colors:border px-2 py-0.5 text-xs font-semibold whitespace-nowrap",
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

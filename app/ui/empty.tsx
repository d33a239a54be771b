import type { ReactNode } from "react";
import { shareDrawing } from "#app/lib/markup/reader-markup.ts";
import { cx } from "#app/ui/cx.ts";

const TRAY = <path d="M6 30h14l4 7h16l4-7h14M6 30v12h52V30M6 30 15 8h34l9 22" strokeLinejoin="round" />;

export function Empty({
  children,
  action,
  className,
}: {
  children: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div className={cx("flex flex-col items-center gap-4 px-4 py-14 text-center text-gray-60", className)}>
      <svg
        viewBox="0 0 64 48"
        className="h-12 text-primary-30"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      >
        {import.meta.env.SSR ? shareDrawing("empty", TRAY) : TRAY}
      </svg>
      <p>{children}</p>
      {action}
    </div>
  );
}

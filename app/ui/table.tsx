import type { ComponentProps, ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

interface TableProps extends ComponentProps<"table"> {
  caption: string;
  children: ReactNode;
}

/** A plain data table that scrolls inside its own frame; the caption is read aloud. */
export function Table({ caption, className, children, ...rest }: TableProps) {
  return (
    <div role="region" aria-label={caption} tabIndex={0} className="relative overflow-x-auto">
      <table {...rest} className={cx("tabular w-full border-t-2 border-primary-80 text-left", className)}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function Th({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      {...rest}
      className={cx("border-b border-gray-30 bg-gray-5 px-4 py-3 text-sm font-semibold text-gray-80", className)}
    />
  );
}

export function Td({ className, ...rest }: ComponentProps<"td">) {
  return <td {...rest} className={cx("border-b border-gray-20 px-4 py-3.5", className)} />;
}

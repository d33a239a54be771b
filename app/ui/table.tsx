import type { ComponentProps, ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

interface TableProps extends ComponentProps<"table"> {
  caption: string;
  /** Shows each row as a card on phones, with cells labelled by `data-label`. */
  cards?: boolean;
  children: ReactNode;
}

const CARDS = cx(
  "max-md:block max-md:[overflow-wrap:anywhere] max-md:[&>caption]:block max-md:[&>thead]:hidden max-md:[&>tbody]:block max-md:[&>tbody>tr]:block",
  "max-md:[&>tbody>tr]:border-b max-md:[&>tbody>tr]:border-gray-20 max-md:[&>tbody>tr]:py-3.5",
  "max-md:[&>tbody>tr>*]:block max-md:[&>tbody>tr>*]:border-0 max-md:[&>tbody>tr>*]:px-1 max-md:[&>tbody>tr>*]:py-0.5",
  "max-md:[&_[data-label]]:before:mr-2 max-md:[&_[data-label]]:before:text-sm max-md:[&_[data-label]]:before:font-normal",
  "max-md:[&_[data-label]]:before:text-gray-60 max-md:[&_[data-label]]:before:content-[attr(data-label)]",
);

export function Table({ caption, cards = false, className, children, ...rest }: TableProps) {
  return (
    <div role="region" aria-label={caption} tabIndex={0} className="relative overflow-x-auto">
      <table
        {...rest}
        className={cx("tabular w-full border-t-2 border-primary-80 text-left", cards && CARDS, className)}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr>{children}</tr>
    </thead>
  );
}

export const HEADER_CELL_CLASS = "border-b border-gray-30 bg-gray-5 px-4 py-3 text-sm font-semibold text-gray-80";

export function Th({ className, ...rest }: ComponentProps<"th">) {
  return <th scope="col" {...rest} className={cx(HEADER_CELL_CLASS, className)} />;
}

export function Td({ className, ...rest }: ComponentProps<"td">) {
  return <td {...rest} className={cx("border-b border-gray-20 px-4 py-3.5", className)} />;
}

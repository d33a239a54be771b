import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

interface SortHeaderProps {
  label: string;
  field: string;
  /** As in the address: "createdDate,DESC". */
  sort: string;
  href: (sort: string) => string;
  first?: "ASC" | "DESC";
  className?: string;
}

/** Column header that links to the list in this column's order; a second click reverses it. */
export function SortHeader({ label, field, sort, href, first = "DESC", className }: SortHeaderProps) {
  const [current, direction] = sort.split(",");
  const active = current === field;
  const next = active ? (direction === "DESC" ? "ASC" : "DESC") : first;
  const Icon = active ? (direction === "DESC" ? ArrowDown : ArrowUp) : ChevronsUpDown;
  return (
    <th
      scope="col"
      aria-sort={active ? (direction === "DESC" ? "descending" : "ascending") : undefined}
      className={className}
    >
      <Link
        to={href(`${field},${next}`)}
        preventScrollReset
        className="-mx-1 inline-flex min-h-8 items-center gap-1 rounded-sm px-1 hover:text-primary-60"
      >
        {label}
        <Icon aria-hidden="true" className={cx("size-3.5", active ? "text-primary-60" : "text-gray-40")} />
      </Link>
    </th>
  );
}

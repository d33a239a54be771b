import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import ChevronsLeft from "lucide-react/icons/chevrons-left";
import ChevronsRight from "lucide-react/icons/chevrons-right";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { cx } from "#app/ui/cx.ts";

interface PagerProps {
  list: { page: number; totalPages: number };
  numberedPages?: number;
  href: (page: number) => string;
  label?: string | undefined;
  className?: string | undefined;
  words?: typeof KOREAN_PAGER_WORDS | undefined;
}

const KOREAN_PAGER_WORDS = { first: "처음", previous: "이전", next: "다음", last: "마지막", page: "페이지" };

const BLOCK = 10;
const PHONE_BLOCK = 5;
const CELL = "pager-cell";

export const pagesOf = (path: string) => (page: number) => `${path}${page > 1 ? `?page=${page}` : ""}`;

/** Shows blocks of 10 pages, or 5 around the current one on phones. */
export function Pager({
  list: { page, totalPages },
  numberedPages = totalPages,
  href,
  label = "페이지 이동",
  className = "mt-8",
  words = KOREAN_PAGER_WORDS,
}: PagerProps) {
  if (totalPages <= 1) return null;
  // Past the end, as from an old bookmark, offers the last pages.
  const near = Math.min(page, totalPages);
  const first = near - ((near - 1) % BLOCK);
  const last = Math.min(first + BLOCK - 1, totalPages);
  const phoneFirst = near - ((near - 1) % PHONE_BLOCK);
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((each) =>
    near > numberedPages ? each === near : each <= numberedPages,
  );
  const onPhone = (each: number) => each >= phoneFirst && each < phoneFirst + PHONE_BLOCK;
  return (
    <nav aria-label={label} className={cx("print:hidden", className)}>
      <ul className="tabular flex flex-wrap items-center justify-center gap-0.5 md:gap-1">
        <PageStep label={words.first} to={page > 1 ? href(1) : null}>
          <ChevronsLeft aria-hidden="true" className="size-5" />
        </PageStep>
        <PageStep label={words.previous} to={page > 1 ? href(Math.min(page - 1, totalPages)) : null}>
          <ChevronLeft aria-hidden="true" className="size-5" />
        </PageStep>
        {pages.map((each) => (
          <li key={each} className={onPhone(each) ? undefined : "hidden md:block"}>
            <Link
              to={href(each)}
              aria-current={each === page ? "page" : undefined}
              className={cx(CELL, each === page && "bg-primary-60 font-bold text-white", each > 999 && "text-sm")}
            >
              {each}
              <span className="sr-only">{words.page}</span>
            </Link>
          </li>
        ))}
        <PageStep label={words.next} to={page < totalPages ? href(page + 1) : null}>
          <ChevronRight aria-hidden="true" className="size-5" />
        </PageStep>
        <PageStep label={words.last} to={page < totalPages && totalPages <= numberedPages ? href(totalPages) : null}>
          <ChevronsRight aria-hidden="true" className="size-5" />
        </PageStep>
      </ul>
    </nav>
  );
}

function PageStep({ label, to, children }: { label: string; to: string | null; children: ReactNode }) {
  return (
    <li>
      {to === null ? (
        <span className={cx(CELL, "text-gray-30")} aria-hidden="true" title={label}>
          {children}
        </span>
      ) : (
        <Link to={to} title={label} className={CELL}>
          {children}
          <span className="sr-only">{label}</span>
        </Link>
      )}
    </li>
  );
}

interface PageSizesProps {
  sizes: readonly number[];
  current: number;
  href: (size: number) => string;
  label: string;
  /** The words after a size, as "개씩 보기". */
  each: string;
}

export function PageSizes({ sizes, current, href, label, each }: PageSizesProps) {
  return (
    <nav aria-label={label} className="flex items-center text-sm text-gray-60">
      <ul className="tabular flex">
        {sizes.map((size) => (
          <li key={size}>
            <Link
              to={href(size)}
              aria-current={size === current ? "true" : undefined}
              preventScrollReset
              className="inline-flex min-h-11 min-w-8 items-center justify-center rounded-md hover:text-primary-60 aria-[current]:font-bold aria-[current]:text-primary-60"
            >
              {size}
              <span className="sr-only">{each}</span>
            </Link>
          </li>
        ))}
      </ul>
      <span aria-hidden="true">{each}</span>
    </nav>
  );
}

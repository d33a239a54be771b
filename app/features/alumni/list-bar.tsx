import { useWords } from "#app/lib/use-words.ts";
import { Link } from "react-router";
import { type AlumniListChoice, alumniListPath } from "#app/features/alumni/list-choice.ts";
import { AlumniColumnChooser } from "#app/features/alumni/column-chooser.tsx";
import { formatCount } from "#app/lib/format.ts";
import { cx } from "#app/ui/cx.ts";
import type { AlumniListPage } from "#worker/contract/alumni/view.ts";

const SIZES = ["20", "50", "100"];

export function AlumniListBar({
  people,
  choice,
  can,
}: Pick<AlumniListPage, "people" | "can"> & { choice: AlumniListChoice }) {
  const say = useWords();
  const sizes = can.write ? SIZES : SIZES.slice(0, 2);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p className="tabular text-gray-70" role="status">
        총 <strong className="text-primary-60">{formatCount(people.totalElements)}</strong>명
        <span aria-hidden="true" className="text-gray-40">
          {" · "}
        </span>
        {formatCount(people.page)}/{formatCount(people.totalPages)} 페이지
      </p>
      <div className="flex items-center gap-2">
        <nav aria-label={say("한 페이지에 볼 {동문} 수")}>
          <ul className="tabular flex items-center text-sm">
            {sizes.map((size) => (
              <li key={size}>
                <Link
                  to={alumniListPath(choice, { size, page: "1" })}
                  aria-current={size === String(people.size) ? "true" : undefined}
                  preventScrollReset
                  className={cx(
                    "inline-flex min-h-11 items-center rounded-md px-2.5",
                    size === String(people.size) ? "font-bold text-primary-60" : "text-gray-60 hover:text-primary-60",
                  )}
                >
                  {size}
                  <span className="sr-only md:not-sr-only">명씩</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Link
          to={alumniListPath(choice, { density: choice.density === "dense" ? "" : "dense" })}
          aria-current={choice.density === "dense" ? "true" : undefined}
          preventScrollReset
          className={cx(
            "hidden min-h-11 items-center rounded-md px-2.5 text-sm md:inline-flex",
            choice.density === "dense" ? "font-bold text-primary-60" : "text-gray-60 hover:text-primary-60",
          )}
        >
          촘촘히
        </Link>
        <AlumniColumnChooser key={choice.columns.join()} choice={choice} />
      </div>
    </div>
  );
}

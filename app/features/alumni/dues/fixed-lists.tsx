import { Link } from "react-router";
import { formatCount } from "#app/lib/format.ts";
import type { DueFigures } from "#worker/domain/alumni/dues/due.server.ts";

/** Links to lists that the office fixed, on the page that made them. */
export function FixedLists({ lists }: Pick<DueFigures, "lists">) {
  if (lists.length === 0) return null;
  return (
    <nav aria-labelledby="fixed-lists" className="mt-10 print:hidden">
      <h2 id="fixed-lists" className="mb-3 text-xl">
        확정한 명단
      </h2>
      <ul>
        {lists.map(({ id, name, count }) => (
          <li key={id}>
            <Link to={`?listId=${id}`} className="inline-flex min-h-11 items-center underline underline-offset-4">
              {name} ({formatCount(count)}명)
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

import { type ReactNode, useState } from "react";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";

const PAGE_ROWS = 20;

export function PagedRows<T>({
  rows,
  label,
  children,
}: {
  rows: readonly T[];
  label: string;
  children: (page: readonly T[]) => ReactNode;
}) {
  const [wanted, setWanted] = useState(1);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
  const page = Math.min(wanted, pages);
  return (
    <>
      {children(rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS))}
      {pages > 1 && (
        <nav aria-label={`${label} 쪽`} className="mt-3 flex items-center justify-center gap-3">
          <Button size="sm" disabled={page === 1} onClick={() => setWanted(page - 1)}>
            이전
          </Button>
          <span className="tabular text-sm text-gray-70" aria-live="polite">
            {formatCount(page)} / {formatCount(pages)}
          </span>
          <Button size="sm" disabled={page === pages} onClick={() => setWanted(page + 1)}>
            다음
          </Button>
        </nav>
      )}
    </>
  );
}

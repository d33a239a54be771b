import Columns3 from "lucide-react/icons/columns-3";
import type { ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

export function ColumnsMenu({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <details className={cx("relative", className)}>
      <summary className="inline-flex min-h-10 items-center gap-2 rounded-md border border-gray-40 px-3 text-sm font-semibold text-gray-80 hover:border-primary-60 hover:text-primary-70">
        <Columns3 aria-hidden="true" className="size-4.5" />열 선택
      </summary>
      {children}
    </details>
  );
}

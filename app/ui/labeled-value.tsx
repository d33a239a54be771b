import type { ReactNode } from "react";
import { cx } from "#app/ui/cx.ts";

export function LabeledValue({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-gray-60">{name}</dt>
      <dd className={cx("mt-0.5 text-gray-90", className)}>{children}</dd>
    </div>
  );
}

import type { BusyState } from "#app/features/alumni/import/progress.ts";
import { formatCount } from "#app/lib/format.ts";
import { ProgressBar } from "#app/ui/progress.tsx";

export function BusyProgress({ busy, className }: { busy: BusyState; className?: string }) {
  return (
    <div role="status" className={className}>
      <p className="tabular mb-2 font-semibold text-gray-80">
        {busy.label}
        {busy.percent !== undefined && busy.percent > 0 && ` (${Math.round(busy.percent)}%)`}…
        {busy.left !== undefined && ` 약 ${formatCount(busy.left)}초 남음`}
      </p>
      <ProgressBar label={busy.label} value={busy.percent || undefined} />
    </div>
  );
}

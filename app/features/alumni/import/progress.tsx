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

export interface BusyState {
  label: string;
  percent?: number;
  left?: number;
  /** True if finished work is kept and can be continued later. */
  canLeave?: boolean;
}

const TELLS_AFTER_MS = 2000;

/** Estimates the remaining time from the time taken so far. */
export function progressOf(label: string, began = performance.now()) {
  return (percent: number): BusyState => {
    const took = performance.now() - began;
    if (percent <= 0 || percent >= 100 || took < TELLS_AFTER_MS) return { label, percent };
    return { label, percent, left: Math.max(1, Math.round((took / percent) * (100 - percent) * 0.001)) };
  };
}

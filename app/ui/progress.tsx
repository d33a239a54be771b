import { cx } from "#app/ui/cx.ts";

/** Indeterminate without `value`. */
export function ProgressBar({
  label,
  value,
  className,
}: {
  label: string;
  value?: number | undefined;
  className?: string;
}) {
  return (
    <progress
      aria-label={label}
      max={100}
      {...(value === undefined ? {} : { value })}
      className={cx(
        "h-2 w-full appearance-none overflow-hidden rounded-full bg-gray-20",
        "[&::-moz-progress-bar]:bg-primary-50 [&::-webkit-progress-bar]:bg-gray-20 [&::-webkit-progress-value]:bg-primary-50",
        className,
      )}
    />
  );
}

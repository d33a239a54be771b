import type { ComponentProps } from "react";
import { cx } from "#app/ui/cx.ts";
import { useControl } from "#app/ui/field.tsx";
import { CONTROL_CLASS } from "#app/ui/input.tsx";

export interface Option {
  value: string;
  label: string;
}

type SelectProps = Omit<ComponentProps<"select">, "children"> & {
  options: readonly (Option | string)[];
  /** The first, empty choice. */
  placeholder?: string | undefined;
};

export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className={cx("relative block", className)}>
      <select {...rest} {...useControl(rest)} className={cx(CONTROL_CLASS, "min-h-12 appearance-none pr-11")}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => {
          const { value, label } = typeof option === "string" ? { value: option, label: option } : option;
          return (
            <option key={value} value={value}>
              {label}
            </option>
          );
        })}
      </select>
      <svg
        viewBox="0 0 20 20"
        className="pointer-events-none absolute top-1/2 right-3.5 size-5 -translate-y-1/2 text-gray-60"
        aria-hidden="true"
      >
        <path d="m5 7.5 5 5 5-5" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
      </svg>
    </span>
  );
}

import { type ComponentProps, useEffect, useRef } from "react";
import { cx } from "#app/ui/cx.ts";
import { CONTROL_CLASS, useFieldControl } from "#app/ui/field.tsx";

export interface SelectOption {
  value: string;
  label: string;
  lang?: string | undefined;
}

export const toNamedOption = (option: SelectOption | string): SelectOption =>
  typeof option === "string" ? { value: option, label: option } : option;

type SelectProps = Omit<ComponentProps<"select">, "children"> & {
  options: readonly (SelectOption | string)[];
  placeholder?: string | undefined;
};

export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  const { defaultValue } = rest;
  const ref = useRef<HTMLSelectElement>(null);
  const given = useRef(defaultValue);
  // Follows a changed default until the user chooses, as React does for inputs.
  useEffect(() => {
    if (ref.current && defaultValue !== undefined && ref.current.value === given.current)
      ref.current.value = String(defaultValue);
    given.current = defaultValue;
  }, [defaultValue]);
  return (
    <span className={cx("relative block", className)}>
      <select
        ref={ref}
        {...rest}
        {...useFieldControl(rest)}
        className={cx(CONTROL_CLASS, "min-h-12 appearance-none pr-11")}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => {
          const { value, label, lang } = toNamedOption(option);
          return (
            <option key={value} value={value} lang={lang}>
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

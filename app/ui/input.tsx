import type { ComponentProps } from "react";
import { cx } from "#app/ui/cx.ts";
import { useFieldControl } from "#app/ui/field.tsx";

export const CONTROL_CLASS = cx(
  "w-full rounded-md border border-gray-40 bg-white px-4 text-base text-gray-90 transition-colors",
  "placeholder:text-gray-50 hover:border-gray-60 focus:border-primary-60",
  "aria-invalid:border-danger-50 disabled:cursor-not-allowed disabled:border-gray-20 disabled:bg-gray-10 disabled:text-gray-60",
  "[&[readonly]]:bg-gray-5 [&[readonly]]:text-gray-70",
);

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} {...useFieldControl(rest)} className={cx(CONTROL_CLASS, "min-h-12", className)} />;
}

import type { ComponentProps } from "react";
import { cx } from "#app/ui/cx.ts";
import { useFieldControl } from "#app/ui/field.tsx";

export const CONTROL_CLASS = "control";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} {...useFieldControl(rest)} className={cx(CONTROL_CLASS, "min-h-12", className)} />;
}

export function NumberInput(props: ComponentProps<"input">) {
  return <Input {...props} type="number" inputMode="numeric" />;
}

import type { ComponentProps } from "react";
import { Field, type FieldProps, NumberInput } from "#app/ui/field.tsx";

type NumberFieldProps = Pick<FieldProps, "label" | "hint" | "error"> & ComponentProps<"input">;

/** Passes every other prop to the input. */
export function NumberField({ label, hint, error, required, ...input }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      <NumberInput {...input} />
    </Field>
  );
}

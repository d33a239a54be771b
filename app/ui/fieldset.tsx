import { type ReactNode, useId } from "react";
import { DescribedControls, describingIds, RequiredMark } from "#app/ui/field.tsx";

interface FieldsetProps {
  legend: ReactNode;
  id?: string | undefined;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** `tabIndex=-1` lets an error summary move the focus here. */
export function Fieldset({ legend, id, hint, error, required, className, children }: FieldsetProps) {
  const made = useId();
  const ownId = id ?? made;
  return (
    <fieldset id={ownId} tabIndex={-1} className={className} aria-describedby={describingIds(ownId, hint, error)}>
      <legend className="mb-1 font-semibold text-gray-90">
        {legend}
        {required && <RequiredMark />}
      </legend>
      <DescribedControls id={ownId} hint={hint} error={error}>
        {children}
      </DescribedControls>
    </fieldset>
  );
}

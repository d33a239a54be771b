import { type ReactNode, useId } from "react";
import { FieldError, RequiredMark } from "#app/ui/field.tsx";

interface FieldsetProps {
  legend: ReactNode;
  id?: string | undefined;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** Several controls under one name. `tabIndex=-1` lets an error summary move the focus here. */
export function Fieldset({ legend, id, hint, error, required, className, children }: FieldsetProps) {
  const made = useId();
  const ownId = id ?? made;
  const hintId = hint ? `${ownId}-hint` : undefined;
  const errorId = error ? `${ownId}-error` : undefined;
  return (
    <fieldset
      id={ownId}
      tabIndex={-1}
      className={className}
      aria-describedby={[hintId, errorId].filter(Boolean).join(" ") || undefined}
    >
      <legend className="mb-1 font-semibold text-gray-90">
        {legend}
        {required && <RequiredMark />}
      </legend>
      {hint && (
        <p id={hintId} className="mb-1 text-sm text-gray-60">
          {hint}
        </p>
      )}
      {children}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  );
}

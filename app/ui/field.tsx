import { type ComponentProps, createContext, type ReactNode, use, useId } from "react";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";
import { cx } from "#app/ui/cx.ts";

interface FieldState {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldState | null>(null);

export interface FieldControlProps {
  id?: string | undefined;
  required?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | "true" | "false" | "grammar" | "spelling" | undefined;
}

/** Merges the id, hint, error and `required` of the surrounding Field. */
export function useFieldControl(own: FieldControlProps): FieldControlProps {
  const field = use(FieldContext);
  if (field === null) return own;
  return {
    id: own.id ?? field.id,
    "aria-describedby": [field.describedBy, own["aria-describedby"]].filter(Boolean).join(" ") || undefined,
    "aria-invalid": own["aria-invalid"] ?? (field.invalid || undefined),
    required: own.required ?? (field.required || undefined),
  };
}

export interface FieldProps {
  label: ReactNode;
  id?: string | undefined;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean | undefined;
  hideLabel?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Field({ label, id, hint, error, required = false, hideLabel, className, children }: FieldProps) {
  const made = useId();
  const controlId = id ?? made;
  const describedBy = describingIds(controlId, hint, error);
  return (
    <FieldContext value={{ id: controlId, describedBy, invalid: Boolean(error), required }}>
      <div className={className}>
        <label htmlFor={controlId} className={cx("block font-semibold text-gray-90", hideLabel ? "sr-only" : "mb-2")}>
          {label}
          {required && <RequiredMark />}
        </label>
        <DescribedControls id={controlId} hint={hint} error={error}>
          {children}
        </DescribedControls>
      </div>
    </FieldContext>
  );
}

export const describingIds = (id: string, hint: ReactNode, error: string | null | undefined): string | undefined =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;

interface DescribedControlsProps extends Pick<FieldProps, "hint" | "error" | "children"> {
  id: string;
}

export function DescribedControls({ id, hint, error, children }: DescribedControlsProps) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-gray-60">
          {hint}
        </p>
      )}
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </>
  );
}

export function RequiredMark() {
  const { required } = useSection("control", KOREAN_CONTROL_TEXTS);
  return (
    <span className="ml-1 text-danger-50">
      <span aria-hidden="true">*</span>
      <span className="sr-only"> {required}</span>
    </span>
  );
}

export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="mt-2 flex items-start gap-1.5 text-sm font-medium text-danger-60">
      <svg viewBox="0 0 16 16" className="mt-[0.2em] size-4 shrink-0" aria-hidden="true">
        <path
          fill="currentColor"
          d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 9.2a1 1 0 1 0 0 2 1 1 0 0 0 0-2ZM7.1 4l.25 5h1.3l.25-5H7.1Z"
        />
      </svg>
      {children}
    </p>
  );
}

export const CONTROL_CLASS = "control";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} {...useFieldControl(rest)} className={cx(CONTROL_CLASS, "min-h-12", className)} />;
}

export function NumberInput(props: ComponentProps<"input">) {
  return <Input {...props} type="number" inputMode="numeric" />;
}

import { type ComponentProps, createContext, type ReactNode, use, useEffect, useId, useRef } from "react";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";
import { cx } from "#app/ui/cx.ts";
import { formatCount } from "#app/lib/format.ts";

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
function useFieldControl(own: FieldControlProps): FieldControlProps {
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

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      {...rest}
      {...useFieldControl(rest)}
      rows={rows}
      className={cx(CONTROL_CLASS, "field-sizing-content min-h-24 resize-y py-3 leading-relaxed", className)}
    />
  );
}

interface CountedTextareaProps extends Omit<ComponentProps<"textarea">, "value" | "onChange" | "maxLength"> {
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
}

export function CountedTextarea({ value, maxLength, onChange, ...rest }: CountedTextareaProps) {
  return (
    <>
      <Textarea {...rest} maxLength={maxLength} value={value} onChange={(event) => onChange(event.target.value)} />
      <CharacterCount length={value.length} max={maxLength} />
    </>
  );
}

/** "12 / 2,000자"; announced only near the limit, so that it does not interrupt typing. */
export function CharacterCount({ length, max, id }: { length: number; max: number; id?: string | undefined }) {
  const left = max - length;
  return (
    <p id={id} className={cx("tabular text-sm", left < 0 ? "font-semibold text-danger-60" : "text-gray-60")}>
      {formatCount(length)} / {formatCount(max)}자
      <span className="sr-only" aria-live="polite">
        {left < 0 ? `${-left}자를 줄여 주십시오.` : left <= 50 ? `${left}자 남았습니다.` : ""}
      </span>
    </p>
  );
}

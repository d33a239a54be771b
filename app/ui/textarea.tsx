import type { ComponentProps } from "react";
import { formatCount } from "#app/lib/format.ts";
import { cx } from "#app/ui/cx.ts";
import { CONTROL_CLASS, useFieldControl } from "#app/ui/field.tsx";

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

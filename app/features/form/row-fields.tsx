import { DocumentEditor } from "#app/features/content/document-editor.tsx";
import { fromKoreanInputTime, toKoreanInputTime } from "#app/features/board/write/item-form-values.ts";
import { formText, neighbourLines, splitLines } from "#app/features/form/form-values.ts";
import { formatDateTime } from "#app/lib/format.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import type { RowField, RowFields, SentValues } from "#worker/contract/kernel/row.ts";

interface RowControlsProps<F extends RowFields> {
  fields: F;
  /** The fields to draw; all by default. */
  only?: readonly (keyof F & string)[];
  values: Partial<SentValues<F>> | null;
  errors: Record<string, string | undefined>;
}

/** Form controls for fields declared as data. */
export function RowControls<F extends RowFields>({ fields, only, values, errors }: RowControlsProps<F>) {
  return (only ?? Object.keys(fields)).map((name) => (
    <RowControl
      key={name}
      name={name}
      field={fields[name] as RowField}
      value={values?.[name] ?? fields[name]?.start}
      error={errors[name]}
    />
  ));
}

interface RowControlProps {
  name: string;
  field: RowField;
  value: unknown;
  error: string | undefined;
}
function RowControl({ name, field, value, error }: RowControlProps) {
  const { kind, label, hint, required = false, max, lang, options = {} } = field;
  const text = String(value ?? "");
  if (kind === "html")
    return <DocumentEditor id={name} name={name} label={label} initial={text} error={error} isOptional={!required} />;
  if (kind === "flag") return <Checkbox name={name} label={label} defaultChecked={value === true} />;
  return (
    <Field label={label} hint={hint} required={required} error={error}>
      {kind === "choice" ? (
        <Select
          name={name}
          options={Object.entries(options).map(([each, shown]) => ({ value: each, label: shown }))}
          defaultValue={text}
        />
      ) : kind === "lines" ? (
        <Textarea name={name} defaultValue={(value as string[]).join("\n")} {...(lang && { lang })} />
      ) : kind === "moment" ? (
        <Input name={name} type="datetime-local" defaultValue={toKoreanInputTime(text || null)} />
      ) : (
        <Input
          name={name}
          defaultValue={text}
          maxLength={max}
          autoComplete="off"
          {...(lang && { lang })}
          {...((kind === "link" || kind === "code") && { autoCapitalize: "none" })}
        />
      )}
    </Field>
  );
}

/** An unreadable moment is sent unchanged, so that the API error names the field. */
const readMoment = (value: string) =>
  Number.isNaN(Date.parse(value)) ? value : (fromKoreanInputTime(value.slice(0, 16)) ?? "");

const READERS: Partial<Record<RowField["kind"], (text: string, field: RowField) => unknown>> = {
  moment: readMoment,
  lines: (text, { lang }) => (lang ? neighbourLines : splitLines)(text),
};

export const readRow = <F extends RowFields>(fields: F, form: FormData): SentValues<F> =>
  Object.fromEntries(
    Object.entries<RowField>(fields).map(([name, field]) => {
      const text = formText(form, name);
      return [name, field.kind === "flag" ? form.has(name) : (READERS[field.kind]?.(text, field) ?? text)];
    }),
  ) as SentValues<F>;

const SHOWN: Partial<Record<RowField["kind"], (value: string, field: RowField) => string>> = {
  html: (value) => new DOMParser().parseFromString(value, "text/html").body.textContent,
  moment: (value) => formatDateTime(value),
  choice: (value, { options }) => options?.[value] ?? "",
  flag: (value) => (value === "true" ? "예" : "아니요"),
};

const shownText = (field: RowField, value: unknown) => {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
  return SHOWN[field.kind]?.(text, field) ?? text;
};

/** Values by label, for the conflict view. */
export const describeRow = <F extends RowFields>(fields: F, values: Partial<SentValues<F>>) =>
  Object.fromEntries(
    Object.entries<RowField>(fields).map(([name, field]) => [field.label, shownText(field, values[name])]),
  );

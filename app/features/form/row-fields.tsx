import { type ComponentProps, useState } from "react";
import { DocumentEditor } from "#app/features/editor/document-editor.tsx";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { formText, neighbourLines, splitLines } from "#app/features/form/action.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import type { ShownValues } from "#app/features/form/use-conflict.ts";
import { formatDateTime } from "#app/lib/format.ts";
import { fromKoreanInputTime, toKoreanInputTime } from "#app/lib/input-time.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { Checkbox, CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input, NumberInput, Select, Textarea } from "#app/ui/field.tsx";
import type { Versioned } from "#worker/contract/kernel/errors.ts";
import { SITE_PERMISSION_NAMES } from "#worker/contract/kernel/permissions.ts";
import type { RowField, RowFields, SentValues } from "#worker/contract/kernel/row.ts";

interface RowControlsProps<F extends RowFields> {
  fields: F;
  /** The fields to draw; all by default. */
  only?: readonly (keyof F & string)[];
  values: Partial<SentValues<F>> | null;
  /** Makes the controls follow `values`. */
  onChange?: (values: Partial<SentValues<F>>) => void;
  errors: Record<string, string | undefined>;
  /** Before the names. */
  path?: string;
}

const MB = 1024 * 1024;
const megabytes = (bytes: number) => Math.round((bytes / MB) * 10) / 10;
const askOf = ({ label, ask = label }: RowField) => ask;

/** Form controls for fields declared as data. */
export function RowControls<F extends RowFields>(props: RowControlsProps<F>) {
  const { fields, only, values, errors, onChange, path = "" } = props;
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const deciding = Object.values<RowField>(fields).flatMap(({ onlyWith }) => onlyWith?.[0] ?? []);
  const valueOf = (name: string) => values?.[name] ?? fields[name]?.start;
  const isShown = (name: string) => {
    const [by, ...among] = fields[name]?.onlyWith ?? [];
    return by === undefined || among.includes(String(chosen[by] ?? valueOf(by)));
  };
  const controls = (only ?? Object.keys(fields)).filter(isShown).map((name) => {
    const field = fields[name] as RowField;
    const value = valueOf(name);
    const change =
      onChange && ((changed: unknown) => onChange({ ...values, [name]: changed } as Partial<SentValues<F>>));
    return field.fields ? (
      <RowControls
        key={name}
        fields={field.fields}
        values={value as never}
        errors={errors}
        path={`${path}${name}.`}
        {...(change && { onChange: change })}
      />
    ) : (
      <RowControl
        key={name}
        name={path + name}
        field={field}
        value={value}
        error={errors[path + name]}
        onChange={change}
      />
    );
  });
  return deciding.length === 0 ? (
    controls
  ) : (
    <div
      className="contents"
      onInput={({ target }) => {
        const control = target as HTMLInputElement;
        if (deciding.includes(control.name)) setChosen({ ...chosen, [control.name]: control.value });
      }}
    >
      {controls}
    </div>
  );
}

type SectionedControlsProps<F extends RowFields> = Omit<RowControlsProps<F>, "only"> & { className?: string };

/** One section of the form for each `section` of the fields, its flags together. */
export function SectionedControls<F extends RowFields>({
  fields,
  className = "grid gap-5 md:grid-cols-2",
  ...rest
}: SectionedControlsProps<F>) {
  const names = Object.keys(fields) as (keyof F & string)[];
  return [...new Set(names.map((name) => fields[name]?.section ?? ""))].map((section) => {
    const own = names.filter((name) => (fields[name]?.section ?? "") === section);
    const isFlag = (name: string) => fields[name]?.kind === "flag";
    const flags = own.filter(isFlag);
    const controls = (
      <div key={section} className={className}>
        <RowControls fields={fields} only={own.filter((name) => !isFlag(name))} {...rest} />
        {flags.length > 0 && (
          <div className="grid justify-items-start">
            <RowControls fields={fields} only={flags} {...rest} />
          </div>
        )}
      </div>
    );
    return section === "" ? (
      controls
    ) : (
      <ConsoleSection key={section} title={section}>
        {controls}
      </ConsoleSection>
    );
  });
}

const namedOptions = (options: NonNullable<RowField["options"]>) =>
  Object.entries(options).map(([value, label]) => ({ value, label }));

interface RowControlProps {
  name: string;
  field: RowField;
  value: unknown;
  error: string | undefined;
  onChange?: ((value: unknown) => void) | undefined;
}
function RowControl({ name, field, value, error, onChange }: RowControlProps) {
  const { kind, label, hint, required = false, max, min = 0, lang, rows, type, options = {} } = field;
  const text = String(value ?? "");
  const list = (value ?? []) as readonly string[];
  const className = field.isWide && "md:col-span-2";
  const lacking = useLackedRight(field);
  if (kind === "html")
    return <DocumentEditor id={name} name={name} label={label} initial={text} error={error} isOptional={!required} />;
  if (field.asButtons)
    return <RadioGroup legend={label} name={name} error={error} options={namedOptions(options)} defaultValue={text} />;
  if (kind === "flag")
    return (
      <Checkbox
        label={askOf(field)}
        {...(onChange
          ? { checked: value === true, onChange: (event) => onChange(event.target.checked) }
          : { name, defaultChecked: value === true })}
      />
    );
  if (kind === "choices")
    return (
      <div className={className || undefined}>
        <CheckboxGroup legend={label} name={name} options={Object.keys(options)} defaultValue={list} error={error} />
      </div>
    );
  return (
    <Field
      label={askOf(field)}
      hint={lacking ? [hint, lacking].filter(Boolean).join(" ") : hint}
      required={required}
      error={error}
      className={className || undefined}
    >
      {kind === "choice" ? (
        <Select name={name} options={namedOptions(options)} defaultValue={text} />
      ) : kind === "moment" ? (
        <Input name={name} type="datetime-local" defaultValue={toKoreanInputTime(text || null)} />
      ) : kind === "number" ? (
        <NumberInput name={name} min={min} max={max} defaultValue={text} />
      ) : kind === "bytes" ? (
        <Input
          name={name}
          type="number"
          min={0}
          max={megabytes(max ?? 0)}
          step="any"
          defaultValue={megabytes(Number(value))}
        />
      ) : kind === "lines" ? (
        <Textarea name={name} defaultValue={list.join("\n")} {...(lang && { lang })} />
      ) : rows ? (
        <Textarea name={name} rows={rows} defaultValue={text} readOnly={lacking !== null} {...(lang && { lang })} />
      ) : (
        <Input
          {...(onChange
            ? { value: text, onChange: (event) => onChange(event.target.value) }
            : { name, defaultValue: text })}
          maxLength={max}
          autoComplete="off"
          readOnly={lacking !== null}
          {...(type && { type })}
          {...(lang && { lang })}
          {...(kind === "day" && { type: "date" })}
          {...((kind === "link" || kind === "code") && { autoCapitalize: "none" })}
        />
      )}
    </Field>
  );
}

/** Says who may change a field that the viewer may not; null for all others. */
export function useLackedRight({ right }: RowField): string | null {
  const rights = useSiteFrame()?.user?.consoleRights ?? [];
  return right === undefined || rights.includes(right)
    ? null
    : `‘${SITE_PERMISSION_NAMES[right]}’ 권한이 있는 관리자만 바꿀 수 있습니다.`;
}

/** An unreadable moment is sent unchanged, so that the API error names the field. */
const readMoment = (value: string) =>
  Number.isNaN(Date.parse(value)) ? value : (fromKoreanInputTime(value.slice(0, 16)) ?? "");

function readField(name: string, { kind, lang, fields }: RowField, form: FormData): unknown {
  const text = formText(form, name);
  switch (kind) {
    case "group":
      return readRow(fields ?? {}, form, `${name}.`);
    case "flag":
      return form.has(name);
    case "moment":
      return readMoment(text);
    case "number":
      return Number(text);
    case "bytes":
      return Math.round(Number(text) * MB);
    case "lines":
      return lang ? neighbourLines(text) : splitLines(text);
    case "choices":
      return form.getAll(name).map(String);
    default:
      return text;
  }
}

export const readRow = <F extends RowFields>(fields: F, form: FormData, path = ""): SentValues<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, readField(path + name, field, form)]),
  ) as SentValues<F>;

/** A value as the conflict view and the preview of a settings file show it. */
export function shownText({ kind, options }: RowField, value: unknown): string {
  const text = String(value ?? "");
  if (Array.isArray(value)) return (kind === "choices" ? value.toSorted() : value).join(", ");
  if (kind === "html") return new DOMParser().parseFromString(text, "text/html").body.textContent;
  if (kind === "moment") return formatDateTime(text);
  if (kind === "choice") return options?.[text] ?? text;
  if (kind === "bytes") return String(megabytes(Number(value)));
  return typeof value === "boolean" ? (value ? "예" : "아니요") : text;
}

/** Values by label, for the conflict view. */
export const describeRow = <F extends RowFields>(fields: F, values: Partial<SentValues<F>>): ShownValues =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, field]: [string, RowField]) =>
      field.fields
        ? describeRow(field.fields, (values[name] ?? {}) as never)
        : { [field.kind === "flag" ? field.label : askOf(field)]: shownText(field, values[name]) },
    ),
  ) as ShownValues;

type StoredFormOf<F extends RowFields> = ComponentProps<typeof StoredForm<Versioned<SentValues<F>>, SentValues<F>>>;
type FieldsFormProps<F extends RowFields> = Omit<StoredFormOf<F>, "valueOf" | "describe" | "read" | "children"> & {
  fields: F;
};

/** The form of one setting, with a section for each `section` of its fields. */
export const FieldsForm = <F extends RowFields>({ fields, ...props }: FieldsFormProps<F>) => (
  <StoredForm
    valueOf={({ value }) => value}
    describe={(value) => describeRow(fields, value)}
    read={(form) => readRow(fields, form)}
    {...props}
  >
    {(errors) => (
      <SectionedControls fields={fields} values={props.latest.value} errors={errors} className="grid gap-5" />
    )}
  </StoredForm>
);

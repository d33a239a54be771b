import type { ReactNode } from "react";
import { DocumentEditor } from "#app/features/editor/document-editor.tsx";
import { formText, neighbourLines, splitLines } from "#app/features/form/action.tsx";
import { formatDateTime } from "#app/lib/format.ts";
import { fromKoreanInputTime, toKoreanInputTime } from "#app/lib/input-time.ts";
import { Checkbox, CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input, NumberInput, Select, Textarea } from "#app/ui/field.tsx";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import {
  canBeEmpty,
  type ControlName,
  type FieldDrawnBy,
  type FieldOf,
  isEmpty,
  KINDS,
  type LeafField,
  type RowField,
} from "#worker/contract/kernel/row.ts";

interface ControlProps<C extends ControlName> {
  name: string;
  field: FieldDrawnBy<C>;
  value: unknown;
  error: string | undefined;
  /** With who may change it, for a viewer who may not. */
  hint: string | undefined;
  isReadOnly: boolean;
  /** Makes the control follow `value`. */
  onChange?: ((value: unknown) => void) | undefined;
}

interface FormControl<C extends ControlName> {
  /** With its label. */
  control: (props: ControlProps<C>) => ReactNode;
  /** The value to send. */
  read: (form: FormData, name: string, field: FieldDrawnBy<C>) => unknown;
  /** As the conflict view and the preview of a settings file show it. */
  shown: (value: unknown, field: FieldDrawnBy<C>) => string;
}

const MB = 1024 * 1024;
const megabytes = (bytes: number) => Math.round((bytes / MB) * 10) / 10;
const textOf = (value: unknown) => String(value ?? "");
const namesIn = (value: unknown) => (value ?? []) as readonly string[];
export const askOf = ({ label, ask = label }: RowField) => ask;

type LabeledProps = Pick<ControlProps<ControlName>, "hint" | "error"> & { field: RowField; children: ReactNode };
const Labeled = ({ field, hint, error, children }: LabeledProps) => (
  <Field
    label={askOf(field)}
    hint={hint}
    required={"required" in field && field.required === true}
    error={error}
    className={field.isWide && "md:col-span-2"}
  >
    {children}
  </Field>
);

type InputProps = Pick<ControlProps<ControlName>, "name" | "value" | "isReadOnly" | "onChange">;
const inputProps = ({ name, value, isReadOnly, onChange }: InputProps) => ({
  ...(onChange
    ? {
        value: textOf(value),
        onChange: (event: { target: HTMLInputElement }) => onChange(event.target.value),
      }
    : { name, defaultValue: textOf(value) }),
  autoComplete: "off",
  readOnly: isReadOnly,
});

const namedOptions = (options: Readonly<Record<string, string>>) =>
  Object.entries(options).map(([value, label]) => ({ value, label }));

/** A number that begins with 0 is 0 when it is empty; without its control it stays as it begins. */
function readNumber(form: FormData, name: string, { start, required }: FieldOf<"number" | "bytes">, unit = 1) {
  const typed = form.get(name);
  if (typed === "") return start === 0 && !required ? 0 : null;
  return typed === null ? start : Math.round(Number(typed) * unit);
}

/** An unreadable moment is sent unchanged, so that the API error names the field. */
const readMoment = (value: string) =>
  Number.isNaN(Date.parse(value)) ? value : (fromKoreanInputTime(value.slice(0, 16)) ?? "");

const CONTROLS: { [C in ControlName]: FormControl<C> } = {
  text: {
    control(props) {
      const { name, field, value, isReadOnly } = props;
      const { max, rows, type, lang }: Partial<FieldOf<"line">> = field as FieldOf<"line">;
      return (
        <Labeled {...props}>
          {rows ? (
            <Textarea name={name} rows={rows} defaultValue={textOf(value)} readOnly={isReadOnly} lang={lang} />
          ) : (
            <Input {...inputProps(props)} maxLength={max} type={type} lang={lang} {...KINDS[field.kind].attributes} />
          )}
        </Labeled>
      );
    },
    read: (form, name) => formText(form, name),
    shown: textOf,
  },
  editor: {
    control: ({ name, field, value, error }) => (
      <DocumentEditor
        id={name}
        name={name}
        label={field.label}
        initial={textOf(value)}
        error={error}
        isOptional={!field.required}
      />
    ),
    read: (form, name) => formText(form, name),
    shown: (value) => new DOMParser().parseFromString(textOf(value), "text/html").body.textContent,
  },
  lines: {
    control: (props) => (
      <Labeled {...props}>
        <Textarea
          name={props.name}
          defaultValue={namesIn(props.value).join("\n")}
          readOnly={props.isReadOnly}
          lang={props.field.lang}
        />
      </Labeled>
    ),
    read: (form, name, { lang }) => (lang ? neighbourLines : splitLines)(formText(form, name)),
    shown: (value) => namesIn(value).join(", "),
  },
  moment: {
    control: (props) => (
      <Labeled {...props}>
        <Input
          name={props.name}
          type="datetime-local"
          readOnly={props.isReadOnly}
          defaultValue={toKoreanInputTime(textOf(props.value) || null)}
        />
      </Labeled>
    ),
    read: (form, name) => readMoment(formText(form, name)),
    shown: (value) => (isEmpty(value) ? "" : formatDateTime(textOf(value))),
  },
  number: {
    control: (props) => (
      <Labeled {...props}>
        <NumberInput
          name={props.name}
          min={props.field.min ?? 0}
          max={props.field.max}
          readOnly={props.isReadOnly}
          defaultValue={textOf(props.value)}
        />
      </Labeled>
    ),
    read: (form, name, field) => readNumber(form, name, field),
    shown: textOf,
  },
  megabytes: {
    control: (props) => (
      <Labeled {...props}>
        <Input
          name={props.name}
          type="number"
          min={0}
          max={megabytes(props.field.max ?? 0)}
          step="any"
          readOnly={props.isReadOnly}
          defaultValue={isEmpty(props.value) ? "" : megabytes(Number(props.value))}
        />
      </Labeled>
    ),
    read: (form, name, field) => readNumber(form, name, field, MB),
    shown: (value) => (isEmpty(value) ? "" : String(megabytes(Number(value)))),
  },
  tick: {
    control: ({ name, field, value, onChange }) => (
      <Checkbox
        label={askOf(field)}
        {...(onChange
          ? { checked: value === true, onChange: (event) => onChange(event.target.checked) }
          : { name, defaultChecked: value === true })}
      />
    ),
    read: (form, name) => form.has(name),
    shown: (value) => (value === true ? "예" : "아니요"),
  },
  choice: {
    control(props) {
      const { name, field, value, error } = props;
      const options = namedOptions(field.options);
      if (field.asButtons)
        return (
          <RadioGroup
            legend={field.label}
            name={name}
            error={error}
            options={canBeEmpty(field) ? [{ value: "", label: field.placeholder ?? "없음" }, ...options] : options}
            defaultValue={textOf(value)}
          />
        );
      const nothing = isEmpty(field.start) ? (field.placeholder ?? "선택해 주십시오") : undefined;
      return (
        <Labeled {...props}>
          <Select name={name} options={options} placeholder={nothing} defaultValue={textOf(value)} />
        </Labeled>
      );
    },
    read: (form, name, { start }) => formText(form, name) || (start ?? ""),
    shown: (value, { options }) => lookUp(options, textOf(value)) ?? textOf(value),
  },
  ticks: {
    control: ({ name, field, value, error }) => (
      <div className={field.isWide && "md:col-span-2"}>
        <CheckboxGroup
          legend={field.label}
          name={name}
          options={Object.keys(field.options)}
          defaultValue={namesIn(value)}
          error={error}
        />
      </div>
    ),
    read: (form, name) => form.getAll(name).map(String),
    shown: (value) => namesIn(value).toSorted().join(", "),
  },
};

export const controlOf = ({ kind }: LeafField) => CONTROLS[KINDS[kind].control];

import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "#app/ui/cx.ts";
import { DescribedControls, describingIds, RequiredMark, type SelectOption, toNamedOption } from "#app/ui/field.tsx";

type ChoiceInputProps = Omit<ComponentProps<"input">, "type"> & { label: ReactNode };

const CHOICE_BOX = "size-6 shrink-0 accent-primary-60 mt-[0.05em] disabled:cursor-not-allowed";
const ROW =
  "inline-flex min-h-11 cursor-pointer items-start gap-2.5 py-2 has-disabled:cursor-not-allowed has-disabled:text-gray-50";

function Choice({ label, className, ...rest }: ChoiceInputProps & { type: "checkbox" | "radio" }) {
  return (
    <label className={cx(ROW, className)}>
      <input {...rest} className={CHOICE_BOX} />
      <span className="min-w-0" lang={rest.lang}>
        {label}
      </span>
    </label>
  );
}

export const Checkbox = (props: ChoiceInputProps) => <Choice {...props} type="checkbox" />;
export const Radio = (props: ChoiceInputProps) => <Choice {...props} type="radio" />;

interface GroupProps {
  legend: ReactNode;
  name: string;
  options: readonly (SelectOption | string)[];
  id?: string | undefined;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean | undefined;
  className?: string | undefined;
}

export function RadioGroup({
  name,
  options,
  value,
  defaultValue,
  onChange,
  ...field
}: GroupProps & {
  value?: string | undefined;
  defaultValue?: string | undefined;
  onChange?: ((value: string) => void) | undefined;
}) {
  return (
    <Fieldset {...field}>
      <div className="flex flex-wrap gap-x-6">
        {options.map(toNamedOption).map((option) => (
          <Radio
            key={option.value}
            name={name}
            value={option.value}
            label={option.label}
            lang={option.lang}
            required={field.required}
            {...(value === undefined
              ? { defaultChecked: option.value === defaultValue }
              : { checked: option.value === value })}
            onChange={() => onChange?.(option.value)}
          />
        ))}
      </div>
    </Fieldset>
  );
}

/** `value` lists the chosen options in the order of `options`. */
export function CheckboxGroup({
  name,
  options,
  value,
  defaultValue = [],
  onChange,
  ...field
}: GroupProps & {
  value?: readonly string[] | undefined;
  defaultValue?: readonly string[] | undefined;
  onChange?: ((value: string[]) => void) | undefined;
}) {
  const all = options.map(toNamedOption);
  const toggle = (changed: string, on: boolean) =>
    onChange?.(
      all.map((option) => option.value).filter((each) => (each === changed ? on : (value ?? []).includes(each))),
    );
  return (
    <Fieldset {...field}>
      <div className="flex flex-wrap gap-x-6">
        {all.map((option) => (
          <Checkbox
            key={option.value}
            name={name}
            value={option.value}
            label={option.label}
            lang={option.lang}
            {...(value === undefined
              ? { defaultChecked: defaultValue.includes(option.value) }
              : { checked: value.includes(option.value) })}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
        ))}
      </div>
    </Fieldset>
  );
}

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

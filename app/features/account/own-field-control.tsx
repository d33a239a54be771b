import { lookUp } from "#worker/contract/kernel/labels.ts";
import type { ComponentProps, ReactNode } from "react";
import { hyphenatePhoneInput } from "#app/features/account/hyphenate-phone.ts";
import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";
import { Checkbox, CheckboxGroup, Fieldset, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input, Select, type SelectOption, Textarea } from "#app/ui/field.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import { isAskedLater } from "#worker/contract/account/own-field.ts";
import type { ProfileField } from "#worker/contract/account/view.ts";
import type { ProfileInput, ProfileInputType } from "#worker/contract/account/rules.ts";

type ControlValue = ProfileInput[string];

interface OwnFieldControlProps {
  id: string;
  name: string;
  type: ProfileInputType | "number";
  label: ReactNode;
  required: boolean;
  error: string | undefined;
  options: readonly (SelectOption | string)[];
  /** The choice of nothing. */
  placeholder: string;
  rows?: number;
  input?: ComponentProps<typeof Input>;
  className?: string | undefined;
  value?: ControlValue;
  /** In place of `value`, for a form that reads its controls when it is sent. */
  defaultValue?: ControlValue;
  onValue?: (value: ControlValue) => void;
}

const INPUTS: Partial<Record<OwnFieldControlProps["type"], ComponentProps<typeof Input>>> = {
  number: { inputMode: "decimal" },
  date: { type: "date" },
  time: { inputMode: "numeric", placeholder: "13:30" },
  phone: { type: "tel", inputMode: "tel" },
  email: { type: "email" },
};

const textOf = (value: ControlValue | undefined) => (typeof value === "string" ? value : undefined);
const listOf = (value: ControlValue | undefined) => (Array.isArray(value) ? value : undefined);

/** The control of a field that the office adds, for all kinds but files. */
export function OwnFieldControl(props: OwnFieldControlProps) {
  const { id, name, type, label, required, error, options, placeholder, className, value, defaultValue, onValue } =
    props;
  const group = { id, name, legend: label, options, error, required, className, onChange: onValue };
  if (type === "checkbox" && options.length > 0)
    return <CheckboxGroup {...group} value={listOf(value)} defaultValue={listOf(defaultValue)} />;
  if (type === "radio") return <RadioGroup {...group} value={textOf(value)} />;
  if (type === "checkbox")
    return (
      <Fieldset id={id} legend={label} error={error} required={required}>
        <Checkbox
          name={name}
          label={label}
          checked={value === true}
          onChange={(event) => onValue?.(event.target.checked)}
          aria-invalid={error ? true : undefined}
        />
      </Fieldset>
    );
  const common = {
    name,
    ...(onValue
      ? { value: textOf(value), onChange: (event: { target: { value: string } }) => onValue(event.target.value) }
      : { defaultValue: textOf(defaultValue) }),
  };
  return (
    <Field id={id} label={label} error={error} required={required} className={className}>
      {type === "select" ? (
        <Select {...common} placeholder={placeholder} options={options} />
      ) : type === "textarea" ? (
        <Textarea {...common} rows={props.rows} />
      ) : (
        <Input type="text" {...common} {...INPUTS[type]} {...props.input} />
      )}
    </Field>
  );
}

const FOREIGN_PHONE = { placeholder: "+43 1 4277 0" };
const KOREAN_PHONE: ComponentProps<typeof Input> = {
  placeholder: "010-0000-0000",
  onInput: (event) => hyphenatePhoneInput(event.currentTarget),
};

interface ProfileFieldsProps {
  fields: ProfileField[];
  /** Values given before: a choice that is no longer listed can be kept, a field made required later can stay empty. */
  stored?: Record<string, unknown>;
  value: ProfileInput;
  onChange: (value: ProfileInput) => void;
  /** Error messages by control id `profile.{code}`. */
  errors: Record<string, string>;
}

/** The sign-up's fields, named in the page's language; stored choices are always Korean. */
export function ProfileFields({ fields, stored, value, onChange, errors }: ProfileFieldsProps) {
  const { language, langOf } = useTexts();
  const { choose } = useSection("control", KOREAN_CONTROL_TEXTS);
  const isEnglish = language === "en";
  const phone = { autoComplete: "tel", ...(isEnglish ? FOREIGN_PHONE : KOREAN_PHONE) };
  return fields.map((field) => {
    const { code, name, englishName, required, inputType, detail, englishDetail } = field;
    const id = `profile.${code}`;
    const given = Object.hasOwn(value, code) ? value[code] : undefined;
    const before = stored && inputType !== "checkbox" ? textOf(lookUp(stored, code) as ControlValue) : "";
    const listed = before && detail.length > 0 && !detail.includes(before) ? [...detail, before] : detail;
    const options = listed.map((choice, at) => {
      const label = (isEnglish && englishDetail[at]) || choice;
      return { value: choice, label, lang: langOf(label) };
    });
    return (
      <OwnFieldControl
        key={code}
        id={id}
        name={id}
        type={inputType}
        label={<UserText>{(isEnglish && englishName) || name}</UserText>}
        required={required && !(stored && isAskedLater(field, stored))}
        error={errors[id]}
        options={options}
        placeholder={choose}
        {...(inputType === "phone" && { input: phone })}
        value={given ?? (inputType === "checkbox" && detail.length > 0 ? [] : "")}
        onValue={(next) => onChange({ ...value, [code]: next })}
      />
    );
  });
}

import { hyphenatePhoneInput } from "#app/features/account/hyphenate-phone.ts";
import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_CONTROL_TEXTS } from "#app/lib/texts/korean.ts";
import { Checkbox, CheckboxGroup, Fieldset, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { ProfileField } from "#worker/contract/account/view.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";

interface ProfileFieldsProps {
  fields: ProfileField[];
  value: ProfileInput;
  onChange: (value: ProfileInput) => void;
  /** Error messages by control id `profile.{code}`. */
  errors: Record<string, string>;
}

export function ProfileFields({ fields, value, onChange, errors }: ProfileFieldsProps) {
  return fields.map((field) => (
    <ProfileFieldControl
      key={field.code}
      field={field}
      id={`profile.${field.code}`}
      value={Object.hasOwn(value, field.code) ? value[field.code] : undefined}
      onValue={(next) => onChange({ ...value, [field.code]: next })}
      error={errors[`profile.${field.code}`]}
    />
  ));
}

interface ProfileFieldControlProps {
  field: ProfileField;
  id: string;
  value: ProfileInput[string] | undefined;
  onValue: (value: ProfileInput[string]) => void;
  error: string | undefined;
}

function ProfileFieldControl({ field, id, value, onValue, error }: ProfileFieldControlProps) {
  const { inputType, name, englishName, required, detail } = field;
  const text = typeof value === "string" ? value : "";
  const isEnglish = useTexts().language === "en";
  const label = <UserText>{(isEnglish && englishName) || name}</UserText>;
  const options = useNamedOptions(field);
  const group = { id, name: id, legend: label, options, error, required };
  if (inputType === "radio") return <RadioGroup {...group} value={text} onChange={onValue} />;
  if (inputType === "checkbox" && detail.length > 0)
    return <CheckboxGroup {...group} value={Array.isArray(value) ? value : []} onChange={onValue} />;
  if (inputType === "checkbox") {
    return (
      <Fieldset id={id} legend={label} error={error} required={required}>
        <Checkbox
          name={id}
          label={label}
          checked={value === true}
          onChange={(event) => onValue(event.target.checked)}
          aria-invalid={error ? true : undefined}
        />
      </Fieldset>
    );
  }
  return (
    <Field id={id} label={label} error={error} required={required}>
      <TextControl field={field} id={id} value={text} onValue={onValue} />
    </Field>
  );
}

/** Labels each option in the page's language; the stored value is always Korean. */
function useNamedOptions({ detail, englishDetail }: ProfileField) {
  const { language, langOf } = useTexts();
  return detail.map((value, at) => {
    const label = (language === "en" && englishDetail[at]) || value;
    return { value, label, lang: langOf(label) };
  });
}

function TextControl({
  field,
  id,
  value,
  onValue,
}: {
  field: ProfileField;
  id: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const { choose } = useSection("control", KOREAN_CONTROL_TEXTS);
  const options = useNamedOptions(field);
  const common = {
    name: id,
    value,
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
  };
  switch (field.inputType) {
    case "textarea":
      return <Textarea {...common} />;
    case "select":
      return <Select {...common} placeholder={choose} options={options} />;
    case "phone":
      return (
        <Input
          {...common}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          placeholder="010-0000-0000"
          onInput={(event) => hyphenatePhoneInput(event.currentTarget)}
        />
      );
    case "time":
      return <Input {...common} inputMode="numeric" placeholder="13:30" />;
    case "email":
    case "date":
    default: {
      const type = field.inputType === "email" || field.inputType === "date" ? field.inputType : "text";
      return <Input {...common} type={type} />;
    }
  }
}

import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import { DEFAULT_RULE_SETTINGS, WIDEST_RULE_SETTINGS } from "#worker/contract/kernel/identity-rules.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

interface RuleRange {
  min: number;
  max: number;
}

const LABELS = {
  userName: "한글 이름의 글자 수",
  foreign: "영문이나 한자 이름도 받습니다",
  password: "비밀번호의 글자 수",
  endingMax: "이메일 끝자리의 최대 글자 수",
};
const describeRules = ({ userName, password, email }: AuthenticationSettingView["value"]["rules"]) => ({
  [LABELS.userName]: `${userName.min}~${userName.max}`,
  [LABELS.foreign]: userName.foreign ? "예" : "아니요",
  [LABELS.password]: `${password.min}~${password.max}`,
  [LABELS.endingMax]: String(email.endingMax),
});

/** Applies to new members only; existing accounts keep their names and passwords. */
export function SignupRulesForm({ setting }: { setting: AuthenticationSettingView }) {
  const { rules, authType, roleCodeForGuest, signupApproval } = setting.value;
  return (
    <ConsoleSection title="입력 규칙">
      <StoredForm
        latest={setting}
        valueOf={({ value }) => value.rules}
        describe={describeRules}
        read={readRules}
        save={(typed, version) => {
          const json = { authType, roleCodeForGuest, signupApproval, rules: typed, version };
          return callApi(api.admin.setting.authentication.$patch({ json }));
        }}
        done="입력 규칙을 저장하였습니다."
        submitLabel="규칙 저장"
        className="grid max-w-2xl gap-5"
      >
        {(errors) => (
          <>
            <p className="text-gray-70">
              새로 가입하거나 바꿀 때 지켜야 하는 규칙입니다. 이미 가입한 회원의 이름과 비밀번호는 그대로 쓸 수
              있습니다.
            </p>
            <RangeFields name="userName" value={rules.userName} fields={errors} />
            <Checkbox name="foreign" label={LABELS.foreign} defaultChecked={rules.userName.foreign} />
            <RangeFields name="password" value={rules.password} fields={errors} />
            <NumberField
              label={LABELS.endingMax}
              hint={`마지막 점 뒤의 글자 수입니다. 기본값 ${withParticle(String(DEFAULT_RULE_SETTINGS.email.endingMax), "은/는")} .com과 .kr까지이고, .info나 .academy 주소를 받으려면 늘립니다.`}
              error={errors["rules.email.endingMax"]}
              name="endingMax"
              min={2}
              max={WIDEST_RULE_SETTINGS.email.endingMax}
              defaultValue={rules.email.endingMax}
            />
          </>
        )}
      </StoredForm>
    </ConsoleSection>
  );
}

function readRules(form: FormData) {
  const number = (name: string) => Number(formText(form, name) || Number.NaN);
  const range = (name: string) => ({ min: number(`${name}.min`), max: number(`${name}.max`) });
  return {
    userName: { ...range("userName"), foreign: form.has("foreign") },
    password: range("password"),
    email: { endingMax: number("endingMax") },
  };
}

interface RangeFieldsProps {
  name: "userName" | "password";
  value: RuleRange;
  fields: Record<string, string>;
}

function RangeFields({ name, value, fields }: RangeFieldsProps) {
  const label = LABELS[name];
  const range = WIDEST_RULE_SETTINGS[name];
  const input = { type: "number", inputMode: "numeric", min: range.min, max: range.max } as const;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label={`${label}: 최소`} hint={`${range.min}부터`} error={fields[`rules.${name}.min`]}>
        <Input name={`${name}.min`} {...input} defaultValue={value.min} />
      </Field>
      <Field label={`${label}: 최대`} hint={`${range.max}까지`} error={fields[`rules.${name}.max`]}>
        <Input name={`${name}.max`} {...input} defaultValue={value.max} />
      </Field>
    </div>
  );
}

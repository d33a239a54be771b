import type { FormEvent } from "react";
import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import { useConflict } from "#app/features/form/use-conflict.ts";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { FormFollowingStored } from "#app/features/form/stored-form.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input, NumberInput } from "#app/ui/input.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import { DEFAULT_RULE_SETTINGS, WIDEST_RULE_SETTINGS } from "#worker/contract/kernel/identity-rules.ts";
import { withParticle } from "#worker/contract/kernel/particles.ts";

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

/** What names, passwords and addresses must look like. Whoever is a member already keeps what they have. */
export function SignupRulesForm({ setting }: { setting: AuthenticationSettingView }) {
  const { rules, authType, roleCodeForGuest, signupApproval } = setting.value;
  const { busy, run, fields, general, isConflict } = useAction();
  const { conflict, generation, versionToSend, keep, take } = useConflict({
    latest: setting,
    describe: ({ value }) => describeRules(value.rules),
    isConflict,
    follows: true,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const number = (name: string) => Number(formText(form, name) || Number.NaN);
    const range = (name: string) => ({ min: number(`${name}.min`), max: number(`${name}.max`) });
    const typed = {
      userName: { ...range("userName"), foreign: form.has("foreign") },
      password: range("password"),
      email: { endingMax: number("endingMax") },
    };
    const version = versionToSend(event, describeRules(typed));
    const json = { authType, roleCodeForGuest, signupApproval, rules: typed, version };
    const work = async () => keep((await callApi(api.admin.setting.authentication.$patch({ json }))).version);
    void run(work, "입력 규칙을 저장하였습니다.");
  };
  return (
    <ConsoleSection title="입력 규칙">
      <FormFollowingStored key={generation} onSubmit={submit} noValidate className="grid max-w-2xl gap-5">
        <p className="text-gray-70">
          새로 가입하거나 바꿀 때 지켜야 하는 규칙입니다. 이미 가입한 회원의 이름과 비밀번호는 그대로 쓸 수 있습니다.
        </p>
        <RangeFields name="userName" value={rules.userName} fields={fields} />
        <Checkbox name="foreign" label={LABELS.foreign} defaultChecked={rules.userName.foreign} />
        <RangeFields name="password" value={rules.password} fields={fields} />
        <Field
          label={LABELS.endingMax}
          hint={`마지막 점 뒤의 글자 수입니다. 기본값 ${withParticle(String(DEFAULT_RULE_SETTINGS.email.endingMax), "은/는")} .com과 .kr까지이고, .info나 .academy 주소를 받으려면 늘립니다.`}
          error={fields["rules.email.endingMax"]}
        >
          <NumberInput
            name="endingMax"
            min={2}
            max={WIDEST_RULE_SETTINGS.email.endingMax}
            defaultValue={rules.email.endingMax}
          />
        </Field>
        <ConflictAlert conflict={conflict} busy={busy} onTake={take} />
        <ErrorAlert>{!conflict && general}</ErrorAlert>
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            규칙 저장
          </Button>
        </div>
      </FormFollowingStored>
    </ConsoleSection>
  );
}

interface RangeFieldsProps {
  name: "userName" | "password";
  value: RuleRange;
  fields: Record<string, string>;
}

function RangeFields({ name, value, fields }: RangeFieldsProps) {
  const label = LABELS[name];
  /** The limits of what can be set. */
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

import { type FormEvent, useState } from "react";
import { ConflictNote, type Sent } from "#app/features/form/conflict-note.tsx";
import { Section } from "#app/features/form/console-head.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import { textOf, useSave } from "#app/features/form/use-save.ts";
import { api, call } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { AuthenticationSettingView } from "#worker/contract/account/view.ts";
import { DEFAULT_RULES, WIDEST_RULES } from "#worker/contract/kernel/identity-rules.ts";

interface Range {
  min: number;
  max: number;
}

const LABELS = {
  userName: "한글 이름의 글자 수",
  foreign: "영문이나 한자 이름도 받습니다",
  password: "비밀번호의 글자 수",
  endingMax: "이메일 끝자리의 최대 글자 수",
};
const flat = ({ userName, password, email }: AuthenticationSettingView["value"]["rules"]) => ({
  userName: `${userName.min}~${userName.max}`,
  foreign: userName.foreign,
  password: `${password.min}~${password.max}`,
  endingMax: email.endingMax,
});

/** What names, passwords and addresses must look like. Whoever is a member already keeps what he has. */
export function RulesForm({ setting }: { setting: AuthenticationSettingView }) {
  const { rules, authType, roleCodeForGuest, signupApproval } = setting.value;
  const { busy, save, fields, message, conflict } = useSave();
  const [sent, setSent] = useState<Sent | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const number = (name: string) => Number(textOf(form, name) || Number.NaN);
    const range = (name: string) => ({ min: number(`${name}.min`), max: number(`${name}.max`) });
    const json = {
      authType,
      roleCodeForGuest,
      signupApproval,
      rules: {
        userName: { ...range("userName"), foreign: form.has("foreign") },
        password: range("password"),
        email: { endingMax: number("endingMax") },
      },
      version: setting.version,
    };
    setSent({ base: flat(rules), typed: flat(json.rules) });
    void save(() => call(api.admin.setting.authentication.$patch({ json })), "입력 규칙을 저장하였습니다.");
  };
  return (
    <Section title="입력 규칙">
      <StoredForm onSubmit={submit} noValidate className="grid max-w-2xl gap-5">
        <p className="text-gray-70">
          새로 가입하거나 바꿀 때 지켜야 하는 규칙입니다. 이미 가입한 회원의 이름과 비밀번호는 그대로 쓸 수 있습니다.
        </p>
        <RangeFields
          label={LABELS.userName}
          name="userName"
          value={rules.userName}
          of={WIDEST_RULES.userName}
          fields={fields}
        />
        <Checkbox name="foreign" label={LABELS.foreign} defaultChecked={rules.userName.foreign} />
        <RangeFields
          label={LABELS.password}
          name="password"
          value={rules.password}
          of={WIDEST_RULES.password}
          fields={fields}
        />
        <Field
          label={LABELS.endingMax}
          hint={`마지막 점 뒤의 글자 수입니다. 기본값 ${DEFAULT_RULES.email.endingMax}은 .com과 .kr까지이고, .info나 .academy 주소를 받으려면 늘립니다.`}
          error={fields["rules.email.endingMax"]}
        >
          <Input
            name="endingMax"
            type="number"
            inputMode="numeric"
            min={2}
            max={WIDEST_RULES.email.endingMax}
            defaultValue={rules.email.endingMax}
          />
        </Field>
        {message && conflict && sent && <ConflictNote labels={LABELS} stored={flat(rules)} sent={sent} />}
        {message && !conflict && Object.keys(fields).length === 0 && <Notice tone="error">{message}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            규칙 저장
          </Button>
        </div>
      </StoredForm>
    </Section>
  );
}

interface RangeFieldsProps {
  label: string;
  name: "userName" | "password";
  value: Range;
  /** The limits of what can be set. */
  of: Range;
  fields: Record<string, string>;
}

function RangeFields({ label, name, value, of, fields }: RangeFieldsProps) {
  const input = { type: "number", inputMode: "numeric", min: of.min, max: of.max } as const;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label={`${label}: 최소`} hint={`${of.min}부터`} error={fields[`rules.${name}.min`]}>
        <Input name={`${name}.min`} {...input} defaultValue={value.min} />
      </Field>
      <Field label={`${label}: 최대`} hint={`${of.max}까지`} error={fields[`rules.${name}.max`]}>
        <Input name={`${name}.max`} {...input} defaultValue={value.max} />
      </Field>
    </div>
  );
}

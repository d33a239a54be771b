import { type ComponentProps, useState } from "react";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { FieldRows } from "#app/features/list/field-rows.tsx";
import type { EditedRow } from "#app/features/list/row-dialog.tsx";
import { RowEditor } from "#app/features/list/rows-screen.tsx";
import { ChoiceRenames, readRenames } from "#app/features/form/choice-renames.tsx";
import { FieldsForm, readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { splitLines } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import type { AuthenticationSettingView, ProfileField } from "#worker/contract/account/view.ts";
import { type AdminProfileField, profileFieldRow } from "#worker/contract/account/rows.ts";
import { profileFields } from "#worker/domain/account/profile-field.server.ts";
import { listRoles } from "#worker/domain/access/role.server.ts";
import { authenticationConsequences } from "#worker/contract/account/authentication-consequences.ts";
import { countSigninKeys, getAuthenticationSetting } from "#worker/domain/site/setting.server.ts";
import type { Route } from "./+types/signup";
import { ProfileFields } from "#app/features/account/own-field-control.tsx";
import { cx } from "#app/ui/cx.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";
import { DEFAULT_RULE_SETTINGS, WIDEST_RULE_SETTINGS } from "#worker/contract/kernel/setting/identity-rules.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { choice, flag, group, whole } from "#worker/contract/kernel/row.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [setting, keyCounts, fields, { roles }] = await Promise.all([
    getAuthenticationSetting(scope),
    countSigninKeys(scope),
    profileFields.list(scope),
    listRoles(scope),
  ]);
  return { setting, keyCounts, fields, roles: roles.filter((role) => !role.permissions.includes("ADMIN_Access")) };
});

const AUTH_TYPE_NAMES = {
  IdAndPassword: "아이디와 비밀번호",
  EmailAndPassword: "이메일과 비밀번호",
  MobileAndPassword: "휴대전화번호와 비밀번호",
};

export default function SignupSettingPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="어떻게 가입하고 로그인하는지, 가입할 때 무엇을 묻는지 정합니다." />
      <AuthenticationForm {...loaderData} />
      <SignupRulesForm setting={loaderData.setting} />
      <ProfileFieldList fields={loaderData.fields} />
    </>
  );
}

function AuthenticationForm({
  setting,
  roles,
  keyCounts,
}: Pick<Route.ComponentProps["loaderData"], "setting" | "roles" | "keyCounts">) {
  const { value } = setting;
  const { sendAsked, dialog } = useConsequences();
  const roleNames = Object.fromEntries(roles.map(({ roleCode, roleName }) => [roleCode, roleName]));
  const fields = {
    authType: choice("로그인 방법", AUTH_TYPE_NAMES, "IdAndPassword", { asButtons: true }),
    roleCodeForGuest: choice("로그인하지 않은 사람의 역할", roleNames, value.roleCodeForGuest),
    signupApproval: flag("가입한 회원을 관리자가 승인해야 로그인할 수 있습니다"),
  };
  return (
    <ConsoleSection title="로그인과 승인">
      <FieldsForm
        fields={fields}
        latest={setting}
        save={(typed, version) => callApi(api.admin.setting.authentication.$patch({ json: { ...typed, version } }))}
        ask={(typed, send) => {
          const lines = authenticationConsequences(
            value,
            typed,
            keyCounts,
            lookUp(roleNames, typed.roleCodeForGuest) ?? "",
          );
          sendAsked("로그인하는 방법을 바꾸시겠습니까?", lines, send);
        }}
        done="가입 설정을 저장하였습니다."
        className="grid max-w-2xl gap-5"
      />
      {dialog}
    </ConsoleSection>
  );
}

function ProfileFieldList({ fields }: { fields: AdminProfileField[] }) {
  return (
    <FieldRows
      title="가입할 때 묻는 항목"
      rows={fields}
      calls={api.admin.setting["profile-field"]}
      closing={{
        text: ({ valueCount }) =>
          `회원 ${formatCount(valueCount)}명이 적은 값은 지우지 않고, 더 이상 묻지 않습니다. 언제든 다시 열 수 있습니다.`,
        done: "항목을 닫았습니다. 회원이 적은 값은 남아 있습니다.",
      }}
      deleting={{ text: "아무도 적지 않은 항목이라 완전히 삭제합니다.", done: "항목을 삭제하였습니다." }}
      renderEditor={(edited, key) => <ProfileFieldEditor key={key} edited={edited} fields={fields} />}
    >
      {({ code, valueCount, detail }) => (
        <>
          {code} · {formatCount(valueCount)}명이 적음
          {detail.length > 0 && ` · ${detail.join(", ")}`}
        </>
      )}
    </FieldRows>
  );
}

const EMPTY_FIELD: Omit<ProfileField, "name" | "code" | "order"> = {
  inputType: "text",
  required: false,
  detail: [],
  englishName: "",
  englishDetail: [],
};

type ProfileFieldControlsProps = Pick<
  ComponentProps<typeof RowControls<typeof profileFieldRow.fields>>,
  "values" | "errors"
>;

/** All fields, and the choices that were renamed. */
function ProfileFieldControls({ values, errors }: ProfileFieldControlsProps) {
  const { fields } = profileFieldRow;
  const before = values?.detail ?? [];
  const [choices, setChoices] = useState<readonly string[]>(before);
  const isNew = values?.code === undefined;
  const names = Object.keys(fields) as (keyof typeof fields)[];
  return (
    <div
      className="contents"
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement && target.name === "detail") setChoices(splitLines(target.value));
      }}
    >
      <RowControls
        fields={fields}
        only={names.filter((name) => isNew || name !== "code")}
        values={values}
        errors={errors}
      />
      <ChoiceRenames before={before} choices={choices} error={errors["detail"]} />
    </div>
  );
}

interface ProfileFieldEditorProps {
  edited: EditedRow<AdminProfileField>;
  fields: readonly AdminProfileField[];
}

function ProfileFieldEditor({ edited, fields: all }: ProfileFieldEditorProps) {
  const old = edited.row;
  const [shown, setShown] = useState<Partial<AdminProfileField>>(old ?? {});
  const [tried, setTried] = useState<ProfileInput>({});
  const { code = "preview" } = old ?? {};
  const preview: ProfileField = { ...EMPTY_FIELD, ...shown, name: shown.name || "항목 이름", code, order: 0 };
  const others = all.filter((each) => each.code === code || !each.isClosed);
  const asked = old ? others.map((each) => (each.code === code ? preview : each)) : [...others, preview];
  return (
    <RowEditor
      type={profileFieldRow}
      calls={api.admin.setting["profile-field"]}
      edited={edited}
      title={old ? "가입 항목 수정" : "가입 항목 추가"}
      size="lg"
      done="가입 항목을 저장하였습니다."
      read={(form) => ({ ...readRow(profileFieldRow.fields, form), ...readRenames(form) })}
      controls={ProfileFieldControls}
      onInput={(form) => setShown(readRow(profileFieldRow.fields, form))}
      onTake={() => old && setShown(old)}
      beside={
        <div className="rounded-lg bg-gray-5 p-5" aria-label="미리보기" role="group">
          <p className="mb-4 text-sm font-semibold text-gray-60">가입 화면 미리보기</p>
          <div className="grid gap-5">
            {asked.map((each) => (
              <div key={each.code} className={cx(each === preview && "rounded-md bg-white p-3 shadow-sm")}>
                <ProfileFields fields={[each]} value={tried} onChange={setTried} errors={{}} />
              </div>
            ))}
          </div>
        </div>
      }
    />
  );
}

const rangeOf = (label: string, rule: "userName" | "password") => {
  const { min, max } = WIDEST_RULE_SETTINGS[rule];
  const start = DEFAULT_RULE_SETTINGS[rule];
  return {
    min: whole(`${label}: 최소`, { hint: `${min}부터`, min, max, start: start.min }),
    max: whole(`${label}: 최대`, { hint: `${max}까지`, min, max, start: start.max }),
  };
};
const RULE_FIELDS = {
  rules: group("규칙", {
    userName: group("이름", {
      ...rangeOf("한글 이름의 글자 수", "userName"),
      foreign: flag("영문이나 한자 이름도 받습니다"),
    }),
    password: group("비밀번호", rangeOf("비밀번호의 글자 수", "password")),
    email: group("이메일", {
      endingMax: whole("이메일 끝자리의 최대 글자 수", {
        hint: `마지막 점 뒤의 글자 수입니다. 기본값 ${withParticle(String(DEFAULT_RULE_SETTINGS.email.endingMax), "은/는")} .com과 .kr까지이고, .info나 .academy 주소를 받으려면 늘립니다.`,
        min: 2,
        max: WIDEST_RULE_SETTINGS.email.endingMax,
        start: DEFAULT_RULE_SETTINGS.email.endingMax,
      }),
    }),
  }),
};

/** Applies to new members only; existing accounts keep their names and passwords. */
function SignupRulesForm({ setting }: { setting: AuthenticationSettingView }) {
  const { authType, roleCodeForGuest, signupApproval } = setting.value;
  return (
    <ConsoleSection title="입력 규칙">
      <p className="mb-5 max-w-2xl text-gray-70">
        새로 가입하거나 바꿀 때 지켜야 하는 규칙입니다. 이미 가입한 회원의 이름과 비밀번호는 그대로 쓸 수 있습니다.
      </p>
      <FieldsForm
        fields={RULE_FIELDS}
        latest={setting}
        save={({ rules }, version) => {
          const json = { authType, roleCodeForGuest, signupApproval, rules, version };
          return callApi(api.admin.setting.authentication.$patch({ json }));
        }}
        done="입력 규칙을 저장하였습니다."
        submitLabel="규칙 저장"
        className="grid max-w-2xl gap-5"
      />
    </ConsoleSection>
  );
}

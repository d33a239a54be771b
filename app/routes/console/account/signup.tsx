import { useState } from "react";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { FieldRows } from "#app/features/list/field-rows.tsx";
import { AddRowButton } from "#app/features/list/ordered-rows.tsx";
import { type EditedRow, RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { SignupRulesForm } from "#app/features/account/signup-rules-form.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import { formText, neighbourLines, splitLines } from "#app/features/form/form-values.ts";
import { roleOptions } from "#app/features/access/role-options.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import type { AdminProfileField } from "#worker/contract/account/view.ts";
import { listProfileFields } from "#worker/domain/account/profile-field.server.ts";
import { listRoles } from "#worker/domain/access/role.server.ts";
import { authenticationConsequences } from "#worker/contract/account/authentication-consequences.ts";
import { countSigninKeys, getAuthenticationSetting } from "#worker/domain/site/setting.server.ts";
import type { Route } from "./+types/signup";
import { ProfileFields } from "#app/features/account/profile-fields.tsx";
import { EnglishField } from "#app/features/form/english-field.tsx";
import { cx } from "#app/ui/cx.ts";
import { Textarea } from "#app/ui/textarea.tsx";
import { PROFILE_FIELD_LIMITS, type ProfileInput, type ProfileInputType } from "#worker/contract/account/rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [setting, keyCounts, fields, { roles }] = await Promise.all([
    getAuthenticationSetting(scope),
    countSigninKeys(scope),
    listProfileFields(scope),
    listRoles(scope),
  ]);
  return { setting, keyCounts, fields, roles: roles.filter((role) => !role.permissions.includes("ADMIN_Access")) };
});

export const meta = titledMeta("가입 설정", "관리");

const AUTH_TYPE_OPTIONS = [
  { value: "IdAndPassword", label: "아이디와 비밀번호" },
  { value: "EmailAndPassword", label: "이메일과 비밀번호" },
  { value: "MobileAndPassword", label: "휴대전화번호와 비밀번호" },
];

const LABELS = {
  authType: "로그인 방법",
  roleCodeForGuest: "로그인하지 않은 사람의 역할",
  signupApproval: "가입한 회원을 관리자가 승인해야 로그인할 수 있습니다",
};

export default function SignupSettingPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader title="가입 설정" description="어떻게 가입하고 로그인하는지, 가입할 때 무엇을 묻는지 정합니다." />
      <AuthenticationForm {...loaderData} />
      <SignupRulesForm setting={loaderData.setting} />
      <ProfileFieldList fields={loaderData.fields} />
    </>
  );
}

type AuthenticationValues = Pick<
  Route.ComponentProps["loaderData"]["setting"]["value"],
  "authType" | "roleCodeForGuest" | "signupApproval"
>;

function AuthenticationForm({
  setting,
  roles,
  keyCounts,
}: Pick<Route.ComponentProps["loaderData"], "setting" | "roles" | "keyCounts">) {
  const { value } = setting;
  const { sendAsked, dialog } = useConsequences();
  const [chosen, setChosen] = useState<typeof value.authType | null>(null);
  const describe = (each: AuthenticationValues) => ({
    [LABELS.authType]: AUTH_TYPE_OPTIONS.find((type) => type.value === each.authType)?.label ?? "",
    [LABELS.roleCodeForGuest]: roles.find((role) => role.roleCode === each.roleCodeForGuest)?.roleName ?? "",
    [LABELS.signupApproval]: each.signupApproval ? "예" : "아니요",
  });
  return (
    <ConsoleSection title="로그인과 승인">
      <StoredForm
        latest={setting}
        valueOf={(latest): AuthenticationValues => latest.value}
        describe={describe}
        read={(form) => ({
          authType: formText(form, "authType") as typeof value.authType,
          roleCodeForGuest: formText(form, "roleCodeForGuest"),
          signupApproval: form.has("signupApproval"),
        })}
        save={(typed, version) => callApi(api.admin.setting.authentication.$patch({ json: { ...typed, version } }))}
        ask={(typed, send) => {
          const guestRole = describe(typed)[LABELS.roleCodeForGuest] ?? "";
          const lines = authenticationConsequences(value, typed, keyCounts, guestRole);
          sendAsked("로그인하는 방법을 바꾸시겠습니까?", lines, send);
        }}
        done="가입 설정을 저장하였습니다."
        onStored={() => setChosen(null)}
        className="grid max-w-2xl gap-5"
      >
        {(errors) => (
          <>
            <RadioGroup
              legend={LABELS.authType}
              name="authType"
              options={AUTH_TYPE_OPTIONS}
              value={chosen ?? value.authType}
              onChange={(type) => setChosen(type as typeof value.authType)}
            />
            <Field label={LABELS.roleCodeForGuest} error={errors.roleCodeForGuest}>
              <Select name="roleCodeForGuest" defaultValue={value.roleCodeForGuest} options={roleOptions(roles)} />
            </Field>
            <Checkbox name="signupApproval" label={LABELS.signupApproval} defaultChecked={value.signupApproval} />
          </>
        )}
      </StoredForm>
      {dialog}
    </ConsoleSection>
  );
}

const fieldCalls = api.admin.setting["profile-field"];

function ProfileFieldList({ fields }: { fields: AdminProfileField[] }) {
  const { key, ...edited } = useEditedRow(fields, "code");
  return (
    <ConsoleSection title="가입할 때 묻는 항목" action={<AddRowButton onClick={edited.add}>항목 추가</AddRowButton>}>
      <FieldRows
        rows={fields}
        saveOrder={fieldCalls.order}
        onEdit={edited.edit}
        reopen={({ code, name, inputType, required, detail, version }) => {
          const json = { name, inputType, required, detail, isClosed: false, version };
          return callApi(fieldCalls[":code"].$patch({ param: { code }, json }));
        }}
        remove={({ code, version }) =>
          callApi(fieldCalls[":code"].$delete({ param: { code }, query: { version: String(version) } }))
        }
        closing={{
          text: ({ valueCount }) =>
            `회원 ${formatCount(valueCount)}명이 적은 값은 지우지 않고, 더 이상 묻지 않습니다. 언제든 다시 열 수 있습니다.`,
          done: "항목을 닫았습니다. 회원이 적은 값은 남아 있습니다.",
        }}
        deleting={{ text: "아무도 적지 않은 항목이라 완전히 삭제합니다.", done: "항목을 삭제하였습니다." }}
      >
        {({ code, valueCount, detail }) => (
          <>
            {code} · {formatCount(valueCount)}명이 적음
            {detail.length > 0 && ` · ${detail.join(", ")}`}
          </>
        )}
      </FieldRows>
      <ProfileFieldEditor key={key} edited={edited} fields={fields} />
    </ConsoleSection>
  );
}

const TYPES: { value: ProfileInputType; label: string }[] = [
  { value: "text", label: "한 줄 글" },
  { value: "textarea", label: "여러 줄 글" },
  { value: "phone", label: "전화번호" },
  { value: "email", label: "이메일" },
  { value: "date", label: "날짜" },
  { value: "time", label: "시각" },
  { value: "select", label: "하나 고르기 (펼침 목록)" },
  { value: "radio", label: "하나 고르기 (단추)" },
  { value: "checkbox", label: "표시하기 / 여럿 고르기" },
];

const describeField = ({
  name,
  inputType,
  required,
  detail,
  englishName,
  englishDetail,
}: Pick<AdminProfileField, "name" | "inputType" | "required" | "detail" | "englishName" | "englishDetail">) => ({
  "항목 이름": name,
  "적는 방법": TYPES.find(({ value }) => value === inputType)?.label ?? "",
  "고를 수 있는 말": detail.join(", "),
  "영문 이름": englishName,
  "영문 선택지": englishDetail.join(", "),
  "반드시 적어야 함": required ? "예" : "아니요",
});

interface ProfileFieldEditorProps {
  edited: EditedRow<AdminProfileField>;
  fields: readonly AdminProfileField[];
}

function ProfileFieldEditor({ edited, fields: all }: ProfileFieldEditorProps) {
  const old = edited.row;
  const [shown, setShown] = useState({
    name: old?.name ?? "",
    inputType: old?.inputType ?? ("text" as ProfileInputType),
    required: old?.required ?? false,
    detail: old?.detail ?? [],
    englishName: old?.englishName ?? "",
    englishDetail: old?.englishDetail ?? [],
  });
  const [tried, setTried] = useState<ProfileInput>({});
  const preview = { ...shown, name: shown.name || "항목 이름", code: old?.code ?? "preview", order: 0 };
  const others = all.filter(({ code, isClosed }) => code === old?.code || !isClosed);
  const asked = old ? others.map((each) => (each.code === old.code ? preview : each)) : [...others, preview];
  const read = (form: FormData) => ({
    code: formText(form, "code"),
    name: formText(form, "name"),
    inputType: formText(form, "inputType") as ProfileInputType,
    required: form.has("required"),
    detail: splitLines(formText(form, "detail")),
    englishName: formText(form, "englishName"),
    englishDetail: neighbourLines(formText(form, "englishDetail")),
  });
  const save = ({ code, ...json }: ReturnType<typeof read>, field: AdminProfileField | null) => {
    const calls = api.admin.setting["profile-field"];
    if (!field) return callApi(calls.$put({ json: { ...json, code } }));
    const { isClosed, version } = field;
    return callApi(calls[":code"].$patch({ param: { code: field.code }, json: { ...json, isClosed, version } }));
  };
  return (
    <RowDialog
      edited={edited}
      title={old ? "가입 항목 수정" : "가입 항목 추가"}
      size="lg"
      read={read}
      describe={describeField}
      save={save}
      done="가입 항목을 저장하였습니다."
      onInput={(form) => setShown(read(form))}
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
    >
      {(_, errors) => (
        <>
          <Field label="항목 이름" required error={errors.name}>
            <Input name="name" defaultValue={old?.name ?? ""} maxLength={PROFILE_FIELD_LIMITS.name} />
          </Field>
          {!old && (
            <Field label="코드" hint="영문자. 나중에 바꿀 수 없습니다. 예: hospital" required error={errors.code}>
              <Input name="code" maxLength={PROFILE_FIELD_LIMITS.code} autoCapitalize="none" />
            </Field>
          )}
          <Field label="적는 방법" error={errors.inputType}>
            <Select name="inputType" defaultValue={old?.inputType ?? "text"} options={TYPES} />
          </Field>
          <Field label="고를 수 있는 말" hint="고르는 항목에만 씁니다. 한 줄에 하나씩 적습니다." error={errors.detail}>
            <Textarea name="detail" defaultValue={(old?.detail ?? []).join("\n")} />
          </Field>
          <EnglishField
            name="englishName"
            label="영문 이름"
            hint="영문 가입 화면에서 부르는 이름입니다. 비워 두면 한글 이름을 보여 줍니다."
            of={old}
            maxLength={PROFILE_FIELD_LIMITS.englishName}
            errors={errors}
          />
          <Field
            label="영문 선택지"
            hint="위에서 고를 수 있는 말과 같은 차례로 한 줄에 하나씩 적습니다."
            error={errors.englishDetail}
          >
            <Textarea name="englishDetail" lang="en" defaultValue={(old?.englishDetail ?? []).join("\n")} />
          </Field>
          <Checkbox name="required" label="반드시 적어야 합니다" defaultChecked={old?.required ?? false} />
        </>
      )}
    </RowDialog>
  );
}

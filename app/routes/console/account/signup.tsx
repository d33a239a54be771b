import { type FormEvent, useState } from "react";
import { ConflictSummary, type SentForm } from "#app/features/form/conflict-note.tsx";
import { ProfileFieldEditor } from "#app/features/account/profile-field-editor.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { findNewestRow } from "#app/features/list/find-newest-row.ts";
import { moveEntry, RowMoveButtons } from "#app/features/list/row-move-buttons.tsx";
import { SignupRulesForm } from "#app/features/account/signup-rules-form.tsx";
import { FormFollowingStored } from "#app/features/form/stored-form.tsx";
import { formText, useSave } from "#app/features/form/use-save.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Select } from "#app/ui/select.tsx";
import type { AdminProfileField } from "#worker/contract/account/view.ts";
import { listProfileFields } from "#worker/domain/account/profile-field.server.ts";
import { listRoles } from "#worker/domain/access/role.server.ts";
import { getAuthenticationSetting } from "#worker/domain/site/setting.server.ts";
import type { Route } from "./+types/signup";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [setting, fields, { roles }] = await Promise.all([
    getAuthenticationSetting(scope),
    listProfileFields(scope),
    listRoles(scope),
  ]);
  return { setting, fields, roles: roles.filter((role) => !role.permissions.includes("ADMIN_Access")) };
});

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["가입 설정", "관리"] });
}

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

function AuthenticationForm({ setting, roles }: Pick<Route.ComponentProps["loaderData"], "setting" | "roles">) {
  const { value, version } = setting;
  const { busy, save, fields, message, conflict } = useSave();
  /** Only what was chosen here; else it follows what is stored. */
  const [chosen, setChosen] = useState<typeof value.authType | null>(null);
  const [sent, setSent] = useState<(SentForm & { version: number }) | null>(null);
  /** Somebody else saved; a choice that would lock administrators out is a conflict too, and says so in words. */
  const isStale = conflict && sent !== null && sent.version !== version;
  const named = (each: Pick<typeof value, "authType" | "roleCodeForGuest" | "signupApproval">) => ({
    authType: AUTH_TYPE_OPTIONS.find((type) => type.value === each.authType)?.label,
    roleCodeForGuest: roles.find((role) => role.roleCode === each.roleCodeForGuest)?.roleName,
    signupApproval: each.signupApproval,
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const json = {
      authType: formText(form, "authType") as typeof value.authType,
      roleCodeForGuest: formText(form, "roleCodeForGuest"),
      signupApproval: form.has("signupApproval"),
      version,
    };
    setSent({ base: named(value), typed: named(json), version });
    const work = () => callApi(api.admin.setting.authentication.$patch({ json }));
    if (await save(work, "가입 설정을 저장하였습니다.")) setChosen(null);
  };
  return (
    <ConsoleSection title="로그인과 승인">
      <FormFollowingStored onSubmit={submit} noValidate className="grid max-w-2xl gap-5">
        <RadioGroup
          legend={LABELS.authType}
          name="authType"
          options={AUTH_TYPE_OPTIONS}
          value={chosen ?? value.authType}
          onChange={(type) => setChosen(type as typeof value.authType)}
        />
        <Field label={LABELS.roleCodeForGuest} error={fields.roleCodeForGuest}>
          <Select
            name="roleCodeForGuest"
            defaultValue={value.roleCodeForGuest}
            options={roles.map((role) => ({ value: role.roleCode, label: role.roleName }))}
          />
        </Field>
        <Checkbox name="signupApproval" label={LABELS.signupApproval} defaultChecked={value.signupApproval} />
        {message && isStale && <ConflictSummary labels={LABELS} stored={named(value)} sentForm={sent} />}
        {message && !isStale && Object.keys(fields).length === 0 && <Alert tone="error">{message}</Alert>}
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            저장
          </Button>
        </div>
      </FormFollowingStored>
    </ConsoleSection>
  );
}

const fieldCodeOf = ({ code }: AdminProfileField) => code;

function ProfileFieldList({ fields }: { fields: AdminProfileField[] }) {
  const [editing, setEditing] = useState<AdminProfileField | "new" | null>(null);
  const [chosen, setRemoving] = useState<AdminProfileField | null>(null);
  const removing = findNewestRow(chosen, fields, fieldCodeOf);
  const { busy, save, clear, message } = useSave();
  const move = (at: number, by: -1 | 1) => {
    const codes = moveEntry(fields, at, by).map(({ code }) => code);
    const work = () => callApi(api.admin.setting["profile-field"].order.$post({ json: { codes } }));
    void save(work, "순서를 바꾸었습니다.");
  };
  const remove = async () => {
    if (!removing) return;
    const { code, version, valueCount } = removing;
    const work = () =>
      callApi(
        api.admin.setting["profile-field"][":code"].$delete({ param: { code }, query: { version: String(version) } }),
      );
    const done = valueCount > 0 ? "항목을 닫았습니다. 회원이 적은 값은 남아 있습니다." : "항목을 삭제하였습니다.";
    if (await save(work, done)) setRemoving(null);
  };
  const reopen = (field: AdminProfileField) => {
    const { code, name, inputType, required, detail, version } = field;
    const json = { name, inputType, required, detail, isClosed: false, version };
    const work = () => callApi(api.admin.setting["profile-field"][":code"].$patch({ param: { code }, json }));
    void save(work, "항목을 다시 열었습니다.");
  };
  return (
    <ConsoleSection
      title="가입할 때 묻는 항목"
      action={
        <Button size="sm" variant="primary" onClick={() => setEditing("new")}>
          항목 추가
        </Button>
      }
    >
      {message && !removing && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {fields.map((field, at) => (
          <li key={field.code} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-56">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {field.name}
                {field.required && <Badge tone="primary">필수</Badge>}
                {field.isClosed && <Badge tone="danger">닫힘</Badge>}
              </p>
              <p className="text-sm text-gray-60">
                {field.code} · {formatCount(field.valueCount)}명이 적음
                {field.detail.length > 0 && ` · ${field.detail.join(", ")}`}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              <RowMoveButtons
                name={field.name}
                index={at}
                count={fields.length}
                busy={busy}
                onMove={(by) => move(at, by)}
              />
              <Button size="sm" onClick={() => setEditing(field)}>
                수정<span className="sr-only"> {field.name}</span>
              </Button>
              {field.isClosed ? (
                <Button size="sm" busy={busy} onClick={() => reopen(field)}>
                  다시 열기<span className="sr-only"> {field.name}</span>
                </Button>
              ) : (
                <Button size="sm" variant="danger" onClick={() => setRemoving(field)}>
                  {field.valueCount > 0 ? "닫기" : "삭제"}
                  <span className="sr-only"> {field.name}</span>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      <ProfileFieldEditor
        key={editing === null ? "" : editing === "new" ? "new" : editing.code}
        field={findNewestRow(editing, fields, fieldCodeOf)}
        fields={fields}
        onClose={() => setEditing(null)}
      />
      <ConfirmDialog
        open={removing !== null}
        onClose={() => {
          setRemoving(null);
          clear();
        }}
        title={`'${removing?.name}' 항목을 없애시겠습니까?`}
        confirmLabel={removing && removing.valueCount > 0 ? "닫기" : "삭제"}
        danger
        busy={busy}
        error={message}
        onConfirm={remove}
      >
        <p>
          {removing && removing.valueCount > 0
            ? `회원 ${formatCount(removing.valueCount)}명이 적은 값은 지우지 않고, 더 이상 묻지 않습니다. 언제든 다시 열 수 있습니다.`
            : "아무도 적지 않은 항목이라 완전히 삭제합니다."}
        </p>
      </ConfirmDialog>
    </ConsoleSection>
  );
}

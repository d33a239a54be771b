import { roleOptions } from "#app/features/access/role-options.ts";
import { CodeField } from "#app/features/form/code-field.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { type EditedRow, RowDialog } from "#app/features/list/row-dialog.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { type AdminRole, ROLE_NAME_MAX } from "#worker/contract/access/role.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

const calls = api.admin.role;

export function RoleDialog({ edited, roles }: { edited: EditedRow<AdminRole>; roles: readonly AdminRole[] }) {
  const read = (form: FormData) => ({
    roleName: formText(form, "roleName"),
    roleCode: formText(form, "roleCode"),
    from: formText(form, "from"),
  });
  const save = ({ roleName, roleCode, from }: ReturnType<typeof read>, role: AdminRole | null) => {
    if (!role) {
      const permissions = roles.find((each) => each.roleCode === from)?.permissions ?? [];
      return callApi(calls.$put({ json: { roleCode, roleName, permissions } }));
    }
    const { permissions, version } = role;
    const param = { roleCode: role.roleCode };
    return callApi(calls[":roleCode"].$patch({ param, json: { roleName, permissions, version } }));
  };
  return (
    <RowDialog
      edited={edited}
      title={edited.row ? "역할 이름 바꾸기" : "역할 추가"}
      size="sm"
      read={read}
      describe={({ roleName }) => ({ "역할 이름": roleName })}
      save={save}
      done={edited.row ? "이름을 바꾸었습니다." : "역할을 추가하였습니다."}
      hidesGeneral
    >
      {(role, errors, general) => (
        <>
          <Field label="역할 이름" required error={errors.roleName ?? general}>
            <Input name="roleName" defaultValue={role?.roleName ?? ""} maxLength={ROLE_NAME_MAX} />
          </Field>
          {!role && (
            <>
              <CodeField
                name="roleCode"
                label="코드"
                hint="영문 소문자. 나중에 바꿀 수 없습니다. 예: editor"
                maxLength={SIZE_LIMITS.codeLength}
                error={errors.roleCode}
              />
              <Field label="권한 가져오기" hint="고른 역할과 같은 권한으로 시작합니다.">
                <Select name="from" placeholder="권한 없이 시작" options={roleOptions(roles)} />
              </Field>
            </>
          )}
        </>
      )}
    </RowDialog>
  );
}

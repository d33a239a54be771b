import { Fragment, useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { type EditedRow, RowDialog, useEditedRow } from "#app/features/list/row-dialog.tsx";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { formText, type Question, QuestionDialog, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Table, TableHead, Td, Th } from "#app/ui/table.tsx";
import { type AdminRole, listRoles } from "#worker/domain/access/role.server.ts";
import type { Route } from "./+types/roles";
import { ROLE_NAME_MAX, roleConsequences } from "#worker/contract/access/role.ts";
import { roleOptions } from "#app/features/access/role-options.ts";
import { CodeField } from "#app/features/form/code-field.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => listRoles(scope));

type RoleData = Route.ComponentProps["loaderData"]["roles"][number];

export default function ConsoleRolesPage({ loaderData }: Route.ComponentProps) {
  const { roles, groups } = loaderData;
  const [edited, setEdited] = useState<Record<string, Record<string, boolean>>>({});
  const { key, ...written } = useEditedRow(roles, "roleCode");
  const [deletingCode, setDeleting] = useState<string | null>(null);
  const deleting = roles.find(({ roleCode }) => roleCode === deletingCode);
  const { busy, run, clear, message } = useAction();
  const { sendAsked, dialog } = useConsequences();
  const holds = (role: RoleData, code: string) => edited[role.roleCode]?.[code] ?? role.permissions.includes(code);
  const toggle = (role: RoleData, code: string, on: boolean) =>
    setEdited((old) => ({ ...old, [role.roleCode]: { ...old[role.roleCode], [code]: on } }));
  const changed = roles.filter((role) =>
    Object.entries(edited[role.roleCode] ?? {}).some(([code, on]) => on !== role.permissions.includes(code)),
  );
  useUnsavedCheck(() => changed.length > 0);
  const saveAll = async () => {
    const left = [...changed];
    const work = async () => {
      for (let role = left[0]; role; role = left[0]) {
        const codes = Object.keys(edited[role.roleCode] ?? {});
        const permissions = [...new Set([...role.permissions, ...codes])].filter((code) => holds(role, code));
        const json = { roleName: role.roleName, permissions, version: role.version };
        await callApi(api.admin.role[":roleCode"].$patch({ param: { roleCode: role.roleCode }, json }));
        left.shift();
      }
    };
    if (await run(work, "권한을 저장하였습니다.")) setEdited({});
  };
  const labelOf = (code: string) => {
    const group = groups.find(({ codes }) => codes.some((each) => each.code === code));
    return [group?.label, group?.codes.find((each) => each.code === code)?.label ?? code].filter(Boolean).join(" ");
  };
  const askAndSave = () => {
    const lines = changed.flatMap((role) => {
      const codes = Object.keys(edited[role.roleCode] ?? {});
      const after = [...new Set([...role.permissions, ...codes])].filter((code) => holds(role, code));
      return roleConsequences({ ...role, before: role.permissions, after }, labelOf);
    });
    sendAsked("권한을 바꾸시겠습니까?", lines, () => void saveAll());
  };
  return (
    <>
      <ConsoleHeader
        description="역할마다 할 수 있는 일을 표시한 뒤 저장해 주십시오. 시스템 관리자는 모든 권한을 가집니다."
        action={
          <Button size="sm" onClick={written.add}>
            역할 추가
          </Button>
        }
      />
      <Table caption="역할과 권한" className="md:min-w-[40rem]">
        <TableHead>
          <Th className="sticky left-0 z-10 min-w-24 max-md:px-2 md:min-w-36">권한</Th>
          {roles.map((role) => (
            <Th key={role.roleCode} className="min-w-18 px-1 text-center align-top">
              <span className="block text-base">{role.roleName}</span>
              <span className="block text-xs font-normal text-gray-60">
                {role.isGuest ? "로그인하지 않은 사람" : `${role.userCount}명`}
              </span>
              <span className="mt-1 flex flex-wrap justify-center gap-x-2">
                <button
                  type="button"
                  className="min-h-8 px-1 text-sm text-primary-70 underline underline-offset-4"
                  onClick={() => written.edit(role)}
                >
                  이름 바꾸기<span className="sr-only">: {role.roleName}</span>
                </button>
                {!role.isBuiltIn && (
                  <button
                    type="button"
                    className="min-h-8 px-1 text-sm text-danger-60 underline underline-offset-4"
                    onClick={() => setDeleting(role.roleCode)}
                  >
                    삭제<span className="sr-only">: {role.roleName}</span>
                  </button>
                )}
              </span>
            </Th>
          ))}
        </TableHead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group.label}>
              <tr>
                <th
                  scope="rowgroup"
                  className="sticky left-0 bg-primary-5 px-4 py-2 text-sm text-primary-80 max-md:px-2"
                >
                  {group.label}
                </th>
                {/* Repeats the role names because the table's header has scrolled away. */}
                {roles.map((role) => (
                  <td
                    key={role.roleCode}
                    aria-hidden="true"
                    className="bg-primary-5 px-1 py-2 text-center text-xs text-primary-80"
                  >
                    {role.roleName}
                  </td>
                ))}
              </tr>
              {group.codes.map(({ code, label }) => (
                <tr key={code}>
                  <th
                    scope="row"
                    className="sticky left-0 border-b border-gray-20 bg-white px-4 py-2 font-normal max-md:px-2"
                  >
                    {label}
                  </th>
                  {roles.map((role) => (
                    <Td key={role.roleCode} className="px-1 py-2 text-center">
                      <input
                        type="checkbox"
                        className="size-5.5 align-middle accent-primary-60"
                        aria-label={`${role.roleName}: ${group.label} ${label}`}
                        checked={holds(role, code)}
                        disabled={role.isGuest && code === "ADMIN_Access"}
                        onChange={(event) => toggle(role, code, event.target.checked)}
                      />
                    </Td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </Table>
      {(changed.length > 0 || message) && (
        <div className="sticky bottom-0 z-20 mt-4 flex flex-wrap items-center gap-3 border-t border-gray-20 bg-white py-4">
          <ErrorAlert className="w-full">{message}</ErrorAlert>
          <Button variant="primary" busy={busy} disabled={changed.length === 0} onClick={askAndSave}>
            저장
          </Button>
          <Button
            disabled={busy}
            onClick={() => {
              setEdited({});
              clear();
            }}
          >
            되돌리기
          </Button>
          <span role="status" className="text-gray-70">
            {changed.length > 0 && `바뀐 역할: ${changed.map((role) => role.roleName).join(", ")}`}
          </span>
        </div>
      )}
      {dialog}
      <RoleDialog key={key} edited={written} roles={roles} />
      <QuestionDialog question={deleting ? deleteQuestion(deleting) : null} onClose={() => setDeleting(null)} />
    </>
  );
}

const calls = api.admin.role;

const deleteQuestion = ({ roleCode, roleName }: RoleData): Question => ({
  label: "삭제",
  title: `'${roleName}' 역할을 삭제하시겠습니까?`,
  text: <p>이 역할을 쓰는 회원이 있으면 삭제되지 않습니다.</p>,
  danger: true,
  work: () => callApi(calls[":roleCode"].$delete({ param: { roleCode } })),
  done: "역할을 삭제하였습니다.",
});

function RoleDialog({ edited, roles }: { edited: EditedRow<AdminRole>; roles: readonly AdminRole[] }) {
  const read = (form: FormData) => ({
    roleName: formText(form, "roleName"),
    roleCode: formText(form, "roleCode"),
    from: formText(form, "from"),
  });
  const save = ({ roleName, roleCode, from }: ReturnType<typeof read>, role: AdminRole | null) => {
    if (!role) {
      const permissions = roles.find((each) => each.roleCode === from)?.permissions ?? [];
      return callApi(calls.$put({ json: { roleCode, roleName, permissions }, header: ONCE }));
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

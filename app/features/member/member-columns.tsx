import { ownValue } from "#worker/contract/kernel/labels.ts";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { memberKey, MemberStatusBadge } from "#app/features/member/member-status.tsx";
import { ColumnsMenu } from "#app/features/list/columns-menu.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Time } from "#app/ui/time.tsx";
import type { MemberListRow } from "#worker/contract/member/view.ts";
import { MEMBER_FILTERS } from "#worker/contract/member/status.ts";

export interface MemberColumn {
  code: string;
  label: string;
  render: (row: MemberListRow) => ReactNode;
}

const ACCOUNT_COLUMNS: MemberColumn[] = [
  { code: "Id", label: "아이디", render: (row) => memberKey(row, "Id") },
  { code: "Email", label: "이메일", render: (row) => memberKey(row, "Email") },
  { code: "Mobile", label: "휴대전화", render: (row) => memberKey(row, "Mobile") },
  { code: "role", label: "역할", render: (row) => (row.userType === "Admin" ? "시스템 관리자" : row.roleName) },
  { code: "status", label: "상태", render: (row) => <MemberStatusBadge status={row.status} /> },
  { code: "createdDate", label: "가입일", render: (row) => <Time date={row.createdDate} /> },
  {
    code: "lastSigninDate",
    label: "최근 로그인",
    render: (row) => (row.lastSigninDate ? <Time date={row.lastSigninDate} /> : "-"),
  },
];
const DEFAULT_COLUMN_CODES = ACCOUNT_COLUMNS.map(({ code }) => code).filter((code) => code !== "Mobile");

export const memberListColumns = (fields: readonly { code: string; name: string }[]): MemberColumn[] => [
  ...ACCOUNT_COLUMNS,
  ...fields.map(({ code, name }) => ({
    code: `profile.${code}`,
    label: name,
    render: (row: MemberListRow) => ownValue(row.profile, code) ?? "",
  })),
];

export function chosenMemberColumns(columns: readonly MemberColumn[], params: URLSearchParams): MemberColumn[] {
  const asked = params.getAll("columns");
  const codes = asked.length > 0 ? asked : DEFAULT_COLUMN_CODES;
  return columns.filter(({ code }) => codes.includes(code));
}

export const memberFilterOf = (params: URLSearchParams) =>
  Object.fromEntries(MEMBER_FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));

/** A form inside `<details>`; the chosen columns are part of the URL. */
export function MemberColumnChooser({
  columns,
  params,
}: {
  columns: readonly MemberColumn[];
  params: URLSearchParams;
}) {
  const chosen = chosenMemberColumns(columns, params).map(({ code }) => code);
  return (
    <ColumnsMenu>
      <Form
        key={chosen.join()}
        preventScrollReset
        className="absolute top-full right-0 z-20 mt-2 grid w-64 gap-2 rounded-lg border border-gray-20 bg-white p-4 shadow-lg"
      >
        {[...params]
          .filter(([name]) => name !== "columns")
          .map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
        {columns.map(({ code, label }) => (
          <Checkbox key={code} name="columns" value={code} label={label} defaultChecked={chosen.includes(code)} />
        ))}
        <Button type="submit" variant="primary" size="sm" className="mt-1">
          적용
        </Button>
      </Form>
    </ColumnsMenu>
  );
}

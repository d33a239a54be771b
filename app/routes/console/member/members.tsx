import { Form, useSearchParams } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import {
  type ListColumn,
  ListFilter,
  type ListFilterField,
  ListTable,
  TickAllOnPhone,
} from "#app/features/list/searched-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { MemberBulkActions } from "#app/features/member/bulk-actions.tsx";
import { MailingButton } from "#app/features/mailing/mailing-button.tsx";
import { roleOptions } from "#app/features/access/role-options.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import { listMembersQuery } from "#worker/contract/member/input.ts";
import {
  MEMBER_FILTERS,
  MEMBER_STATUS_NAMES,
  MEMBER_STATUSES,
  type MemberListRow,
} from "#worker/contract/member/member.ts";
import { listMembers } from "#worker/domain/member/list.server.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { Route } from "./+types/members";
import { ownValue } from "#worker/contract/kernel/labels.ts";
import type { ReactNode } from "react";
import { memberKey, MemberStatusBadge } from "#app/features/member/member-status.tsx";
import { ColumnsMenu } from "#app/features/list/columns-menu.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Time } from "#app/ui/time.tsx";

export const loader = searchedListLoader(listMembersQuery, listMembers);

export const meta = titledMeta("회원 관리", "관리");

const memberFilters = (
  roles: readonly { roleCode: string; roleName: string }[],
  profileFields: readonly { code: string; name: string }[],
): ListFilterField[] => [
  {
    name: "keyword",
    label: "검색어",
    type: "search",
    placeholder: "이름, 아이디, 이메일, 소속",
    maxLength: SIZE_LIMITS.keywordLength,
    className: "md:col-span-2",
  },
  {
    name: "status",
    label: "상태",
    placeholder: "탈퇴 빼고 모두",
    options: MEMBER_STATUSES.map((status) => ({ value: status, label: MEMBER_STATUS_NAMES[status] })),
  },
  {
    name: "roleCode",
    label: "역할",
    options: roleOptions(roles),
  },
  { name: "from", label: "가입일부터", type: "date" },
  { name: "to", label: "가입일까지", type: "date" },
  {
    name: "profileCode",
    label: "가입 항목",
    placeholder: "모든 항목",
    options: profileFields.map(({ code, name }) => ({ value: code, label: name })),
  },
  { name: "profileValue", label: "항목에 든 말", maxLength: SIZE_LIMITS.keywordLength },
];

const NAME_COLUMN: ListColumn<MemberListRow> = {
  head: "이름",
  className: "whitespace-nowrap",
  sort: { field: "userName", first: "ASC" },
  renderCell: ({ id, userName }) => (
    <TextLink to={`/Admin/Members/${id}`} className="font-semibold">
      {userName}
    </TextLink>
  ),
};

const toListColumn = ({ code, label, render }: MemberColumn): ListColumn<MemberListRow> => ({
  head: label,
  key: code,
  label: true,
  renderCell: render,
  headClassName: "whitespace-nowrap",
  // Breaks on phones; wide tables scroll inside their frame.
  ...(["Id", "Email"].includes(code) && { className: "max-md:break-all md:whitespace-nowrap" }),
  ...((code === "createdDate" || code === "lastSigninDate") && { sort: { field: code, first: "DESC" as const } }),
});

export default function ConsoleMembersPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, roles, fields, problems } = loaderData;
  const [params] = useSearchParams();
  const sort = params.get("sort") ?? "createdDate,DESC";
  const every = memberListColumns(fields);
  const columns = chosenMemberColumns(every, params);
  const picks = useRowPicks(content.map(({ id }) => id));
  const ids = picks.picked;
  const href = (name: "page" | "sort", to: string) => {
    const next = new URLSearchParams(params);
    next.delete("page");
    next.set(name, to);
    return `/Admin/Members?${next}`;
  };
  const ticks = { picks, allLabel: "이 페이지의 회원 모두 선택" };
  return (
    <>
      <ConsoleHeader
        title="회원 관리"
        action={
          <>
            <MailingButton
              whom={{
                source: "member",
                target: ids.length > 0 ? { ids: [...ids] } : { filter: memberFilterOf(params) },
              }}
              disabled={totalElements === 0}
            />
            <MemberExportButton params={params} total={totalElements} />
          </>
        }
      />
      <ListFilter
        path="/Admin/Members"
        fields={memberFilters(roles, fields)}
        problems={problems}
        kept={["columns", "sort"]}
        className="md:grid-cols-5"
      />
      <div className="list-count mt-6 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="tabular text-gray-70">
          총 {formatCount(totalElements)}명 · {formatCount(at)}/{formatCount(totalPages)} 페이지
        </p>
        <MemberColumnChooser columns={every} params={params} />
      </div>
      <MemberBulkActions ids={ids} roles={roles} onDone={picks.clear} />
      {content.length > 0 && <TickAllOnPhone {...ticks} />}
      <ListTable
        caption="회원 목록"
        columns={[NAME_COLUMN, ...columns.map(toListColumn)]}
        rows={content}
        keyOf={({ id }) => id}
        ticks={{ ...ticks, nameOf: ({ userName }) => userName }}
        order={{ sort, href: (to) => href("sort", to) }}
        emptyText={
          Object.keys(problems).length > 0 ? "조건을 고친 뒤 다시 찾아 주십시오." : "조건에 맞는 회원이 없습니다."
        }
        rowClassName="relative hover:bg-gray-5"
      />
      <Pager
        list={{ page: at, totalPages }}
        href={(number) => href("page", String(number))}
        label="회원 목록 페이지 이동"
      />
    </>
  );
}

function MemberExportButton({ params, total }: { params: URLSearchParams; total: number }) {
  const json = { filter: memberFilterOf(params), format: "xlsx" as const };
  const question: Question = {
    label: "내보내기",
    title: `회원 ${formatCount(total)}명의 개인정보를 내보내시겠습니까?`,
    text: <p>지금 보고 있는 조건의 회원을 모두 담습니다. 쓴 뒤에는 파일을 지워 주십시오.</p>,
    reasonHint: "누가 언제 왜 내보냈는지 감사 기록에 남습니다.",
    work: (reason) => saveResponseFile(api.admin.member.export.$post({ json: { ...json, reason } })),
    done: "파일을 내려받았습니다.",
  };
  return (
    <QuestionButton question={question} disabled={total === 0}>
      엑셀로 내보내기
    </QuestionButton>
  );
}

interface MemberColumn {
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

const memberListColumns = (fields: readonly { code: string; name: string }[]): MemberColumn[] => [
  ...ACCOUNT_COLUMNS,
  ...fields.map(({ code, name }) => ({
    code: `profile.${code}`,
    label: name,
    render: (row: MemberListRow) => ownValue(row.profile, code) ?? "",
  })),
];

function chosenMemberColumns(columns: readonly MemberColumn[], params: URLSearchParams): MemberColumn[] {
  const asked = params.getAll("columns");
  const codes = asked.length > 0 ? asked : DEFAULT_COLUMN_CODES;
  return columns.filter(({ code }) => codes.includes(code));
}

const memberFilterOf = (params: URLSearchParams) =>
  Object.fromEntries(MEMBER_FILTERS.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])));

/** A form inside `<details>`; the chosen columns are part of the URL. */
function MemberColumnChooser({ columns, params }: { columns: readonly MemberColumn[]; params: URLSearchParams }) {
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

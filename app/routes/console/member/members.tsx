import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { useColumnChoice } from "#app/features/list/columns-menu.tsx";
import { type ListColumn, listColumns, SearchedTable, useListSearch } from "#app/features/list/searched-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { MailingButton } from "#app/features/mailing/mailing-button.tsx";
import { MemberBulkActions } from "#app/features/member/bulk-actions.tsx";
import { MemberStatusBadge } from "#app/features/member/member-status.tsx";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { MEMBER_FILTERS as FILTERS, memberColumns, type MemberListRow } from "#worker/contract/member/list.ts";
import { listMembersQuery } from "#worker/contract/member/list-input.ts";
import { listMembers } from "#worker/domain/member/list.server.ts";
import type { Route } from "./+types/members";

export const loader = searchedListLoader(listMembersQuery, listMembers);

const PATH = "/Admin/Members";
// Breaks on phones; wide tables scroll inside their frame.
const address = { className: "max-md:break-all md:whitespace-nowrap" };
const CELLS: Record<string, Partial<ListColumn<MemberListRow>>> = {
  userName: {
    className: "whitespace-nowrap",
    renderCell: ({ id, userName }) => (
      <TextLink to={`${PATH}/${id}`} className="font-semibold">
        {userName}
      </TextLink>
    ),
  },
  Id: address,
  Email: address,
  role: { renderCell: ({ userType, roleName }) => (userType === "Admin" ? "시스템 관리자" : roleName) },
  status: { renderCell: ({ status }) => <MemberStatusBadge status={status} /> },
  createdDate: { renderCell: ({ createdDate }) => <Time date={createdDate} /> },
  lastSigninDate: { renderCell: ({ lastSigninDate }) => (lastSigninDate ? <Time date={lastSigninDate} /> : "-") },
};

export default function ConsoleMembersPage({ loaderData: list }: Route.ComponentProps) {
  const { content, totalElements, roles, fields } = list;
  const columns = useColumnChoice(PATH, memberColumns(fields));
  const filter = useListSearch(PATH).filter(FILTERS);
  const picks = useRowPicks(content.map(({ id }) => id));
  const ids = picks.picked;
  return (
    <>
      <ConsoleHeader
        action={
          <>
            <MailingButton
              whom={{ source: "member", target: ids.length > 0 ? { ids: [...ids] } : { filter } }}
              disabled={totalElements === 0}
            />
            <ExportButton
              object={`회원 ${formatCount(totalElements)}명의 개인정보를`}
              note="지금 보고 있는 조건의 회원을 모두 담습니다. 쓴 뒤에는 파일을 지워 주십시오."
              disabled={totalElements === 0}
              request={(json) => api.admin.member.export.$post({ json: { ...json, filter } })}
            />
          </>
        }
      />
      <SearchedTable
        name="회원 목록"
        path={PATH}
        fields={FILTERS}
        options={{
          roleCode: Object.fromEntries(roles.map(({ roleCode, roleName }) => [roleCode, roleName])),
          profileCode: Object.fromEntries(fields.map(({ code, name }) => [code, name])),
        }}
        kept={["columns", "sort"]}
        filterClassName="md:grid-cols-5"
        list={list}
        unit="명"
        tools={columns.menu}
        firstSort="createdDate,DESC"
        table={{
          columns: listColumns(columns.shown, CELLS),
          keyOf: ({ id }) => id,
          ticks: { picks, allLabel: "이 페이지의 회원 모두 선택", nameOf: ({ userName }) => userName },
          emptyText: "조건에 맞는 회원이 없습니다.",
          rowClassName: "relative hover:bg-gray-5",
        }}
      >
        <MemberBulkActions ids={ids} roles={roles} onDone={picks.clear} />
      </SearchedTable>
    </>
  );
}

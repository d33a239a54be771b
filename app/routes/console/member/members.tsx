import { Form, useSearchParams } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import {
  type ListColumn,
  ListFilter,
  ListTable,
  TickAllOnPhone,
  useListSearch,
} from "#app/features/list/searched-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { MemberBulkActions } from "#app/features/member/bulk-actions.tsx";
import { MailingButton } from "#app/features/mailing/mailing-button.tsx";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import { listMembersQuery } from "#worker/contract/member/input.ts";
import type { ListedColumn } from "#worker/contract/kernel/row.ts";
import { MEMBER_FILTERS, memberColumns, type MemberListRow } from "#worker/contract/member/member.ts";
import { listMembers } from "#worker/domain/member/list.server.ts";
import type { Route } from "./+types/members";
import { ownValue } from "#worker/contract/kernel/labels.ts";
import type { ReactNode } from "react";
import { MemberStatusBadge } from "#app/features/member/member-status.tsx";
import { ColumnsMenu } from "#app/features/list/columns-menu.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Time } from "#app/ui/time.tsx";

export const loader = searchedListLoader(listMembersQuery, listMembers);

/** Cells that are more than the text of a sheet. */
const CELLS: Record<string, (row: MemberListRow) => ReactNode> = {
  userName: ({ id, userName }) => (
    <TextLink to={`/Admin/Members/${id}`} className="font-semibold">
      {userName}
    </TextLink>
  ),
  role: ({ userType, roleName }) => (userType === "Admin" ? "시스템 관리자" : roleName),
  status: ({ status }) => <MemberStatusBadge status={status} />,
  createdDate: ({ createdDate }) => <Time date={createdDate} />,
  lastSigninDate: ({ lastSigninDate }) => (lastSigninDate ? <Time date={lastSigninDate} /> : "-"),
};
const toListColumn = ({ code, label, text, sort }: ListedColumn<MemberListRow>): ListColumn<MemberListRow> => ({
  head: label,
  key: code,
  renderCell: ownValue(CELLS, code) ?? text,
  ...(sort && { sort: { field: code, first: sort } }),
  ...(code === "userName" ? { className: "whitespace-nowrap" } : { label: true, headClassName: "whitespace-nowrap" }),
  // Breaks on phones; wide tables scroll inside their frame.
  ...(["Id", "Email"].includes(code) && { className: "max-md:break-all md:whitespace-nowrap" }),
});

export default function ConsoleMembersPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, roles, fields, problems } = loaderData;
  const [params] = useSearchParams();
  const sort = params.get("sort") ?? "createdDate,DESC";
  const all = memberColumns(fields);
  const columns = chosenColumns(all, params);
  const { filter } = useListSearch("/Admin/Members");
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
        action={
          <>
            <MailingButton
              whom={{
                source: "member",
                target: ids.length > 0 ? { ids: [...ids] } : { filter: filter(MEMBER_FILTERS) },
              }}
              disabled={totalElements === 0}
            />
            <MemberExportButton asked={filter(MEMBER_FILTERS)} total={totalElements} />
          </>
        }
      />
      <ListFilter
        path="/Admin/Members"
        fields={{
          ...MEMBER_FILTERS,
          roleCode: {
            ...MEMBER_FILTERS.roleCode,
            options: Object.fromEntries(roles.map(({ roleCode, roleName }) => [roleCode, roleName])),
          },
          profileCode: {
            ...MEMBER_FILTERS.profileCode,
            options: Object.fromEntries(fields.map(({ code, name }) => [code, name])),
          },
        }}
        problems={problems}
        kept={["columns", "sort"]}
        className="md:grid-cols-5"
      />
      <div className="list-count mt-6 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="tabular text-gray-70">
          총 {formatCount(totalElements)}명 · {formatCount(at)}/{formatCount(totalPages)} 페이지
        </p>
        <MemberColumnChooser columns={all.slice(1)} params={params} />
      </div>
      <MemberBulkActions ids={ids} roles={roles} onDone={picks.clear} />
      {content.length > 0 && <TickAllOnPhone {...ticks} />}
      <ListTable
        caption="회원 목록"
        columns={columns.map(toListColumn)}
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

function MemberExportButton({ asked, total }: { asked: Record<string, string | null>; total: number }) {
  const json = { filter: asked, format: "xlsx" as const };
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

function chosenColumns(columns: readonly ListedColumn<MemberListRow>[], params: URLSearchParams) {
  const asked = params.getAll("columns");
  return columns.filter(
    ({ code, isOptional }) => code === "userName" || (asked.length > 0 ? asked.includes(code) : !isOptional),
  );
}

/** A form inside `<details>`; the chosen columns are part of the URL. */
function MemberColumnChooser({
  columns,
  params,
}: {
  columns: readonly ListedColumn<MemberListRow>[];
  params: URLSearchParams;
}) {
  const chosen = chosenColumns(columns, params).map(({ code }) => code);
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

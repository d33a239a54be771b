import { useState } from "react";
import { useSearchParams } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ListFilter, type ListFilterField } from "#app/features/list/searched-list.tsx";
import { useRowPicks } from "#app/features/list/use-row-picks.ts";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { MemberBulkActions } from "#app/features/member/bulk-actions.tsx";
import { chosenMemberColumns, MemberColumnChooser, memberListColumns } from "#app/features/member/member-columns.tsx";
import { MemberMailButton } from "#app/features/member/member-mail.tsx";
import { ReasonDialog } from "#app/features/form/reason-dialog.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { SortHeader } from "#app/ui/sort-header.tsx";
import { Table, Td, HEADER_CELL_CLASS, Th } from "#app/ui/table.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { listMembersQuery } from "#worker/contract/member/input.ts";
import { MEMBER_FILTERS, MEMBER_STATUS_NAMES, MEMBER_STATUSES } from "#worker/contract/member/status.ts";
import { listMembers } from "#worker/domain/member/list.server.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { Route } from "./+types/members";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listMembersQuery, (query) => listMembers(scope, query)),
);

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
    options: roles.map(({ roleCode, roleName }) => ({ value: roleCode, label: roleName })),
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
  const head = (label: string, field: string, first: "ASC" | "DESC") => (
    <SortHeader
      key={field}
      label={label}
      field={field}
      first={first}
      sort={sort}
      href={(to) => href("sort", to)}
      className={HEADER_CELL_CLASS}
    />
  );
  return (
    <>
      <ConsoleHeader
        title="회원 관리"
        action={
          <>
            <MemberMailButton ids={ids} params={params} total={totalElements} />
            <MemberExportButton params={params} total={totalElements} />
          </>
        }
      />
      <ListFilter
        path="/Admin/Members"
        fields={memberFilters(roles, fields)}
        problems={problems}
        kept={["columns", "sort"]}
        className="md:grid-cols-4"
      />
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="tabular text-gray-70">
          총 {formatCount(totalElements)}명 · {formatCount(at)}/{formatCount(totalPages)} 페이지
        </p>
        <MemberColumnChooser columns={every} params={params} />
      </div>
      <MemberBulkActions ids={ids} roles={roles} onDone={picks.clear} />
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">
          {Object.keys(problems).length > 0 ? "조건을 고친 뒤 다시 찾아 주십시오." : "조건에 맞는 회원이 없습니다."}
        </Empty>
      ) : (
        <>
          {/* The head of the table is not there on a phone. */}
          <div className="border-t border-gray-20 py-2 md:hidden">
            <Checkbox
              label="이 페이지의 회원 모두 선택"
              checked={picks.isAll}
              onChange={(event) => picks.pickAll(event.target.checked)}
            />
          </div>
          <Table caption="회원 목록" cards className="md:[&_td]:px-3 md:[&_th]:px-3">
            <thead>
              <tr>
                <Th className="w-12">
                  <input
                    type="checkbox"
                    aria-label="이 페이지의 회원 모두 선택"
                    className="size-5.5 align-middle accent-primary-60"
                    checked={picks.isAll}
                    onChange={(event) => picks.pickAll(event.target.checked)}
                  />
                </Th>
                {head("이름", "userName", "ASC")}
                {columns.map(({ code, label }) =>
                  code === "createdDate" || code === "lastSigninDate" ? (
                    head(label, code, "DESC")
                  ) : (
                    <Th key={code} className="whitespace-nowrap">
                      {label}
                    </Th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {content.map((row) => (
                <tr key={row.id} className="relative hover:bg-gray-5">
                  <Td className="max-md:absolute max-md:top-3 max-md:right-0">
                    <input
                      type="checkbox"
                      aria-label={`${row.userName} 선택`}
                      className="size-5.5 align-middle accent-primary-60"
                      checked={ids.includes(row.id)}
                      onChange={(event) => picks.pick(row.id, event.target.checked)}
                    />
                  </Td>
                  <Td className="whitespace-nowrap">
                    <TextLink to={`/Admin/Members/${row.id}`} className="font-semibold">
                      {row.userName}
                    </TextLink>
                  </Td>
                  {columns.map(({ code, label, render }) => (
                    <Td key={code} data-label={label} className={code === "Email" ? "break-all" : undefined}>
                      {render(row)}
                    </Td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
      <div className="mt-8">
        <Pager
          page={at}
          totalPages={totalPages}
          href={(number) => href("page", String(number))}
          label="회원 목록 페이지 이동"
        />
      </div>
    </>
  );
}

function MemberExportButton({ params, total }: { params: URLSearchParams; total: number }) {
  const [open, setOpen] = useState(false);
  const { busy, run, clear, fields, message } = useAction();
  const filter = Object.fromEntries(
    MEMBER_FILTERS.flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const send = async (reason: string) => {
    const json = { filter, format: "xlsx" as const, reason };
    const ok = await run(() => saveResponseFile(api.admin.member.export.$post({ json })), "파일을 내려받았습니다.");
    if (ok) setOpen(false);
  };
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)} disabled={total === 0}>
        엑셀로 내보내기
      </Button>
      <ReasonDialog
        open={open}
        title={`회원 ${formatCount(total)}명의 개인정보를 내보내시겠습니까?`}
        confirmLabel="내보내기"
        hint="누가 언제 왜 내보냈는지 감사 기록에 남습니다."
        busy={busy}
        error={fields.reason ?? message}
        onClose={() => {
          setOpen(false);
          clear();
        }}
        onConfirm={send}
      >
        <p className="mb-4">지금 보고 있는 조건의 회원을 모두 담습니다. 쓴 뒤에는 파일을 지워 주십시오.</p>
      </ReasonDialog>
    </>
  );
}

import { useState } from "react";
import { Form, Link, useSearchParams } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { MemberBulkActions } from "#app/features/member/bulk-actions.tsx";
import { chosenMemberColumns, MemberColumnChooser, memberListColumns } from "#app/features/member/member-columns.tsx";
import { MemberMailButton } from "#app/features/member/member-mail.tsx";
import { ReasonDialog } from "#app/features/form/reason-dialog.tsx";
import { useSave } from "#app/features/form/use-save.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Select } from "#app/ui/select.tsx";
import { SortHeader } from "#app/ui/sort-header.tsx";
import { Table, Td, HEADER_CELL_CLASS, Th } from "#app/ui/table.tsx";
import { listMembersQuery } from "#worker/contract/member/input.ts";
import { MEMBER_FILTERS, MEMBER_STATUS_NAMES, MEMBER_STATUSES } from "#worker/contract/member/status.ts";
import { listMembers } from "#worker/domain/member/list.server.ts";
import type { Route } from "./+types/members";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listMembersQuery, (query) => listMembers(scope, query)),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["회원 관리", "관리"] });
}

export default function ConsoleMembersPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, roles, fields, problems } = loaderData;
  const [params] = useSearchParams();
  const sort = params.get("sort") ?? "createdDate,DESC";
  const every = memberListColumns(fields);
  const columns = chosenMemberColumns(every, params);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = content.map(({ id }) => id).filter((id) => chosen.has(id));
  const all = content.length > 0 && ids.length === content.length;
  const toggle = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const chooseAll = (on: boolean) => setChosen(new Set(on ? content.map(({ id }) => id) : []));
  const value = (name: string) => params.get(name) ?? "";
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
      <Form method="get" className="grid gap-3 rounded-lg bg-gray-5 p-4 md:grid-cols-4" key={params.toString()}>
        <Field label="검색어" className="md:col-span-2" error={problems.keyword}>
          <Input
            name="keyword"
            type="search"
            defaultValue={value("keyword")}
            placeholder="이름, 아이디, 이메일, 소속"
            maxLength={100}
          />
        </Field>
        <Field label="상태" error={problems.status}>
          <Select
            name="status"
            defaultValue={value("status")}
            placeholder="탈퇴 빼고 모두"
            options={MEMBER_STATUSES.map((status) => ({ value: status, label: MEMBER_STATUS_NAMES[status] }))}
          />
        </Field>
        <Field label="역할" error={problems.roleCode}>
          <Select
            name="roleCode"
            defaultValue={value("roleCode")}
            placeholder="모두"
            options={roles.map((role) => ({ value: role.roleCode, label: role.roleName }))}
          />
        </Field>
        <Field label="가입일부터" error={problems.from}>
          <Input name="from" type="date" defaultValue={value("from")} />
        </Field>
        <Field label="가입일까지" error={problems.to}>
          <Input name="to" type="date" defaultValue={value("to")} />
        </Field>
        <Field label="가입 항목" error={problems.profileCode}>
          <Select
            name="profileCode"
            defaultValue={value("profileCode")}
            placeholder="모든 항목"
            options={fields.map(({ code, name }) => ({ value: code, label: name }))}
          />
        </Field>
        <Field label="항목에 든 말" error={problems.profileValue}>
          <Input name="profileValue" defaultValue={value("profileValue")} maxLength={100} />
        </Field>
        {params.getAll("columns").map((code) => (
          <input key={code} type="hidden" name="columns" value={code} />
        ))}
        {params.has("sort") && <input type="hidden" name="sort" value={sort} />}
        <div className="flex items-end gap-2 md:col-span-4">
          <Button type="submit" variant="primary" size="sm">
            찾기
          </Button>
          <ButtonLink to="/Admin/Members" size="sm">
            조건 지우기
          </ButtonLink>
        </div>
      </Form>
      <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="tabular text-gray-70">
          총 {formatCount(totalElements)}명 · {formatCount(at)}/{formatCount(totalPages)} 페이지
        </p>
        <MemberColumnChooser columns={every} params={params} />
      </div>
      <MemberBulkActions ids={ids} roles={roles} onDone={() => setChosen(new Set())} />
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
              checked={all}
              onChange={(event) => chooseAll(event.target.checked)}
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
                    checked={all}
                    onChange={(event) => chooseAll(event.target.checked)}
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
                      checked={chosen.has(row.id)}
                      onChange={(event) => toggle(row.id, event.target.checked)}
                    />
                  </Td>
                  <Td className="whitespace-nowrap">
                    <Link
                      to={`/Admin/Members/${row.id}`}
                      className="font-semibold text-primary-70 underline underline-offset-4"
                    >
                      {row.userName}
                    </Link>
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
  const { busy, save, clear, fields, message } = useSave();
  const filter = Object.fromEntries(
    MEMBER_FILTERS.flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const send = async (reason: string) => {
    const json = { filter, format: "xlsx" as const, reason };
    const ok = await save(() => saveResponseFile(api.admin.member.export.$post({ json })), "파일을 내려받았습니다.");
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

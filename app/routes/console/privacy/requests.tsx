import { useWords } from "#app/lib/page-language.ts";
import { useState } from "react";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { RequestStatusBadge } from "#app/features/privacy/request-status.tsx";
import { labelled, type ListColumn, SearchedTable, useListSearch } from "#app/features/list/searched-list.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { listRequestsQuery } from "#worker/contract/privacy/input.ts";
import {
  type PrivacyRequestKind,
  REQUEST_FILTERS as FILTERS,
  REQUEST_KIND_NAMES,
  REQUEST_LIMITS,
} from "#worker/contract/privacy/privacy.ts";
import { listPrivacyRequests } from "#worker/domain/privacy/request.server.ts";
import type { Route } from "./+types/requests";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { formText } from "#app/features/form/action.tsx";
import { Field, Input, Select, Textarea } from "#app/ui/field.tsx";

export const loader = searchedListLoader(listRequestsQuery, listPrivacyRequests);

export const meta = titledMeta("개인정보 열람·정정 요청", "관리");

const PATH = "/Admin/Privacy";
const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["content"][number]>[] = [
  {
    head: "종류",
    renderCell: (row) => (
      <TextLink to={`/Admin/Privacy/Request/${row.id}`} className="inline-flex min-h-6 items-center font-semibold">
        {REQUEST_KIND_NAMES[row.kind]}
      </TextLink>
    ),
  },
  labelled("요청한 사람", (row) => (
    <>
      {row.requesterName}
      <span className="ml-2 text-sm text-gray-60">{row.userId ? "회원" : "회원 아님"}</span>
    </>
  )),
  { head: "상태", renderCell: (row) => <RequestStatusBadge status={row.status} overdue={row.overdue} /> },
  labelled("기한", (row) => <Time date={row.dueDate} />),
  labelled("받은 날", (row) => <Time date={row.receivedDate} />),
];

export default function PrivacyPage({ loaderData: list }: Route.ComponentProps) {
  const say = useWords();
  const { filter } = useListSearch(PATH);
  const [entering, setEntering] = useState(false);
  return (
    <>
      <PrivacyHeader
        description={say(
          "회원과 {동문:이/가} 자기 정보의 열람, 정정, 삭제, 처리정지를 요청한 것을 기한 안에 처리합니다.",
        )}
        action={
          <>
            <ExportButton
              disabled={list.totalElements === 0}
              object="개인정보 열람·정정 요청을"
              note="지금 보고 있는 조건의 요청을 이름, 연락처, 내용과 함께 모두 담습니다. 쓴 뒤에는 파일을 지워 주십시오."
              request={(json) => api.admin.privacy.request.export.$post({ json: { ...json, filter: filter(FILTERS) } })}
            />
            <Button size="sm" variant="primary" onClick={() => setEntering(true)}>
              요청 등록
            </Button>
          </>
        }
      />
      <SearchedTable
        name="개인정보 열람·정정 요청"
        path={PATH}
        fields={FILTERS}
        list={list}
        filterClassName="md:grid-cols-3"
        table={{
          columns: COLUMNS,
          keyOf: (row) => row.id,
          emptyText: "요청이 없습니다.",
          className: "md:min-w-[40rem]",
        }}
      />
      <EnterRequestDialog open={entering} onClose={() => setEntering(false)} />
    </>
  );
}

const KINDS = Object.entries(REQUEST_KIND_NAMES).map(([value, label]) => ({ value, label }));

/** Requests that arrived by post, telephone or fax. */
function EnterRequestDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const enter = (form: FormData) => {
    const json = {
      kind: formText(form, "kind") as PrivacyRequestKind,
      userKeyCode: formText(form, "userKeyCode"),
      requesterName: formText(form, "requesterName"),
      contact: formText(form, "contact"),
      content: formText(form, "content"),
      receivedDay: formText(form, "receivedDay"),
    };
    return callApi(api.admin.privacy.request.$put({ json, header: ONCE }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="요청 등록"
      submitLabel="등록"
      size="md"
      work={enter}
      done="요청을 등록하였습니다."
    >
      {(errors) => (
        <>
          <p className="text-gray-60">
            서면이나 전화, 팩스로 받은 요청을 적어 둡니다. 이메일이 있으면 접수하였음을 메일로 알립니다.
          </p>
          <div className="grid gap-5 md:grid-cols-2">
            <Field label="종류" required error={errors.kind}>
              <Select name="kind" options={KINDS} defaultValue="access" />
            </Field>
            <Field label="받은 날" hint="비워 두면 오늘입니다." error={errors.receivedDay}>
              <Input name="receivedDay" type="date" />
            </Field>
            <Field label="회원의 아이디나 이메일" hint="회원이 아니면 비워 둡니다." error={errors.userKeyCode}>
              <Input name="userKeyCode" autoComplete="off" />
            </Field>
            <Field label="요청한 사람의 이름" hint="회원이면 비워 두어도 됩니다." error={errors.requesterName}>
              <Input name="requesterName" autoComplete="off" />
            </Field>
          </div>
          <Field
            label="답변을 받을 이메일"
            hint="회원이면 비워 두어도 됩니다. 없으면 서면으로 답합니다."
            error={errors.contact}
          >
            <Input name="contact" type="email" autoComplete="off" />
          </Field>
          <Field label="요청한 내용" required error={errors.content}>
            <Textarea name="content" rows={4} maxLength={REQUEST_LIMITS.content} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}

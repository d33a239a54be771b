import { useState } from "react";
import { Form } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { useListSearch } from "#app/features/list/use-list-search.ts";
import { useSave } from "#app/features/form/use-save.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Select } from "#app/ui/select.tsx";
import { Table, Td, Th } from "#app/ui/table.tsx";
import { Time } from "#app/ui/time.tsx";
import { listMessagesQuery } from "#worker/contract/mail/input.ts";
import { listMessages } from "#worker/domain/mail/message-log.server.ts";
import type { Route } from "./+types/messages";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listMessagesQuery, (query) => listMessages(scope, query)),
);

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches, title: ["메일·문자 기록", "관리"] });
}

const STATUS = {
  queued: { label: "보낼 예정", tone: "gray" },
  sent: { label: "보냄", tone: "success" },
  failed: { label: "실패", tone: "danger" },
  held: { label: "보류", tone: "warning" },
} as const;

const STATUS_OPTIONS = Object.entries(STATUS).map(([value, { label }]) => ({ value, label }));

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  const { content, totalElements, page: at, totalPages, problems } = loaderData;
  const { key, value, href } = useListSearch("/Admin/Messages");
  const { busy, save, message } = useSave();
  const [retrying, setRetrying] = useState("");
  const retry = (json: { ids: string[] } | { all: true }) => {
    if (busy) return;
    setRetrying("ids" in json ? (json.ids[0] ?? "") : "all");
    void save(() => callApi(api.admin.message.retry.$post({ json })), "다시 보내도록 하였습니다.");
  };
  return (
    <>
      <ConsoleHeader
        title="메일·문자 기록"
        description="보내지 못한 것은 저절로 다섯 번까지 다시 보냅니다. 인증번호가 든 것은 다시 보낼 수 없습니다."
        action={
          content.some((row) => row.canRetry) && (
            <Button size="sm" variant="primary" busy={busy && retrying === "all"} onClick={() => retry({ all: true })}>
              실패한 것 모두 다시 보내기
            </Button>
          )
        }
      />
      {message && (
        <Alert tone="error" className="mb-4">
          {message}
        </Alert>
      )}
      <Form method="get" key={key} className="grid items-start gap-3 rounded-lg bg-gray-5 p-4 md:grid-cols-4">
        <Field label="상태" error={problems.status}>
          <Select name="status" defaultValue={value("status")} placeholder="모두" options={STATUS_OPTIONS} />
        </Field>
        <Field label="받는 사람이나 제목" className="md:col-span-3" error={problems.keyword}>
          <Input name="keyword" type="search" defaultValue={value("keyword")} maxLength={100} />
        </Field>
        <div className="flex gap-2 md:col-span-4">
          <Button type="submit" variant="primary" size="sm">
            찾기
          </Button>
          <ButtonLink to="/Admin/Messages" size="sm">
            조건 지우기
          </ButtonLink>
        </div>
      </Form>
      <p role="status" className="tabular my-4 text-gray-70">
        총 {formatCount(totalElements)}건
      </p>
      {content.length === 0 ? (
        <Empty className="border-y border-gray-20">기록이 없습니다.</Empty>
      ) : (
        <Table caption="메일·문자 기록" cards className="md:min-w-[48rem]">
          <thead>
            <tr>
              <Th>만든 때</Th>
              <Th>종류</Th>
              <Th>받는 사람</Th>
              <Th>제목</Th>
              <Th>상태</Th>
            </tr>
          </thead>
          <tbody>
            {content.map((row) => (
              <tr key={row.id}>
                <Td className="text-sm">
                  <Time date={row.createdDate} format="datetime" />
                </Td>
                <Td data-label="종류" className="whitespace-nowrap">
                  {row.channel === "email" ? "메일" : "문자"}
                </Td>
                <Td data-label="받는 사람" className="break-all">
                  {row.recipient}
                </Td>
                <Td className="max-md:font-semibold">{row.subject}</Td>
                <Td>
                  <Badge tone={STATUS[row.status].tone}>{STATUS[row.status].label}</Badge>
                  {row.attempts > 1 && <span className="ml-2 text-sm text-gray-60">{row.attempts}번</span>}
                  {row.canRetry && (
                    <Button
                      size="sm"
                      variant="quiet"
                      busy={busy && retrying === row.id}
                      className="ml-2"
                      onClick={() => retry({ ids: [row.id] })}
                    >
                      다시 보내기
                      <span className="sr-only">: {row.subject}</span>
                    </Button>
                  )}
                </Td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className="mt-8">
        <Pager page={at} totalPages={totalPages} href={href} label="메일·문자 기록 페이지 이동" />
      </div>
    </>
  );
}

import { useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { ListTable, SearchedList } from "#app/features/list/searched-list.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { listMessagesQuery } from "#worker/contract/mail/input.ts";
import { listMessages } from "#worker/domain/mail/message-log.server.ts";
import { MESSAGE_CHANNEL_NAMES } from "#worker/contract/mail/mail.ts";
import { MESSAGE_FILTERS as FILTERS, MESSAGE_STATUS_NAMES } from "#worker/contract/mail/message-filters.ts";
import type { Route } from "./+types/messages";

export const loader = searchedListLoader(listMessagesQuery, listMessages);

const TONES = { queued: "gray", sent: "success", failed: "danger", held: "warning" } as const;

export default function MessagesPage({ loaderData }: Route.ComponentProps) {
  const { content } = loaderData;
  const { busy, run, message } = useAction();
  const [retrying, setRetrying] = useState("");
  const retry = (json: { ids: string[] } | { all: true }) => {
    if (busy) return;
    setRetrying("ids" in json ? (json.ids[0] ?? "") : "all");
    void run(() => callApi(api.admin.message.retry.$post({ json })), "다시 보내기 시작하였습니다.");
  };
  return (
    <>
      <ConsoleHeader
        description="보내지 못한 것은 다섯 번까지 저절로 다시 보냅니다. 인증번호가 든 것은 다시 보낼 수 없습니다. 주소 전체는 이름을 눌러 회원 화면에서 볼 수 있습니다."
        action={
          content.some((row) => row.canRetry) && (
            <Button size="sm" variant="primary" busy={busy && retrying === "all"} onClick={() => retry({ all: true })}>
              실패한 것 모두 다시 보내기
            </Button>
          )
        }
      />
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      <SearchedList
        name="메일·문자 기록"
        path="/Admin/Messages"
        fields={FILTERS}
        list={loaderData}
        className="md:grid-cols-4"
      >
        <ListTable
          caption="메일·문자 기록"
          rows={content}
          keyOf={(row) => row.id}
          emptyText="기록이 없습니다."
          className="md:min-w-[48rem]"
          columns={[
            {
              head: "만든 때",
              className: "text-sm",
              renderCell: (row) => <Time date={row.createdDate} format="datetime" />,
            },
            {
              head: "종류",
              label: true,
              className: "whitespace-nowrap",
              renderCell: (row) => MESSAGE_CHANNEL_NAMES[row.channel],
            },
            {
              head: "받는 사람",
              label: true,
              renderCell: ({ person, recipient }) => (
                <>
                  {person?.kind === "member" && (
                    <TextLink to={`/Admin/Members/${person.id}`} className="mr-2">
                      {person.name}
                    </TextLink>
                  )}
                  {person?.kind === "alumni" && <span className="mr-2">{person.name}</span>}
                  <span className="text-sm whitespace-nowrap text-gray-60 max-md:whitespace-normal">{recipient}</span>
                </>
              ),
            },
            { head: "제목", className: "max-md:font-semibold", renderCell: (row) => row.subject },
            {
              head: "상태",
              renderCell: (row) => (
                <>
                  <Badge tone={TONES[row.status]}>{MESSAGE_STATUS_NAMES[row.status]}</Badge>
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
                </>
              ),
            },
          ]}
        />
      </SearchedList>
    </>
  );
}

import { useWords } from "#app/lib/page-language.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, PagedTable } from "#app/features/list/searched-list.tsx";
import { MailingStatusBadge } from "#app/features/mailing/mailing-status.tsx";
import { formatCount } from "#app/lib/format.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { listMailingsQuery } from "#worker/contract/mailing/input.ts";
import { MESSAGE_CHANNEL_NAMES } from "#worker/contract/mail/mail.ts";
import { MAILING_SOURCE_NAMES } from "#worker/contract/mailing/mailing.ts";
import { listMailings } from "#worker/domain/mailing/mailing.server.ts";
import type { Route } from "./+types/mailings";

export const loader = searchedListLoader(listMailingsQuery, listMailings);

const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["content"][number]>[] = [
  {
    head: "제목",
    renderCell: (row) => (
      <TextLink to={`/Admin/Mailings/${row.id}`} className="font-semibold">
        {row.subject || "(제목 없음)"}
      </TextLink>
    ),
  },
  { head: "상태", renderCell: (row) => <MailingStatusBadge status={row.status} isScheduled={row.isScheduled} /> },
  labelled(
    "받는 사람",
    (row) =>
      row.status === "draft"
        ? MAILING_SOURCE_NAMES[row.source]
        : `${MAILING_SOURCE_NAMES[row.source]} ${formatCount(row.people)}명`,
    "tabular whitespace-nowrap",
  ),
  labelled(
    "방법",
    (row) => `${MESSAGE_CHANNEL_NAMES[row.channel]}${row.kind === "advertising" ? " · 광고" : ""}`,
    "whitespace-nowrap",
  ),
  labelled("담당자", (row) => row.createdUserName || "-", "whitespace-nowrap"),
  labelled("보낼 때", (row) => (row.sendDate ? <Time date={row.sendDate} format="datetime" /> : "-"), "text-sm"),
];

export default function MailingsPage({ loaderData: list }: Route.ComponentProps) {
  const say = useWords();
  return (
    <>
      <ConsoleHeader
        description={say(
          "{동문주소록:이나/나} 회원 목록에서 받을 사람을 찾거나 골라 '메일·문자 보내기'를 누르면 시작합니다. 쓰다 만 초안은 30일 뒤에 지워집니다.",
        )}
        links={[
          { label: say("{동문주소록}"), href: "/Alumni" },
          { label: "회원 관리", href: "/Admin/Members" },
        ]}
      />
      <PagedTable
        name="단체 메일·문자"
        path="/Admin/Mailings"
        list={list}
        columns={COLUMNS}
        keyOf={(row) => row.id}
        emptyText="보낸 것이 없습니다."
        className="md:min-w-[44rem]"
      />
    </>
  );
}

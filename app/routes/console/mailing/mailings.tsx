import { useWords } from "#app/lib/use-words.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import type { ListColumn } from "#app/features/list/searched-list.tsx";
import { PagedTable } from "#app/features/list/searched-table.tsx";
import { MailingStatusBadge } from "#app/features/mailing/mailing-status.tsx";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { Time } from "#app/ui/time.tsx";
import { listMailingsQuery } from "#worker/contract/mailing/input.ts";
import { MAILING_SOURCE_NAMES } from "#worker/contract/mailing/rules.ts";
import { listMailings } from "#worker/domain/mailing/mailing.server.ts";
import type { Route } from "./+types/mailings";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listMailingsQuery, (query) => listMailings(scope, query)),
);

export const meta = titledMeta("단체 메일", "관리");

const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["content"][number]>[] = [
  {
    head: "제목",
    renderCell: (row) => (
      <TextLink to={`/Admin/Mailings/${row.id}`} className="font-semibold break-words">
        {row.subject || "(제목 없음)"}
      </TextLink>
    ),
  },
  { head: "상태", renderCell: (row) => <MailingStatusBadge status={row.status} isScheduled={row.isScheduled} /> },
  {
    head: "받는 사람",
    label: true,
    className: "tabular whitespace-nowrap",
    renderCell: (row) =>
      row.status === "draft"
        ? MAILING_SOURCE_NAMES[row.source]
        : `${MAILING_SOURCE_NAMES[row.source]} ${formatCount(row.people)}명`,
  },
  {
    head: "종류",
    label: true,
    className: "whitespace-nowrap",
    renderCell: (row) => (row.kind === "advertising" ? "광고·홍보" : "업무 안내"),
  },
  { head: "작성자", label: true, className: "whitespace-nowrap", renderCell: (row) => row.createdUserName || "-" },
  {
    head: "보낼 때",
    label: true,
    className: "text-sm",
    renderCell: (row) => (row.sendDate ? <Time date={row.sendDate} format="datetime" /> : "-"),
  },
];

export default function MailingsPage({ loaderData: list }: Route.ComponentProps) {
  const say = useWords();
  return (
    <>
      <ConsoleHeader
        title="단체 메일"
        description={say(
          "{동문주소록:이나/나} 회원 목록에서 받을 사람을 찾거나 골라 '메일 보내기'를 누르면 시작합니다. 쓰다 만 초안은 30일 뒤에 지워집니다.",
        )}
        action={
          <>
            <ButtonLink size="sm" to="/Alumni">
              {say("{동문주소록}")}
            </ButtonLink>
            <ButtonLink size="sm" to="/Admin/Members">
              회원 관리
            </ButtonLink>
          </>
        }
      />
      <PagedTable
        name="단체 메일"
        path="/Admin/Mailings"
        list={list}
        columns={COLUMNS}
        keyOf={(row) => row.id}
        emptyText="보낸 단체 메일이 없습니다."
        className="md:min-w-[52rem]"
      />
    </>
  );
}

import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import type { ListColumn } from "#app/features/list/searched-list.tsx";
import { SearchedTable } from "#app/features/list/searched-table.tsx";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { MailingEditor } from "#app/features/mailing/mailing-editor.tsx";
import { MailingActions, MailingProgress } from "#app/features/mailing/mailing-progress.tsx";
import { RecipientStateBadge } from "#app/features/mailing/mailing-status.tsx";
import { TextMessagePreview } from "#app/features/mailing/text-message-preview.tsx";
import { formatCount } from "#app/lib/format.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { loadSearchedList } from "#app/lib/searched-list.server.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { Time } from "#app/ui/time.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { listRecipientsQuery } from "#worker/contract/mailing/input.ts";
import { MAILING_SOURCE_NAMES, RECIPIENT_STATE_NAMES } from "#worker/contract/mailing/rules.ts";
import type { MailingRecipientRow, MailingView } from "#worker/contract/mailing/view.ts";
import { getMailing, listMailingRecipients } from "#worker/domain/mailing/mailing.server.ts";
import type { Route } from "./+types/mailing";

export const loader = pageLoader(async (scope, { request, params }: Route.LoaderArgs) => {
  const { id } = readPagePath(idPath, params);
  const [mailing, recipients, { config }] = await Promise.all([
    getMailing(scope, id),
    loadSearchedList(request, listRecipientsQuery, (query) => listMailingRecipients(scope, id, query)),
    scope.context(),
  ]);
  return { mailing, recipients, origin: config.SITE_ORIGIN };
});

export const meta = titledMeta("단체 메일·문자", "관리");

const FILTERS = [
  {
    name: "state",
    label: "결과",
    options: Object.entries(RECIPIENT_STATE_NAMES).map(([value, label]) => ({ value, label })),
  },
] as const;

export default function MailingPage({ loaderData: { mailing, recipients, origin } }: Route.ComponentProps) {
  const who = MAILING_SOURCE_NAMES[mailing.source];
  const whom =
    mailing.chosen === null
      ? `${who}에서 찾은 사람 모두(${mailing.segment.join(" · ")})에게 보냅니다.`
      : `${who}에서 고른 ${formatCount(mailing.chosen)}명에게 보냅니다.`;
  return (
    <>
      <ConsoleHeader
        title={mailing.can.edit ? "단체 메일·문자 쓰기" : mailing.subject}
        parent={{ label: "단체 메일·문자", href: "/Admin/Mailings" }}
        description={mailing.can.edit ? whom : undefined}
        action={<MailingActions mailing={mailing} />}
      />
      {mailing.can.edit ? (
        <MailingEditor key={mailing.id} mailing={mailing} />
      ) : (
        <>
          <MailingProgress mailing={mailing} />
          <ConsoleSection title="받는 사람">
            <SearchedTable
              name="받는 사람"
              path={`/Admin/Mailings/${mailing.id}`}
              fields={FILTERS}
              list={recipients}
              filterClassName="md:grid-cols-3"
              table={{
                columns: recipientColumns(mailing),
                keyOf: (row) => row.personId,
                emptyText: "조건에 맞는 사람이 없습니다.",
              }}
            />
          </ConsoleSection>
          <ConsoleSection title="보낸 글">
            {mailing.channel === "email" ? (
              <MessagePreview subject={mailing.subject} text={mailing.text} origin={origin} />
            ) : (
              <TextMessagePreview channel={mailing.channel} text={mailing.text} />
            )}
          </ConsoleSection>
        </>
      )}
    </>
  );
}

const recipientColumns = ({ source, channel }: MailingView): ListColumn<MailingRecipientRow>[] => [
  {
    head: "이름",
    className: "max-md:font-semibold",
    renderCell: (row) => {
      if (row.name === "") return <span className="text-gray-60">삭제된 사람</span>;
      return source === "member" ? <TextLink to={`/Admin/Members/${row.personId}`}>{row.name}</TextLink> : row.name;
    },
  },
  {
    head: channel === "email" ? "이메일" : "휴대전화",
    label: true,
    className: "break-all",
    renderCell: (row) => row.address || "-",
  },
  { head: "결과", renderCell: (row) => <RecipientStateBadge state={row.state} cause={row.cause} /> },
  {
    head: "때",
    label: true,
    className: "text-sm",
    renderCell: (row) => <Time date={row.stateDate} format="datetime" />,
  },
];

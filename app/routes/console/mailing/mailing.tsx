import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, SearchedTable } from "#app/features/list/searched-list.tsx";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { MailingEditor } from "#app/features/mailing/mailing-editor.tsx";
import { MailingStatusBadge, RecipientAddress, RecipientStateBadge } from "#app/features/mailing/mailing-status.tsx";
import { TextMessagePreview } from "#app/features/mailing/text-message-preview.tsx";
import { formatCount } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { listRecipientsQuery } from "#worker/contract/mailing/input.ts";
import {
  MAILING_CAUSE_NAMES,
  MAILING_SOURCE_NAMES,
  type MailingRecipientRow,
  RECIPIENT_FILTERS as FILTERS,
  RECIPIENT_STATE_NAMES,
  RECIPIENT_STATES,
} from "#worker/contract/mailing/mailing.ts";
import { getMailing, listMailingRecipients, type MailingView } from "#worker/domain/mailing/mailing.server.ts";
import type { Route } from "./+types/mailing";
import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { type Question, QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { ProgressBar } from "#app/ui/progress.tsx";
import { MESSAGE_CHANNEL_NAMES } from "#worker/contract/mail/mail.ts";

export const loader = pageLoader(async (scope, { request, params }: Route.LoaderArgs) => {
  const { id } = readPagePath(idPath, params);
  const [mailing, recipients, { config }] = await Promise.all([
    getMailing(scope, id),
    loadSearchedList(request, listRecipientsQuery, (query) => listMailingRecipients(scope, id, query)),
    scope.context(),
  ]);
  return { mailing, recipients, origin: config.SITE_ORIGIN };
});

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
  labelled(
    channel === "email" ? "이메일" : "휴대전화",
    (row) => <RecipientAddress person={row} source={source} />,
    "break-all",
  ),
  { head: "결과", renderCell: (row) => <RecipientStateBadge state={row.state} cause={row.cause} /> },
  labelled("때", (row) => <Time date={row.stateDate} format="datetime" />, "text-sm"),
];

const REFRESH_MS = 10_000;

/** Refreshes while the mailing is being sent. */
function MailingProgress({ mailing }: { mailing: MailingView }) {
  const { revalidate } = useRevalidator();
  const { status } = mailing;
  useEffect(() => {
    if (status !== "sending") return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [status, revalidate]);
  const countOf = (state: (typeof RECIPIENT_STATES)[number]) =>
    mailing.counts.filter((each) => each.state === state).reduce((sum, { count }) => sum + count, 0);
  const all = RECIPIENT_STATES.filter((state) => state !== "left").reduce((sum, state) => sum + countOf(state), 0);
  const open = countOf("waiting") + countOf("queued");
  const causes = mailing.counts.filter(({ state, cause }) => state === "left" && cause !== "");
  return (
    <>
      {status === "sending" && all > 0 && (
        <div className="mb-6">
          <p role="status" className="tabular mb-2 font-semibold">
            {formatCount(all)}명 가운데 {formatCount(all - open)}명을 마쳤습니다.
          </p>
          <ProgressBar label="보내는 중" value={Math.round(((all - open) / all) * 100)} />
          <p className="mt-2 text-sm text-gray-60">이 화면을 떠나셔도 계속 보냅니다.</p>
        </div>
      )}
      <DescriptionList
        items={[
          ["상태", <MailingStatusBadge key="status" status={status} isScheduled={mailing.isScheduled} />],
          ["보낼 때", mailing.sendDate ? <Time key="send" date={mailing.sendDate} format="datetime" /> : "-"],
          ["방법", MESSAGE_CHANNEL_NAMES[mailing.channel]],
          ["담당자", mailing.createdUserName || "-"],
          ...(mailing.attachment
            ? [["첨부파일", `${mailing.attachment.fileName} (${formatBytes(mailing.attachment.size)})`] as const]
            : []),
          ...(mailing.asked
            ? [
                [
                  "질문",
                  <span key="question">
                    {mailing.asked.text}{" "}
                    <TextLink to={`/Admin/Mailings/${mailing.asked.mailingId}/answers`}>답 보기</TextLink>
                  </span>,
                ] as const,
              ]
            : []),
          ["사유", mailing.reason],
          [
            "결과",
            <ul key="counts" className="tabular flex flex-wrap gap-x-5 gap-y-1">
              {RECIPIENT_STATES.filter((state) => countOf(state) > 0).map((state) => (
                <li key={state}>
                  {RECIPIENT_STATE_NAMES[state]} <strong>{formatCount(countOf(state))}</strong>명
                </li>
              ))}
            </ul>,
          ],
          ...(causes.length > 0
            ? [
                [
                  "제외한 사유",
                  <ul key="causes" className="tabular flex flex-wrap gap-x-5 gap-y-1">
                    {causes.map(({ cause, count }) => (
                      <li key={cause}>
                        {cause && MAILING_CAUSE_NAMES[cause]} {formatCount(count)}명
                      </li>
                    ))}
                  </ul>,
                ] as const,
              ]
            : []),
        ]}
      />
    </>
  );
}

function MailingActions({ mailing }: { mailing: MailingView }) {
  const { id, version, can } = mailing;
  const calls = api.admin.mailing[":id"];
  const cancel: Question = {
    label: "발송 취소",
    title: "아직 보내지 않은 발송을 취소하시겠습니까?",
    text: <p>이미 받은 사람에게서는 되돌릴 수 없습니다.</p>,
    danger: true,
    work: () => callApi(calls.cancel.$post({ param: { id }, json: { version } })),
    done: "발송을 취소하였습니다.",
  };
  const done = ({ count }: { count: number }) => `${formatCount(count)}명에게 다시 보내기 시작하였습니다.`;
  const hasFailed = mailing.counts.some(({ state }) => state === "failed");
  const hasUnknown = mailing.counts.some(({ state }) => state === "unknown");
  const resendUnknown: Question<{ count: number }> = {
    label: "확인 안 된 사람에게도 다시 보내기",
    title: "받았는지 모르는 사람에게도 다시 보내시겠습니까?",
    text: (
      <p>
        발송 서비스가 끝내 응답하지 않아 받았는지 알 수 없는 사람들입니다. 이미 받은 사람은 두 번 받게 됩니다. 발송
        서비스의 기록을 먼저 확인해 주십시오.
      </p>
    ),
    danger: true,
    reasonHint: REASON_HINT,
    work: (reason) => callApi(calls.resend.$post({ param: { id }, json: { version, reason, isUnknownToo: true } })),
    done,
  };
  const resend: Question<{ count: number }> = {
    label: "실패한 사람에게 다시 보내기",
    title: "보내지 못한 사람에게 다시 보내시겠습니까?",
    text: mailing.channel === "email" && (
      <p>메일 서비스가 응답하지 않아 실패한 것이면 드물게 두 번 받는 사람이 있을 수 있습니다.</p>
    ),
    reasonHint: REASON_HINT,
    work: (reason) => callApi(calls.resend.$post({ param: { id }, json: { version, reason } })),
    done,
  };
  const remove: Question = {
    label: "초안 삭제",
    title: "이 초안을 지우시겠습니까?",
    danger: true,
    reloads: "never",
    work: () => callApi(calls.$delete({ param: { id }, query: { version: String(version) } })),
    done: "초안을 지웠습니다.",
    onDone: () => location.assign("/Admin/Mailings"),
  };
  return (
    <>
      {can.cancel && <QuestionButton question={cancel} />}
      {can.resend && hasFailed && <QuestionButton question={resend} />}
      {can.resend && hasUnknown && <QuestionButton question={resendUnknown} />}
      {can.edit && <QuestionButton question={remove} />}
    </>
  );
}

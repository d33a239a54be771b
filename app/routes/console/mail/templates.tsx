import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { useWords } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { MAIL_TEMPLATES, type MailTemplateKind } from "#worker/contract/mail/templates.ts";
import { type DueConsents, listDueConsents } from "#worker/domain/member/consent-reminder.server.ts";
import { listMailTemplates } from "#worker/domain/mail/template.server.ts";
import type { Route } from "./+types/templates";
import { Link } from "react-router";
import { type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [templates, due] = await Promise.all([listMailTemplates(scope), listDueConsents(scope)]);
  return { templates, due };
});

const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["templates"][number]>[] = [
  {
    head: "이름",
    className: "whitespace-nowrap",
    renderCell: ({ kind }) => (
      <TextLink to={`/Admin/MailTemplates/${kind}`} className="font-semibold">
        {MAIL_TEMPLATES[kind].name}
      </TextLink>
    ),
  },
  { head: "보내는 때", className: "text-sm", renderCell: ({ kind }) => <SendingMoment kind={kind} /> },
  {
    head: "문구",
    className: "text-sm whitespace-nowrap",
    renderCell: ({ isChanged, modifiedDate }) => (
      <>
        {isChanged ? <Badge tone="primary">고침</Badge> : <span className="text-gray-60">처음 문구</span>}
        {modifiedDate && (
          <span className="ml-2 text-gray-60">
            <Time date={modifiedDate} />
          </span>
        )}
      </>
    ),
  },
];

function SendingMoment({ kind }: { kind: MailTemplateKind }) {
  const say = useWords();
  return say(MAIL_TEMPLATES[kind].when);
}

export default function MailTemplatesPage({ loaderData: { templates, due } }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="저절로 나가는 메일과 문자의 제목과 본문입니다. 고치지 않은 것은 처음 문구 그대로 나갑니다." />
      <ConsoleSection title="문구">
        <ListTable
          caption="메일 문구"
          columns={COLUMNS}
          rows={templates}
          keyOf={({ kind }) => kind}
          className="md:min-w-[40rem]"
          rowClassName="hover:bg-gray-5"
        />
      </ConsoleSection>
      <DueConsentsSection due={due} />
    </>
  );
}

const DUE_COLUMNS: ListColumn<DueConsents["people"][number]>[] = [
  { head: "이름", className: "max-md:font-semibold", renderCell: (person) => person.userName },
  { head: "이메일", renderCell: (person) => person.email },
  labelled("동의한 날", (person) => <Time date={person.consentDate} />),
  labelled("마지막으로 알린 날", (person) => (person.confirmedDate ? <Time date={person.confirmedDate} /> : "-")),
];
const LINK = "inline-flex min-h-6 items-center text-primary-70 underline underline-offset-4";

/** The law requires a reminder two years after consent to advertising. */
function DueConsentsSection({ due }: { due: DueConsents }) {
  const { busy, run, message } = useAction();
  const question: Question = {
    label: "보내기",
    title: `회원 ${formatCount(Math.min(due.count, 500))}명에게 확인 메일을 보내시겠습니까?`,
    text: <p>동의한 날과 그만 받는 방법을 알리는 메일입니다. 한 번에 500명까지 보냅니다.</p>,
    work: () => callApi(api.admin.consent.remind.$post({ json: {} })),
    done: "수신 동의 확인 메일을 보냈습니다.",
  };
  const setAutomatic = (automatic: boolean) =>
    run(
      () => callApi(api.admin.consent.setting.$patch({ json: { automatic, version: due.version } })),
      automatic ? "이제 저절로 보냅니다." : "이제 저절로 보내지 않습니다.",
    );
  return (
    <ConsoleSection
      title="광고성 메일 수신 동의 확인"
      action={
        due.count > 0 && (
          <QuestionButton question={question} variant="primary">
            확인 메일 보내기
          </QuestionButton>
        )
      }
    >
      <p className="max-w-2xl text-gray-60">
        소식지 수신에 동의한 분께는 2년마다 동의한 사실을 알려야 합니다(정보통신망법 제50조 제8항).
      </p>
      <Checkbox
        className="mb-3"
        label="때가 되면 예약 작업이 저절로 보내기(오전 8시에서 오후 9시 사이)"
        checked={due.automatic}
        disabled={busy}
        onChange={(event) => void setAutomatic(event.target.checked)}
      />
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      {due.count === 0 ? (
        <p>지금 확인 메일을 보낼 회원이 없습니다.</p>
      ) : (
        <>
          <p className="tabular mb-3">
            확인할 때가 된 회원 <strong>{formatCount(due.count)}명</strong>
            {due.count > due.people.length && <span> · 오래된 순으로 {due.people.length}명을 보입니다.</span>}
          </p>
          <ListTable
            caption="수신 동의를 확인할 회원"
            columns={DUE_COLUMNS}
            rows={due.people}
            keyOf={(person) => `${person.email} ${person.consentDate}`}
            className="md:min-w-[32rem]"
          />
        </>
      )}
      {due.sent.length > 0 && (
        <>
          <h3 className="mt-6 mb-2 font-semibold">최근에 보낸 확인 메일</h3>
          <ul className="tabular max-w-md divide-y divide-gray-20 border-y border-gray-20">
            {due.sent.map(({ sentDate, count }) => (
              <li key={sentDate} className="flex justify-between gap-4 py-2.5">
                <Time date={sentDate} format="datetime" />
                <span>{formatCount(count)}명</span>
              </li>
            ))}
          </ul>
          <p className="mt-3 flex flex-wrap gap-x-5 text-sm">
            <Link to="/Admin/Audit?action=consent.remind" className={LINK}>
              누구에게 보냈는지 보기
            </Link>
            <Link to="/Admin/Messages" className={LINK}>
              메일·문자 기록
            </Link>
          </p>
        </>
      )}
    </ConsoleSection>
  );
}

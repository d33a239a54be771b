import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { labelled, type ListColumn, SearchedTable } from "#app/features/list/searched-list.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { listAnswersQuery } from "#worker/contract/mailing/input.ts";
import { answerFilters, NO_ANSWER_NAME } from "#worker/contract/mailing/question.ts";
import { type AnswersView, getAnswers, listAnswers } from "#worker/domain/mailing/answers.server.ts";
import { useNavigate } from "react-router";
import type { Route } from "./+types/answers";

export const loader = pageLoader(async (scope, { request, params }: Route.LoaderArgs) => {
  const { id } = readPagePath(idPath, params);
  const [asked, people] = await Promise.all([
    getAnswers(scope, id),
    loadSearchedList(request, listAnswersQuery, (query) => listAnswers(scope, id, query)),
  ]);
  return { asked, people };
});

export default function AnswersPage({ loaderData: { asked, people } }: Route.ComponentProps) {
  const path = `/Admin/Mailings/${asked.id}/answers`;
  const { question, counts, waiting } = asked;
  const places = [
    ...question.answers.map((name, at) => ({ name, word: String(at + 1), count: counts[at] ?? 0 })),
    { name: NO_ANSWER_NAME, word: "none", count: waiting },
  ];
  return (
    <>
      <ConsoleHeader
        title="질문의 답"
        parent={{ label: asked.subject || "단체 메일·문자", href: `/Admin/Mailings/${asked.id}` }}
        action={<AnswersActions asked={asked} />}
      />
      <DescriptionList
        items={[
          ["질문", question.text],
          [
            "답받는 기간",
            asked.answerUntil ? (
              <span key="until">
                {formatDateTime(asked.answerUntil)}까지{!asked.can.close && " (지금은 받지 않음)"}
              </span>
            ) : (
              "정하지 않음"
            ),
          ],
          ["물은 사람", `${formatCount(asked.asked)}명`],
          [
            "답",
            <ul key="counts" className="tabular flex flex-wrap gap-x-5 gap-y-1">
              {places.map(({ name, word, count }) => (
                <li key={word}>
                  <TextLink to={`${path}?answer=${word}`}>{name}</TextLink> <strong>{formatCount(count)}</strong>명
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      <ConsoleSection title="답한 사람과 답하지 않은 사람">
        <SearchedTable
          name="질문의 답"
          unit="명"
          path={path}
          fields={answerFilters(question)}
          list={people}
          filterClassName="md:grid-cols-3"
          table={{
            columns: columnsOf(asked),
            keyOf: (row) => row.personId,
            emptyText: "조건에 맞는 사람이 없습니다.",
          }}
        />
      </ConsoleSection>
    </>
  );
}

type PersonRow = Route.ComponentProps["loaderData"]["people"]["content"][number];

const columnsOf = ({ source, question }: AnswersView): ListColumn<PersonRow>[] => [
  {
    head: "이름",
    className: "max-md:font-semibold",
    renderCell: ({ name, personId }) => {
      if (name === "") return <span className="text-gray-60">삭제된 사람</span>;
      return source === "member" ? <TextLink to={`/Admin/Members/${personId}`}>{name}</TextLink> : name;
    },
  },
  ...(source === "alumni"
    ? [labelled<PersonRow>("기수", ({ cohort }) => (cohort === null ? "-" : `${cohort}기`), "whitespace-nowrap")]
    : []),
  labelled("답", ({ answer }) =>
    answer === null ? <span className="text-gray-60">{NO_ANSWER_NAME}</span> : question.answers[answer - 1],
  ),
  labelled(
    "답한 때",
    ({ answeredDate }) => (answeredDate ? <Time date={answeredDate} format="datetime" /> : "-"),
    "text-sm",
  ),
];

function AnswersActions({ asked }: { asked: AnswersView }) {
  const { id, version, can } = asked;
  const calls = api.admin.mailing[":id"].question;
  const navigate = useNavigate();
  const { busy, run } = useToastedAction();
  const remind = () =>
    run(async () => {
      const draft = await callApi(calls.reminder.$put({ param: { id }, json: { version }, header: ONCE }));
      await navigate(`/Admin/Mailings/${draft.id}`);
    }, null);
  const close: Question = {
    label: "답받기 마감",
    title: "답을 그만 받으시겠습니까?",
    text: <p>이미 보낸 주소로는 아무도 답하거나 답을 바꿀 수 없게 됩니다. 받은 답은 그대로 있습니다.</p>,
    danger: true,
    work: () => callApi(calls.close.$post({ param: { id }, json: { version } })),
    done: "답받기를 마감하였습니다.",
  };
  return (
    <>
      {can.remind && (
        <Button size="sm" variant="primary" busy={busy} onClick={() => void remind()}>
          답하지 않은 사람에게 다시 묻기
        </Button>
      )}
      <ExportButton
        object="질문의 답을"
        disabled={asked.asked === 0}
        request={(json) => calls.export.$post({ param: { id }, json })}
      />
      {can.close && <QuestionButton question={close} />}
    </>
  );
}

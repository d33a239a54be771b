import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { RoundStatusBadge } from "#app/features/mailing/round-status.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { ProgressBar } from "#app/ui/progress.tsx";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { ROUND_OUTCOME_NAMES, ROUND_OUTCOMES, type RoundOutcome } from "#worker/contract/mailing/round.ts";
import type { RoundView } from "#worker/domain/mailing/round-figures.server.ts";

const WAVE_NAMES = ["처음 보낸 메일", "첫 번째 알림", "두 번째 알림"];
/** Outcomes of people who were asked. */
const ASKED: readonly RoundOutcome[] = ["confirmed", "changed", "waiting"];

const sumOf = (counts: RoundView["cohorts"][number]["counts"], outcomes: readonly RoundOutcome[]) =>
  outcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);

export function RoundProgress({ round }: { round: RoundView }) {
  const total = (outcomes: readonly RoundOutcome[]) =>
    round.cohorts.reduce((sum, { counts }) => sum + sumOf(counts, outcomes), 0);
  const [asked, answered] = [total(ASKED), total(["confirmed", "changed"])];
  return (
    <>
      {asked > 0 && (
        <div className="mb-6">
          <p role="status" className="tabular mb-2 font-semibold">
            {formatCount(asked)}명 가운데 {formatCount(answered)}명이 답하였습니다.
          </p>
          <ProgressBar label="답한 사람" value={Math.round((answered / asked) * 100)} />
        </div>
      )}
      <DescriptionList
        items={[
          ["상태", <RoundStatusBadge key="status" status={round.status} />],
          [
            "기간",
            <span key="period">
              <Time date={round.startDate ?? round.createdDate} /> ~ {round.endDate && <Time date={round.endDate} />}
            </span>,
          ],
          ["다음 알림", round.nextDate ? <Time key="next" date={round.nextDate} /> : "없음"],
          ["물은 사람", round.chosen === null ? round.segment.join(" · ") : `고른 ${formatCount(round.chosen)}명`],
          [
            "다음 해에 다시",
            round.repeatDate ? (
              <span key="repeat">
                <Time date={round.repeatDate} />에 {round.segment.join(" · ")}
              </span>
            ) : (
              "하지 않음"
            ),
          ],
          ["시작한 사람", round.createdUserName || "-"],
          ["사유", round.reason],
          [
            "보낸 메일",
            <ul key="mailings" className="flex flex-wrap gap-x-5 gap-y-1">
              {round.mailings.map(({ id, wave }) => (
                <li key={id}>
                  <TextLink to={`/Admin/Mailings/${id}`}>{WAVE_NAMES[wave]}</TextLink>
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
    </>
  );
}

type CohortRow = RoundView["cohorts"][number];

export function RoundCohorts({ round }: { round: RoundView }) {
  const href = (cohort: number | null, outcome: RoundOutcome) =>
    `/Admin/Rounds/${round.id}?${new URLSearchParams({ outcome, ...(cohort === null ? {} : { cohort: String(cohort) }) })}#people`;
  const columns: ListColumn<CohortRow>[] = [
    {
      head: "기수",
      className: "max-md:font-semibold whitespace-nowrap",
      renderCell: ({ cohort }) => (cohort === null ? "기수 없음" : `${cohort}기`),
    },
    ...ROUND_OUTCOMES.map((outcome): ListColumn<CohortRow> => ({
      head: ROUND_OUTCOME_NAMES[outcome],
      label: true,
      // Phone cards hide zeros, which would fill most of the page.
      className: "tabular whitespace-nowrap md:text-right max-md:has-[[data-none]]:hidden",
      headClassName: "md:text-right whitespace-nowrap",
      renderCell: ({ cohort, counts }) => {
        const count = counts[outcome] ?? 0;
        return count > 0 ? (
          <TextLink to={href(cohort, outcome)}>{formatCount(count)}</TextLink>
        ) : (
          <span data-none>0</span>
        );
      },
    })),
  ];
  return (
    <ListTable
      caption="기수별 결과"
      columns={columns}
      rows={round.cohorts}
      keyOf={({ cohort }) => cohort ?? -1}
      emptyText="받는 사람이 없습니다."
    />
  );
}

export function RoundActions({ round }: { round: RoundView }) {
  const { id, version, can } = round;
  const calls = api.admin.round[":id"];
  const param = { id };
  const close: Question = {
    label: "끝내기",
    title: "이 확인 요청을 끝내시겠습니까?",
    text: <p>더 알리지 않으며, 이미 보낸 주소로는 아무도 답할 수 없게 됩니다.</p>,
    danger: true,
    work: () => callApi(calls.close.$post({ param, json: { version } })),
    done: "확인 요청을 끝냈습니다.",
  };
  const repeats = round.repeatDate === null;
  const repeat: Question = {
    label: repeats ? "해마다 하기" : "해마다 하기 그만두기",
    title: repeats ? "해마다 같은 사람들에게 다시 물으시겠습니까?" : "해마다 다시 묻지 않으시겠습니까?",
    text: (
      <p>
        {repeats
          ? "시작한 날과 같은 날에, 그때 조건에 맞는 사람에게 저절로 묻습니다."
          : "이미 시작한 요청은 그대로 갑니다."}
        <br />
        조건: {round.segment.join(" · ")}
      </p>
    ),
    work: () => callApi(calls.repeat.$post({ param, json: { version, repeats } })),
    done: repeats ? "해마다 다시 묻습니다." : "다시 묻지 않습니다.",
  };
  const remove: Question = {
    label: "초안 삭제",
    title: "이 초안을 지우시겠습니까?",
    danger: true,
    reloads: "never",
    work: () => callApi(calls.$delete({ param, query: { version: String(version) } })),
    done: "초안을 지웠습니다.",
    onDone: () => location.assign("/Admin/Rounds"),
  };
  return (
    <>
      {can.repeat && <QuestionButton question={repeat} />}
      {can.close && <QuestionButton question={close} />}
      {can.start && <QuestionButton question={remove} />}
    </>
  );
}

import { Form, useNavigate } from "react-router";
import { FixedLists } from "#app/features/alumni/dues/fixed-lists.tsx";
import { undoUntilText } from "#app/features/alumni/undo-deed.ts";
import { QuestionButton } from "#app/features/form/action.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { PrintButton } from "#app/features/form/print-button.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { RowControls } from "#app/features/form/row-fields.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { votersQuery } from "#worker/contract/alumni/dues/due-input.ts";
import { DUE_LIMITS, LISTED_STATE_LABELS, type ListedState, namesById } from "#worker/contract/alumni/dues/dues.ts";
import { choice, line, moment } from "#worker/contract/kernel/row.ts";
import { getDueFigures, listVoters, type Voter } from "#worker/domain/alumni/dues/due.server.ts";
import type { Route } from "./+types/voters";

/** Without a choice the list of now, of the newest year and the first kind. */
export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const { at = "", ...rest } = Object.fromEntries(new URL(request.url).searchParams);
  const time = Date.parse(`${at}:00+09:00`);
  const sent = votersQuery.safeParse({ ...rest, at: Number.isNaN(time) ? "" : new Date(time).toISOString() }).data ?? {
    isVoters: true,
  };
  const figures = await getDueFigures(scope, {});
  const { kinds, year } = figures;
  const asked = { ...sent, period: sent.period ?? year, kindId: sent.kindId ?? kinds[0]?.id };
  const voters = asked.listId || asked.kindId ? await listVoters(await scope.context(), asked) : [];
  return { figures, voters, asked: { ...asked, at: asked.at?.toISOString() } };
});

export default function VotersPage({ loaderData: { figures, voters, asked } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { kinds, lists, date } = figures;
  const { period, kindId = "", lifeKindId = "", listId, at = date } = asked;
  const fixed = lists.find(({ id }) => id === listId);
  const count = voters.length;
  const kindNames = namesById(kinds);
  const controls = {
    period: line("연도", { max: DUE_LIMITS.period }),
    kindId: choice("회비 종류", kindNames, kindId),
    lifeKindId: choice("평생회비", kindNames, "", { placeholder: "없음" }),
    at: moment("기준 시각"),
  };
  const sent = { period, kindId, lifeKindId, at, isVoters: true };
  return (
    <>
      <ConsoleHeader
        action={
          <>
            <ExportButton
              object="선거인 명부를"
              disabled={count === 0}
              request={(json) => api.admin.due.export.$post({ json: { ...json, ...sent, listId } })}
            />
            {!listId && (
              <QuestionButton
                size="sm"
                disabled={count === 0}
                question={{
                  label: "명부 확정",
                  title: `${formatCount(count)}명의 선거인 명부를 확정하시겠습니까?`,
                  text: (
                    <p>
                      그 뒤에 들어오거나 고친 회비와 상태는 확정한 명부를 바꾸지 않습니다. {DUE_LIMITS.undoDays}일 동안
                      되돌릴 수 있습니다.
                    </p>
                  ),
                  work: async () => {
                    const { id } = await callApi(
                      api.admin.due["paid-by"].$put({ json: { ...sent, count }, header: ONCE }),
                    );
                    void navigate(`?listId=${id}`);
                  },
                  done: () => `${formatCount(count)}명의 명부를 확정하였습니다. ${undoUntilText(DUE_LIMITS.undoDays)}`,
                }}
              />
            )}
            <PrintButton />
          </>
        }
      />
      <Form
        key={`${period} ${kindId} ${lifeKindId} ${asked.at}`}
        method="get"
        className="mb-4 grid items-end gap-3 rounded-lg bg-gray-5 p-4 md:grid-cols-5 print:hidden"
      >
        <RowControls fields={controls} values={{ period, kindId, lifeKindId, at: asked.at ?? "" }} errors={{}} />
        <Button type="submit">보기</Button>
      </Form>
      <p className="mb-3">
        <strong className="font-semibold">
          {fixed
            ? `${fixed.name}, ${formatDateTime(fixed.createdDate)} 확정`
            : [`${period} ${kindNames[kindId] ?? ""}`.trim(), `${formatDateTime(at)} 기준`].filter(Boolean).join(", ")}
        </strong>{" "}
        · 모두 {formatCount(count)}명 ({groundsText(voters)})
      </p>
      <div className="printed-columns">
        <ListTable
          caption="선거인 명부"
          columns={COLUMNS}
          rows={voters.map((voter, nth) => ({ ...voter, number: nth + 1 }))}
          keyOf={({ alumniId }) => alumniId}
          emptyText="기준 시각에 투표할 수 있는 사람이 없습니다. 회비의 연도와 종류를 확인해 주십시오."
        />
      </div>
      <FixedLists lists={lists.filter(({ kind }) => kind === "voters")} />
    </>
  );
}

const GROUNDS = ["paid", "exempt", "life"] as const satisfies readonly ListedState[];

const groundsText = (voters: readonly Voter[]): string =>
  GROUNDS.map(
    (ground) =>
      `${LISTED_STATE_LABELS[ground]} ${formatCount(voters.filter(({ state }) => state === ground).length)}명`,
  ).join(", ");

const COLUMNS: ListColumn<Voter & { number: number }>[] = [
  labelled("번호", ({ number }) => formatCount(number)),
  labelled("이름", ({ name }) => name),
  labelled("기수", ({ cohort }) => (cohort === null ? "" : `${cohort}기`)),
  labelled("근거", ({ state }) => LISTED_STATE_LABELS[state]),
];

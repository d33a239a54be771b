import { CorrectionStateBadge } from "#app/features/alumni/cohort/correction-state.tsx";
import { QuestionButton, REASON_HINT } from "#app/features/form/question.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Card } from "#app/ui/card.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { Time } from "#app/ui/time.tsx";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import type { CorrectionRow } from "#worker/contract/alumni/representative.ts";

export function CorrectionQueue({
  corrections,
  emptyText,
}: {
  corrections: readonly CorrectionRow[];
  emptyText: string;
}) {
  if (corrections.length === 0) return <Empty className="border-y border-gray-20">{emptyText}</Empty>;
  return (
    <ul className="grid gap-4">
      {corrections.map((row) => (
        <li key={row.id}>
          <CorrectionCard row={row} />
        </li>
      ))}
    </ul>
  );
}

function CorrectionCard({ row }: { row: CorrectionRow }) {
  const { personName, personId, cohort, userName, state, fields, note, answer, createdDate, decidedDate } = row;
  const isWaiting = state === "waiting";
  return (
    <Card className="p-4 md:p-5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-lg font-bold">
          {personName ? (
            <TextLink to={`/Alumni?${new URLSearchParams({ keyword: personName, person: personId })}`}>
              {personName}
            </TextLink>
          ) : (
            "주소록에 없는 사람"
          )}
        </h3>
        <span className="text-gray-70">{cohort}기</span>
        <CorrectionStateBadge state={state} />
        <span className="tabular text-sm text-gray-60">
          {userName || "탈퇴한 회원"} · <Time date={createdDate} />
          {decidedDate && (
            <>
              {" → "}
              <Time date={decidedDate} />
            </>
          )}
        </span>
      </div>
      {isWaiting ? (
        <Changes row={row} />
      ) : (
        <p className="mt-2 text-gray-70">{fields.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", ")}</p>
      )}
      {note && <p className="mt-3 text-gray-80">알게 된 경위: {note}</p>}
      {answer && <p className="mt-2 text-gray-80">돌려보낸 사유: {answer}</p>}
      {row.accountName && (
        <Alert tone="warning" className="mt-3">
          {row.accountName} 회원이 이 이메일로 로그인합니다. 반영하면 그 회원이 이 사람의 정보를 보고 고칠 수 있습니다.
        </Alert>
      )}
      {isWaiting && <Decision row={row} />}
    </Card>
  );
}

function Changes({ row: { changes } }: { row: CorrectionRow }) {
  return (
    <dl className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="grid gap-x-4 py-2 md:grid-cols-[8rem_1fr_1fr]">
          <dt className="font-semibold">{ALUMNI_COLUMN_LABELS[field]}</dt>
          <dd className="break-all text-gray-70">
            <span className="mr-2 text-sm text-gray-60">지금</span>
            {before || "-"}
          </dd>
          <dd className="break-all text-gray-90">
            <span className="mr-2 text-sm text-gray-60">알려 온 값</span>
            {before === after ? "같음" : after}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Decision({ row: { id, personName, version } }: { row: CorrectionRow }) {
  const name = personName || "이 사람";
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {personName && (
        <QuestionButton
          variant="primary"
          question={{
            label: "반영",
            title: `${name}님의 정보를 알려 온 값으로 고치시겠습니까?`,
            text: "그 사람에게 고친 항목을 메일로 알립니다.",
            work: () => callApi(api.admin.correction[":id"].accept.$post({ param: { id }, json: { version } })),
            done: "주소록에 반영하였습니다.",
          }}
        >
          반영<span className="sr-only">: {name}</span>
        </QuestionButton>
      )}
      <QuestionButton
        question={{
          label: "돌려보내기",
          title: `${name}님의 수정 요청을 돌려보내시겠습니까?`,
          reasonHint: `기수 대표가 읽으며, ${REASON_HINT}`,
          work: (reason) => callApi(api.admin.correction[":id"].refuse.$post({ param: { id }, json: { reason } })),
          done: "수정 요청을 돌려보냈습니다.",
        }}
      >
        돌려보내기<span className="sr-only">: {name}</span>
      </QuestionButton>
    </div>
  );
}

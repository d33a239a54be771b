import { Link } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { labelled, type ListColumn, SearchedTable } from "#app/features/list/searched-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { searchedListLoader } from "#app/lib/page-loader.server.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { SECOND_FACTOR_KINDS, type SecondFactorRow } from "#worker/contract/account/second-factor.ts";
import { listSecondFactorsQuery } from "#worker/contract/account/second-factor-input.ts";
import { choice } from "#worker/contract/kernel/row.ts";
import { listSecondFactors } from "#worker/domain/account/second-factor/factor.server.ts";
import type { Route } from "./+types/second-factor";

export const loader = searchedListLoader(listSecondFactorsQuery, listSecondFactors);

const FILTERS = {
  show: choice("보기", { missing: "등록해야 하는데 하지 않은 사람" }, undefined, {
    placeholder: "등록하였거나 등록해야 하는 사람",
  }),
};

const COLUMNS: ListColumn<SecondFactorRow>[] = [
  {
    head: "이름",
    renderCell: (row) => (
      <Link to={`/Admin/Members/${row.userId}`} className="font-semibold underline underline-offset-4">
        {row.userName}
      </Link>
    ),
  },
  labelled("역할", (row) => row.roleName),
  labelled("등록한 수단", (row) =>
    row.kinds.length > 0 ? (
      row.kinds.map((kind) => SECOND_FACTOR_KINDS[kind]).join(", ")
    ) : (
      <Badge tone={row.isRequired ? "warning" : "gray"}>없음</Badge>
    ),
  ),
  labelled("복구 코드", (row) => (row.kinds.length > 0 ? `${row.recoveryCodesLeft}개` : "–")),
  labelled(
    "마지막 사용",
    (row) => (row.lastUsedDate ? <Time date={row.lastUsedDate} format="datetime" /> : "–"),
    "text-sm",
  ),
];

export default function SecondFactorListPage({ loaderData: list }: Route.ComponentProps) {
  const { missingCount, isEnforced } = list;
  const { busy, run, message } = useAction();
  const cancel = (row: SecondFactorRow) =>
    void run(
      () => callApi(api.admin["second-factor"][":id"].recovery.$delete({ param: { id: row.userId } })),
      "복구를 취소하였습니다.",
    );
  return (
    <>
      <ConsoleHeader description="관리 화면, 내보내기, 가져오기 권한이 있는 사람은 2단계 인증을 등록해야 그 권한을 쓸 수 있습니다. 누가 무엇을 등록하였는지 봅니다." />
      {!isEnforced && (
        <Alert tone="warning" className="mb-4">
          지금은 2단계 인증을 등록하지 않아도 관리 권한을 쓸 수 있게 되어 있습니다. 시험할 때 쓰는 설정이므로, 실제로
          운영하는 사이트에서 이 안내가 보이면 사이트를 설치한 분께 알려 주십시오.
        </Alert>
      )}
      {missingCount > 0 && (
        <Alert tone="warning" className="mb-4">
          등록해야 하는데 아직 하지 않은 사람이 {formatCount(missingCount)}명 있습니다.
        </Alert>
      )}
      <ErrorAlert className="mb-4">{message}</ErrorAlert>
      <SearchedTable
        name="2단계 인증 현황"
        path="/Admin/SecondFactor"
        fields={FILTERS}
        filterClassName="md:grid-cols-3"
        list={list}
        unit="명"
        table={{
          columns: [
            ...COLUMNS,
            { head: "복구", renderCell: (row) => <RecoveryCell row={row} busy={busy} onCancel={() => cancel(row)} /> },
          ],
          keyOf: (row) => row.userId,
          emptyText: "해당하는 사람이 없습니다.",
          className: "md:min-w-[48rem]",
        }}
      />
    </>
  );
}

const startQuestion = ({ userId, userName }: SecondFactorRow): Question => ({
  label: "복구 시작",
  title: `${userName}님의 2단계 인증 복구를 시작하시겠습니까?`,
  text: (
    <p>
      24시간 뒤부터 비밀번호로 로그인하여 2단계 인증을 풀고 다시 등록하실 수 있습니다. 두 분 모두에게 메일이 가며, 그
      전에는 언제든지 취소할 수 있습니다.
    </p>
  ),
  reasonHint: "전화나 대면으로 본인인지 확인한 방법을 적어 주십시오. 감사 기록에 남습니다.",
  work: (reason) =>
    callApi(api.admin["second-factor"][":id"].recovery.$post({ param: { id: userId }, json: { reason } })),
  done: "복구를 시작하고 두 분께 메일로 알렸습니다.",
});

function RecoveryCell({ row, busy, onCancel }: { row: SecondFactorRow; busy: boolean; onCancel: () => void }) {
  if (row.recovery) {
    return (
      <>
        <p className="text-sm">
          <Time date={row.recovery.usableDate} format="datetime" />
          부터
        </p>
        <Button size="sm" disabled={busy} onClick={onCancel}>
          취소<span className="sr-only"> ({row.userName})</span>
        </Button>
      </>
    );
  }
  if (row.kinds.length === 0) return "–";
  return (
    <QuestionButton question={startQuestion(row)} disabled={busy}>
      복구 시작<span className="sr-only"> ({row.userName})</span>
    </QuestionButton>
  );
}

import { QuestionButton } from "#app/features/form/action.tsx";
import { labelled, ListTable } from "#app/features/list/searched-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { TextLink } from "#app/ui/inline.tsx";
import { HELD_DECISIONS, type HeldDecision } from "#worker/contract/alumni/held-address.ts";
import type { HeldAddressRow } from "#worker/domain/alumni/held-address.server.ts";

const EFFECTS: Record<HeldDecision, (row: HeldAddressRow) => string> = {
  keep: ({ email }) => `앞으로 ${email} 주소로 보내며, 이 주소를 인증한 회원은 이 사람의 정보를 보고 고칠 수 있습니다.`,
  drop: ({ email, trusted }) =>
    trusted ? `${email} 주소를 지우고 ${trusted} 주소로 되돌립니다.` : `주소록에서 ${email} 주소를 지웁니다.`,
};

function DecisionButton({ row, decision }: { row: HeldAddressRow; decision: HeldDecision }) {
  const { id, name, version } = row;
  const label = HELD_DECISIONS[decision];
  return (
    <QuestionButton
      {...(decision === "keep" && { variant: "primary" as const })}
      question={{
        label,
        title: `${name}님의 이메일을 정하시겠습니까?`,
        text: EFFECTS[decision](row),
        work: () => callApi(api.admin.correction.held[":id"].$post({ param: { id }, json: { decision, version } })),
        done: "정한 대로 주소록을 고쳤습니다.",
      }}
    >
      {label}
      <span className="sr-only">: {name}</span>
    </QuestionButton>
  );
}

/** Imported addresses of people who cannot be asked, each with both decisions. */
export function HeldAddresses({ rows }: { rows: readonly HeldAddressRow[] }) {
  return (
    <>
      <p className="mb-4 max-w-4xl text-gray-70">
        가져온 파일에 새로 적힌 이메일입니다. 본인에게 물어볼 수 있는 다른 주소가 없어 사무국이 정합니다. 정할 때까지 이
        이메일로는 아무것도 보내지 않습니다.
      </p>
      <ListTable
        caption="확인할 이메일"
        rows={rows}
        keyOf={({ id }) => id}
        emptyText="정할 이메일이 없습니다."
        columns={[
          {
            head: "이름",
            renderCell: ({ id, name, cohort, affiliation }) => (
              <>
                <TextLink
                  to={`/Alumni?${new URLSearchParams({ keyword: name, person: id })}`}
                  className="font-semibold"
                >
                  {name}
                </TextLink>
                <span className="block text-sm text-gray-60">
                  {[cohort === null ? "" : `${cohort}기`, affiliation].filter(Boolean).join(" · ")}
                </span>
              </>
            ),
          },
          labelled<HeldAddressRow>("새 이메일", ({ email }) => email, "break-all"),
          labelled<HeldAddressRow>("그전의 이메일", ({ trusted }) => trusted || "없음", "break-all"),
          {
            head: "정하기",
            hidesHead: true,
            renderCell: (row) => (
              <div className="flex flex-wrap gap-2">
                <DecisionButton row={row} decision="keep" />
                <DecisionButton row={row} decision="drop" />
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/inline.tsx";
import { type Question, QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";
import { ListTable } from "#app/features/list/searched-list.tsx";
import type { RetentionDueRow } from "#worker/contract/privacy/privacy.ts";
import { RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { retentionRulePath } from "#worker/contract/privacy/input.ts";
import { authorizeConsole } from "#worker/domain/kernel/authorize.server.ts";
import { getDueList } from "#worker/domain/privacy/retention.server.ts";
import type { Route } from "./+types/retention-rule";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorizeConsole(ctx);
  const { rule } = readPagePath(retentionRulePath, params);
  return getDueList(ctx, rule);
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData ? RETENTION_RULES[loaderData.rule].label : "보유 기간", "관리"] });

export default function RetentionRulePage({ loaderData: due }: Route.ComponentProps) {
  const { label, since, hint } = RETENTION_RULES[due.rule];
  const retention = api.admin.privacy.retention;
  const count = formatCount(due.rows.length);
  const destroyQuestion: Question = {
    label: "파기",
    title: `${count}건을 파기하시겠습니까?`,
    danger: true,
    reasonHint: "되돌릴 수 없습니다. 감사 기록과 파기 대장에 남습니다.",
    work: (reason) => {
      const json = { fingerprint: due.fingerprint, reason };
      return callApi(retention[":rule"].run.$post({ param: { rule: due.rule }, json }));
    },
    done: "파기하고 파기 대장에 적었습니다.",
  };
  const noticeCount = formatCount(due.toTell.length);
  const noticeQuestion: Question = {
    label: "보내기",
    title: `${noticeCount}명에게 안내를 보내시겠습니까?`,
    reasonHint: REASON_HINT,
    work: (reason) => callApi(retention.inactive.tell.$post({ json: { fingerprint: due.toTellFingerprint, reason } })),
    done: "안내 메일을 보냈습니다.",
  };
  return (
    <>
      <ConsoleHeader
        title={label}
        description={`${since}부터 ${formatCount(due.days)}일이 지난 것입니다. ${hint}`}
        links={[{ label: "보유 기간", href: "/Admin/Privacy/Retention" }]}
      />
      <Alert className="mb-6">
        {due.on
          ? "규칙이 켜져 있어, 기다리시면 예약 작업이 아래의 대상을 저절로 파기합니다."
          : "규칙이 꺼져 있어 저절로 파기하지 않습니다. 아래에서 직접 파기할 수 있습니다."}
      </Alert>
      <ConsoleSection
        title={`파기할 것 ${count}건${due.more ? " 이상" : ""}`}
        action={due.rows.length > 0 && <QuestionButton question={destroyQuestion}>{count}건 파기</QuestionButton>}
      >
        <DueTable rows={due.rows} caption="파기할 것" since={since} />
        {due.more && (
          <p className="mt-3 text-sm text-gray-60">
            한 번에 {count}건까지 보이고 파기합니다. 나머지는 그다음에 나옵니다.
          </p>
        )}
      </ConsoleSection>
      {due.rule === "inactive" && (
        <ConsoleSection
          title={`30일 전 안내를 보낼 회원 ${noticeCount}명`}
          action={
            due.toTell.length > 0 && (
              <QuestionButton question={noticeQuestion}>{noticeCount}명에게 안내 보내기</QuestionButton>
            )
          }
        >
          <DueTable rows={due.toTell} caption="30일 전 안내를 보낼 회원" since={since} />
        </ConsoleSection>
      )}
    </>
  );
}

function DueTable({ rows, caption, since }: { rows: readonly RetentionDueRow[]; caption: string; since: string }) {
  return (
    <ListTable
      caption={caption}
      columns={[
        { head: "대상", renderCell: ({ name }) => name || "제목 없음" },
        { head: since, className: "whitespace-nowrap", renderCell: ({ sinceDate }) => <Time date={sinceDate} /> },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
      emptyText="대상이 없습니다."
      cards={false}
    />
  );
}

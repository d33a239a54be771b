import { useNavigate } from "react-router";
import { QuestionButton } from "#app/features/form/action.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { CallForm, type SentCall } from "#app/features/proposal/call-form.tsx";
import {
  newCallHref,
  OFFICE_PROPOSALS,
  PROPOSAL_CALLS,
  proposalCallHref,
} from "#app/features/proposal/proposal-paths.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { PROPOSAL_MESSAGES } from "#worker/contract/proposal/proposal.ts";
import type { CallSetting } from "#worker/contract/proposal/view.ts";
import { getProposalCall, listProposalCalls } from "#worker/domain/proposal/call.server.ts";
import type { Route } from "./+types/call";

/** `new` is a call that does not exist yet, perhaps with the setting of the call in `from`. */
export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const isNew = params.id === "new";
  const from = new URL(request.url).searchParams.get("from");
  const id = isNew ? from : params.id;
  const [, page] = await Promise.all([
    isNew ? listProposalCalls(scope) : null,
    id === null ? null : getProposalCall(scope, readPagePath(idPath, { id }, PROPOSAL_MESSAGES.callMissing).id),
  ]);
  return { isNew, page, now: scope.now().toISOString() };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [(!loaderData?.isNew && loaderData?.page?.title) || "공모 추가", "관리"] });

const EMPTY: Omit<SentCall, "openDate"> = {
  title: "",
  kind: "project",
  text: "",
  closeDate: "",
  approveFrom: 70,
  secondFrom: 60,
  hidesReviewers: true,
  checkDays: 10,
  reviewDays: 10,
  criteria: [],
  papers: [],
  checks: [],
  questions: [],
};

/** Another call takes the form, not the times. */
function copiedSetting(setting: CallSetting, now: string): SentCall {
  const withoutCode = <Part extends { code: string }>({ code: _code, ...part }: Part) => part;
  return {
    ...setting,
    openDate: now,
    closeDate: "",
    criteria: setting.criteria.map(withoutCode),
    papers: setting.papers.map(withoutCode),
    checks: setting.checks.map(withoutCode),
    questions: setting.questions.map(withoutCode),
  };
}

export default function ProposalCallPage({ loaderData: { isNew, page, now } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const calls = api.admin["proposal-call"];
  if (isNew || !page) {
    const value = page ? copiedSetting(page.setting, now) : { ...EMPTY, openDate: now };
    return (
      <>
        <ConsoleHeader title="공모 추가" parent={{ label: "연구 공모", href: PROPOSAL_CALLS }} />
        <CallForm
          key={page?.id ?? ""}
          latest={{ value, version: 0 }}
          submitLabel="공모 추가"
          done="공모를 추가하였습니다."
          save={async (json) => {
            await callApi(calls.$post({ json, header: ONCE }));
            return { version: 1 };
          }}
          onStored={() => void navigate(PROPOSAL_CALLS)}
        />
      </>
    );
  }
  const { id, title, setting, version, proposals } = page;
  const call = calls[":id"];
  const param = { id };
  return (
    <>
      <ConsoleHeader
        title={title}
        parent={{ label: "연구 공모", href: PROPOSAL_CALLS }}
        links={[
          ...(proposals > 0 ? [{ label: "제안서 보기", href: `${OFFICE_PROPOSALS}?callId=${id}` }] : []),
          { label: "복사하여 추가", href: newCallHref(id) },
        ]}
        action={
          page.canDelete && (
            <QuestionButton
              question={{
                label: "공모 지우기",
                title: "이 공모를 지우시겠습니까?",
                text: "이 공모에 쓰인 제안서가 없습니다.",
                danger: true,
                reloads: "never",
                work: () => callApi(call.$delete({ param, query: { version: String(version) } })),
                done: "공모를 지웠습니다.",
                onDone: () => navigate(PROPOSAL_CALLS),
              }}
            />
          )
        }
      />
      <CallForm
        key={id}
        latest={{ value: { ...setting, closeDate: setting.closeDate ?? "" }, version }}
        submitLabel="저장"
        done="공모를 저장하였습니다."
        save={(value, known) => callApi(call.$patch({ param, json: { ...value, version: known } }))}
        onStored={() => void navigate(proposalCallHref(id))}
      />
    </>
  );
}

import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText, type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { CheckboxGroup, RadioGroup } from "#app/ui/choice.tsx";
import { Field, Input, Textarea } from "#app/ui/field.tsx";
import { valuesOf } from "#worker/contract/kernel/labels.ts";
import { type Decision, DECISION_LABELS, PROPOSAL_LIMITS } from "#worker/contract/proposal/proposal.ts";
import type { CaseReview, ProposalCase } from "#worker/contract/proposal/view.ts";

const call = () => api.admin.proposal[":id"];
const DECISIONS = valuesOf(DECISION_LABELS);
const DECIDED: Record<Decision, string> = {
  approve: "승인하고 알렸습니다.",
  second: "재심의로 정하고 알렸습니다.",
  refuse: "불승인으로 정하고 알렸습니다.",
};

const ReasonText = ({ label, hint, error }: { label: string; hint: string; error: string | undefined }) => (
  <Field label={label} hint={hint} required error={error}>
    <Textarea name="reason" rows={5} maxLength={PROPOSAL_LIMITS.reason} />
  </Field>
);

/** The commands on a proposal that its page may offer now. */
export function OfficeActs({ page }: { page: ProposalCase }) {
  const { id, version, commands, ruled } = page;
  const param = { id };
  const startReview: Question = {
    label: "심의 시작",
    title: "심의를 시작하시겠습니까?",
    text: "지정한 심의위원과 제안자에게 알립니다. 심의 기한은 오늘부터 셉니다.",
    work: () => callApi(call().review.$post({ param, json: { version } })),
    done: "심의를 시작하고 알렸습니다.",
  };
  const choices = DECISIONS.filter((each) => commands.includes(each));
  return (
    <>
      {commands.includes("startReview") && <QuestionButton question={startReview} variant="primary" />}
      {commands.includes("return") && (
        <ActionButton
          label="보완 요청"
          title="제안자에게 보완을 요청"
          submitLabel="보내기"
          size="md"
          work={(form) => callApi(call().return.$post({ param, json: { reason: formText(form, "reason"), version } }))}
          done="보완을 요청하고 알렸습니다."
        >
          {(errors) => (
            <ReasonText
              label="보완할 내용"
              hint="제안자에게 보내는 글에 들어갑니다. 다시 제출하면 고친 곳이 표시됩니다."
              error={errors.reason}
            />
          )}
        </ActionButton>
      )}
      {choices.length > 0 && (
        <ActionButton
          label="결정"
          title="심의 결과 결정"
          submitLabel="결정하고 알리기"
          size="md"
          work={(form) => {
            const decision = formText(form, "decision") as Decision;
            const json = { decision, reason: formText(form, "reason"), version };
            return callApi(call().decision.$post({ param, json })).then(() => decision);
          }}
          done={(decision) => DECIDED[decision]}
        >
          {(errors) => (
            <>
              <ScoreFacts page={page} />
              <RadioGroup
                legend="결정"
                name="decision"
                required
                options={choices.map((each) => ({ value: each, label: DECISION_LABELS[each] }))}
                defaultValue={ruled ?? undefined}
                error={errors.decision}
              />
              <ReasonText label="사유" hint="제안자에게 보내는 글에 들어갑니다." error={errors.reason} />
            </>
          )}
        </ActionButton>
      )}
    </>
  );
}

/** The scores, with the decision that the call's thresholds suggest. */
export const ScoreFacts = ({ page: { average, spread, ruled } }: { page: ProposalCase }) =>
  average === null ? (
    <p className="text-gray-60">심의를 마친 심의위원이 아직 없습니다.</p>
  ) : (
    <p className="tabular flex flex-wrap gap-x-5 gap-y-1">
      <span>
        평균 <strong>{Math.round(average * 10) / 10}점</strong>
      </span>
      <span>
        최고와 최저의 차이 <strong>{spread}점</strong>
      </span>
      {ruled && (
        <span>
          기준에 따른 결과 <strong>{DECISION_LABELS[ruled]}</strong>
        </span>
      )}
    </p>
  );

/** Names a member, unless an interest in the proposal is known. */
export const NameReviewerButton = ({ page: { id } }: { page: ProposalCase }) => (
  <ActionButton
    label="심의위원 지정"
    title="심의위원 지정"
    submitLabel="지정"
    work={(form) =>
      callApi(call().reviewer.$post({ param: { id }, json: { who: formText(form, "who").trim() }, header: ONCE }))
    }
    done="심의위원으로 지정하였습니다."
  >
    {(errors) => (
      <>
        <p className="text-gray-70">제안자이거나 최근 3년 안에 같은 소속이었던 회원은 지정할 수 없습니다.</p>
        <Field label="회원" required hint="아이디나 이메일, 휴대전화" error={errors.who}>
          <Input name="who" autoComplete="off" maxLength={PROPOSAL_LIMITS.who} />
        </Field>
      </>
    )}
  </ActionButton>
);

export const DropReviewerButton = ({ id, review }: { id: string; review: CaseReview }) => (
  <QuestionButton
    variant="secondary"
    question={{
      label: "빼기",
      title: `${review.userName}님을 심의위원에서 빼시겠습니까?`,
      text: "적던 점수와 의견도 지웁니다.",
      danger: true,
      work: () => callApi(call().reviewer[":reviewId"].$delete({ param: { id, reviewId: review.id } })),
      done: "심의위원에서 뺐습니다.",
    }}
  >
    빼기<span className="sr-only">: {review.userName}</span>
  </QuestionButton>
);

/** The points of the form check, ticked as the office goes through them. */
export function CheckForm({ page: { id, checks, checked, commands, version } }: { page: ProposalCase }) {
  const { busy, run, problem } = useAction();
  const canCheck = commands.includes("check");
  if (!canCheck)
    return (
      <ul aria-label="형식 검토" className="grid gap-1">
        {checks.map(({ code, name }) => (
          <li key={code}>
            {name}: {checked.includes(code) ? "확인함" : "확인하지 않음"}
          </li>
        ))}
      </ul>
    );
  return (
    <form
      className="grid justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const json = { checked: new FormData(event.currentTarget).getAll("checked").map(String), version };
        void run(() => callApi(call().check.$post({ param: { id }, json })), "확인한 것을 저장하였습니다.");
      }}
    >
      <CheckboxGroup
        legend="확인한 것"
        name="checked"
        options={checks.map(({ code, name }) => ({ value: code, label: name }))}
        defaultValue={checked}
      />
      <ErrorAlert>{problem}</ErrorAlert>
      <Button type="submit" size="sm" busy={busy} className="needs-script">
        저장
      </Button>
    </form>
  );
}

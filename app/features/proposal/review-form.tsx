import { useState } from "react";
import { ErrorSummary } from "#app/features/form/error-summary.tsx";
import { useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { CountedTextarea, Field, NumberInput } from "#app/ui/field.tsx";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { type Criterion, PROPOSAL_LIMITS, PROPOSAL_MESSAGES } from "#worker/contract/proposal/proposal.ts";
import type { ReviewPage } from "#worker/contract/proposal/view.ts";

const isPoints = (text: string, { points }: Criterion) => /^\d{1,3}$/.test(text) && Number(text) <= points;

/** Points and opinion of one reviewer. */
export function ReviewForm({ page }: { page: ReviewPage }) {
  const { id, criteria, commands, version } = page;
  const stored = Object.fromEntries(criteria.map(({ code }) => [code, String(lookUp(page.scores, code) ?? "")]));
  const [typed, setTyped] = useState(stored);
  const [opinion, setOpinion] = useState(page.opinion);
  const checked = useCheckedForm({ reloads: "always" });
  const { form: _general, ...errors } = checked.errors;
  useUnsavedCheck(() => opinion !== page.opinion || JSON.stringify(typed) !== JSON.stringify(stored));
  const isWritten = (code: string) => (typed[code] ?? "").trim() !== "";
  const wrongPoints = (isWhole: boolean): FormErrors =>
    Object.fromEntries(
      criteria
        .filter((each) => (isWhole || isWritten(each.code)) && !isPoints((typed[each.code] ?? "").trim(), each))
        .map(({ code, name, points }) => [`scores.${code}`, `${name}: 0점부터 ${points}점까지 적어 주십시오.`]),
    );
  const call = api.proposal[":id"].review;
  const param = { id };
  const save = () => {
    const given = criteria.filter(({ code }) => isWritten(code)).map(({ code }) => [code, Number(typed[code])]);
    return callApi(call.$patch({ param, json: { scores: Object.fromEntries(given), opinion, version } }));
  };
  const submits = commands.includes("submit");
  const finish = () =>
    checked.send(
      { ...wrongPoints(true), ...(opinion.trim() === "" && { opinion: PROPOSAL_MESSAGES.opinion }) },
      async () => {
        const kept = await save();
        if (submits) await callApi(call.submit.$post({ param, json: { version: kept.version } }));
      },
      submits ? "심의 결과를 제출하였습니다." : "심의 결과를 고쳤습니다.",
    );
  const total = criteria.reduce((sum, { code }) => sum + (Number(typed[code]) || 0), 0);
  return (
    <CheckedForm
      checked={checked}
      onSubmit={() => void finish()}
      label="심의 결과"
      submitLabel={submits ? "심의 결과 제출" : "고친 결과 저장"}
      after={
        submits && (
          <Button
            className="needs-script ml-2"
            onClick={() => void checked.send(wrongPoints(false), save, "임시로 저장하였습니다.")}
          >
            임시 저장
          </Button>
        )
      }
    >
      {criteria.map(({ code, name, detail, points }) => (
        <Field
          key={code}
          id={`scores.${code}`}
          label={`${name} (${points}점)`}
          hint={detail}
          required
          error={errors[`scores.${code}`]}
        >
          <NumberInput
            min={0}
            max={points}
            className="max-w-40"
            value={typed[code] ?? ""}
            onChange={(event) => setTyped({ ...typed, [code]: event.target.value })}
          />
        </Field>
      ))}
      <p role="status" className="tabular text-lg">
        합계 <strong>{formatCount(total)}점</strong>
      </p>
      <Field id="opinion" label="심의 의견" required hint="결정이 나면 제안자가 봅니다." error={errors.opinion}>
        <CountedTextarea
          name="opinion"
          rows={8}
          maxLength={PROPOSAL_LIMITS.opinion}
          value={opinion}
          onChange={setOpinion}
        />
      </Field>
      <ErrorSummary errors={errors} />
    </CheckedForm>
  );
}

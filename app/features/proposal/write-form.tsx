import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ProfileFields } from "#app/features/account/own-field-control.tsx";
import { DraftStatusLine } from "#app/features/board/write/draft-line.tsx";
import { useAction } from "#app/features/form/action.tsx";
import { ConflictDialog } from "#app/features/form/conflict-view.tsx";
import { ErrorSummary, goToControl } from "#app/features/form/error-summary.tsx";
import { useSigninGate, useUnsavedCheck } from "#app/features/form/unsaved.ts";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { ApplicantFields } from "#app/features/proposal/applicant-fields.tsx";
import { describeValues, type DraftValues, valuesOf } from "#app/features/proposal/draft-values.ts";
import { PaperFiles } from "#app/features/proposal/paper-files.tsx";
import { useProposalDraft } from "#app/features/proposal/use-proposal-draft.ts";
import { api, callApi } from "#app/lib/api.ts";
import type { LocalDraftPlace } from "#app/lib/local-drafts.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox, Fieldset } from "#app/ui/choice.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { PROPOSAL_FIELDS } from "#worker/contract/proposal/fields.ts";
import { proposalHref } from "#worker/contract/proposal/proposal.ts";
import type { MissingPart, ProposalDraft } from "#worker/contract/proposal/view.ts";

interface ProposalWriteFormProps {
  draft: ProposalDraft;
  start: DraftValues;
  place: LocalDraftPlace;
  onRestart: (start: DraftValues) => void;
}

const TEXT_FIELDS = ["title", "englishTitle", "affiliation"] as const;

/** The call's form. It saves itself, also unfinished; only the submission asks for everything. */
export function ProposalWriteForm({ draft, start, place, onRestart }: ProposalWriteFormProps) {
  const { id, call, questions, papers } = draft;
  const navigate = useNavigate();
  const askSignin = useSigninGate();
  const [values, setValues] = useState(start);
  const [asking, setAsking] = useState(false);
  const problems = useRef<Record<string, string>>({});
  const checked = useCheckedForm({ reloads: "conflict" });
  const { errors, setErrors } = checked;
  const { saving, missing, read, change, finish, isUnsaved, conflict } = useProposalDraft({
    draft,
    start,
    place,
    setErrors,
  });
  useUnsavedCheck(isUnsaved);
  const last = useRef(saving.save);
  useEffect(() => {
    last.current = saving.save;
  });
  // A link inside the site leaves without a question.
  useEffect(() => () => void last.current(), []);
  const edit = (part: Partial<DraftValues>) => {
    setValues((known) => ({ ...known, ...part }));
    change(part);
  };
  const canSubmit = draft.commands.includes("submit");
  /** Asks once nothing is missing. */
  const prepare = () =>
    checked.send(
      problems.current,
      async () => {
        const { missing: left } = await finish().finally(saving.resume);
        if (!canSubmit) return;
        if (left.length === 0) setAsking(true);
        else checked.show(Object.fromEntries(left.map(({ field, message }) => [field, message])));
      },
      canSubmit ? null : "저장하였습니다.",
    );
  const submission = useAction({ reloads: "conflict" });
  const submit = async () => {
    const work = async () => {
      const { version } = await finish();
      const json = { version, callVersion: call.version };
      await callApi(api.proposal[":id"].submit.$post({ param: { id }, json }));
      saving.forget();
    };
    if (await submission.run(work, "제안서를 제출하였습니다.")) return navigate(proposalHref(id));
    saving.resume();
  };
  const [mine, stored] = conflict.theirs
    ? [describeValues(draft, read()), describeValues(draft, valuesOf(conflict.theirs))]
    : [{}, {}];
  const { form: _general, ...fieldErrors } = errors;
  return (
    <>
      <CheckedForm
        checked={checked}
        label="제안서"
        submitLabel={canSubmit ? "제출" : "저장"}
        onSubmit={() => void prepare()}
      >
        {TEXT_FIELDS.map((name) => (
          <Field
            key={name}
            id={name}
            label={PROPOSAL_FIELDS[name].label}
            required={name !== "englishTitle"}
            error={errors[name]}
          >
            <Input
              name={name}
              autoComplete="off"
              lang={name === "englishTitle" ? "en" : undefined}
              maxLength={PROPOSAL_FIELDS[name].max}
              value={values[name]}
              onChange={(event) => edit({ [name]: event.target.value })}
            />
          </Field>
        ))}
        <Part
          title="공동연구자"
          hint="함께 연구하는 사람을 모두 적어 주십시오. 적힌 사람은 이 제안서를 심의하지 않습니다."
        >
          <ApplicantFields value={values.applicants} onChange={(applicants) => edit({ applicants })} errors={errors} />
        </Part>
        {questions.length > 0 && (
          <Part title="연구 내용" hint="개인을 알아볼 수 있는 이름이나 등록번호, 주민등록번호는 적지 마십시오.">
            <div className="grid gap-6">
              <ProfileFields
                fields={questions}
                value={values.answers}
                onChange={(answers) => edit({ answers })}
                errors={errors}
              />
            </div>
          </Part>
        )}
        {papers.length > 0 && (
          <Part title="서류">
            <div className="grid gap-6">
              {papers.map((paper) => (
                <PaperFiles
                  key={paper.code}
                  paper={paper}
                  initial={start.files.filter((file) => file.paper === paper.code)}
                  error={errors[`papers.${paper.code}`]}
                  onChange={({ files, problem }) => {
                    const { code } = paper;
                    const { [`papers.${code}`]: _old, ...rest } = problems.current;
                    problems.current = problem ? { ...rest, [`papers.${code}`]: problem } : rest;
                    const others = read().files.filter((file) => file.paper !== code);
                    edit({ files: [...others, ...files.map((file) => ({ ...file, paper: code }))] });
                  }}
                />
              ))}
            </div>
          </Part>
        )}
        <Fieldset
          id="hasStatement"
          legend="이해상충 서약"
          hint="이 연구와 관련하여 경제적 이익이나 심의에 영향을 줄 수 있는 관계가 있으면 먼저 사무국에 알려 주십시오."
          required
          error={errors.hasStatement}
        >
          <Checkbox
            name="hasStatement"
            label="연구책임자와 공동연구자에게 이 연구와 관련한 이해상충이 없음을 서약합니다."
            checked={values.hasStatement}
            aria-invalid={errors.hasStatement ? true : undefined}
            onChange={(event) => edit({ hasStatement: event.target.checked })}
          />
        </Fieldset>
        <ErrorSummary errors={fieldErrors} />
        {Object.keys(fieldErrors).length === 0 && <MissingParts missing={missing} />}
        <div className="flex flex-wrap items-center gap-2 border-t border-gray-20 pt-3">
          <DraftStatusLine
            status={saving.status}
            onSignin={() => void askSignin().then((signedIn) => (signedIn ? saving.save() : undefined))}
          />
          {conflict.theirs && !conflict.isComparing && (
            <Button size="sm" onClick={() => conflict.compare(true)}>
              비교하기
            </Button>
          )}
        </div>
      </CheckedForm>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="제안서를 제출하시겠습니까?"
        confirmLabel="제출"
        busy={submission.busy}
        error={submission.problem}
        onConfirm={() => void submit()}
      >
        제출한 뒤에는 사무국이 보완을 요청하기 전까지 고칠 수 없습니다. 결정이 나기 전에는 언제든 철회할 수 있습니다.
      </ConfirmDialog>
      {conflict.theirs && conflict.isComparing && (
        <ConflictDialog
          noun="내용"
          description="다른 기기나 창에서 이 제안서를 저장하였습니다. 어느 쪽을 쓸지 골라 주십시오."
          rows={Object.keys(mine)
            .filter((label) => mine[label] !== stored[label])
            .map((label) => ({
              label,
              mine: <Text>{mine[label]}</Text>,
              stored: <Text>{stored[label]}</Text>,
              isLong: (mine[label] ?? "").length + (stored[label] ?? "").length > 300,
            }))}
          busy={false}
          onClose={() => conflict.compare(false)}
          onTakeMine={() => void conflict.takeMine()}
          onTakeStored={() => {
            if (!conflict.theirs) return;
            saving.forget();
            onRestart(valuesOf(conflict.theirs));
          }}
        />
      )}
    </>
  );
}

const Text = ({ children }: { children: string | undefined }) => (
  <span className="whitespace-pre-line">{children || <span className="text-gray-60">없음</span>}</span>
);

const Part = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h2 className="text-lg">{title}</h2>
    {hint && <p className="mt-1 text-sm text-gray-60">{hint}</p>}
    <div className="mt-3">{children}</div>
  </section>
);

/** As of the last save; a draft may lack everything. */
function MissingParts({ missing }: { missing: readonly MissingPart[] }) {
  if (missing.length === 0) return null;
  return (
    <Alert title="제출하려면 더 필요한 것">
      <ul aria-label="제출하려면 더 필요한 것" className="mt-2 list-disc space-y-1 pl-5">
        {missing.map(({ field, message }) => (
          <li key={field}>
            <a
              href={`#${field}`}
              onClick={(event) => goToControl(event, field)}
              className="underline underline-offset-4"
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

import { type ReactNode, useState } from "react";
import { ProfileFields } from "#app/features/account/own-field-control.tsx";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import { ErrorSummary } from "#app/features/form/error-summary.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import type { DoneMessage } from "#app/features/form/action.tsx";
import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { RadioGroup } from "#app/ui/choice.tsx";
import { checkProfile } from "#worker/contract/account/own-field.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";
import type { RegistrationPage } from "#worker/contract/event/view.ts";

export interface GivenAnswers {
  answers: ProfileInput;
  feeCode: string;
  questionsVersion: number;
}

interface AnswerFormProps<T> extends Pick<RegistrationPage, "questions" | "questionsVersion"> {
  label: string;
  submitLabel: string;
  /** Those that the person chooses from. */
  fees?: RegistrationPage["fees"];
  /** Answers given before. */
  stored?: ProfileInput;
  /** Errors of the controls before the questions, which `children` draws. */
  problems?: () => FormErrors;
  children?: (errors: FormErrors, show: (errors: FormErrors) => void) => ReactNode;
  send: (given: GivenAnswers) => Promise<T>;
  done: DoneMessage<T>;
  onDone?: () => void;
}

/** The questions of an event. What is typed stays while the questions, the places or the session change. */
export function AnswerForm<T>(props: AnswerFormProps<T>) {
  const {
    label,
    submitLabel,
    questions,
    questionsVersion,
    fees = [],
    stored,
    problems,
    children,
    send,
    done,
    onDone,
  } = props;
  const texts = useSection("register", KOREAN_REGISTER_TEXTS);
  const { profileProblem } = useAccountTexts();
  const { langOf } = useTexts();
  const [answers, setAnswers] = useState<ProfileInput>(stored ?? {});
  const [feeCode, setFeeCode] = useState(fees.length === 1 ? (fees[0]?.code ?? "") : "");
  const checked = useCheckedForm({ reloads: "always" });
  const submit = async () => {
    const asked = Object.fromEntries(questions.flatMap(({ code }) => (code in answers ? [[code, answers[code]]] : [])));
    const given = { answers: asked as ProfileInput, questionsVersion, feeCode };
    const isLacking = fees.length > 0 && !fees.some(({ code }) => code === feeCode);
    const errors = {
      ...problems?.(),
      ...(isLacking && { feeCode: texts.feeMissing }),
      ...Object.fromEntries(
        Object.entries(checkProfile(questions, given.answers).errors).map(([id, said]) => {
          const question = questions.find(({ code }) => id === `profile.${code}`);
          return [id, question ? profileProblem(question, said) : said];
        }),
      ),
    };
    if (await checked.send(errors, () => send(given), done)) onDone?.();
  };
  const { form: _general, ...fieldErrors } = checked.errors;
  return (
    <CheckedForm checked={checked} onSubmit={() => void submit()} label={label} submitLabel={submitLabel}>
      {children?.(checked.errors, checked.setErrors)}
      {fees.length > 0 && (
        <RadioGroup
          id="feeCode"
          legend={texts.fee}
          name="feeCode"
          required
          options={fees.map(({ code, name, amount }) => ({
            value: code,
            label: `${name} ${texts.won(amount)}`,
            lang: langOf(name),
          }))}
          value={feeCode}
          onChange={setFeeCode}
          error={checked.errors.feeCode}
        />
      )}
      <ProfileFields
        fields={questions}
        {...(stored && { stored })}
        value={answers}
        onChange={setAnswers}
        errors={checked.errors}
      />
      <ErrorSummary errors={fieldErrors} />
    </CheckedForm>
  );
}

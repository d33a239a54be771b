import { useState } from "react";
import { ProfileFields } from "#app/features/account/own-field-control.tsx";
import { ErrorSummary } from "#app/features/form/error-summary.tsx";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import type { DoneMessage } from "#app/features/form/action.tsx";
import { checkProfile } from "#worker/contract/account/own-field.ts";
import type { ProfileInput } from "#worker/contract/account/rules.ts";
import type { RegistrationPage } from "#worker/contract/event/view.ts";

export interface GivenAnswers {
  answers: ProfileInput;
  questionsVersion: number;
}

interface AnswerFormProps<T> extends Pick<RegistrationPage, "questions" | "questionsVersion"> {
  label: string;
  submitLabel: string;
  /** Answers given before. */
  stored?: ProfileInput;
  send: (given: GivenAnswers) => Promise<T>;
  done: DoneMessage<T>;
  onDone?: () => void;
}

/** The questions of an event. What is typed stays while the questions, the places or the session change. */
export function AnswerForm<T>(props: AnswerFormProps<T>) {
  const { label, submitLabel, questions, questionsVersion, stored, send, done, onDone } = props;
  const [answers, setAnswers] = useState<ProfileInput>(stored ?? {});
  const checked = useCheckedForm({ reloads: "always" });
  const submit = async () => {
    const asked = Object.fromEntries(questions.flatMap(({ code }) => (code in answers ? [[code, answers[code]]] : [])));
    const given = { answers: asked as ProfileInput, questionsVersion };
    if (await checked.send(checkProfile(questions, given.answers).errors, () => send(given), done)) onDone?.();
  };
  const { form: _general, ...fieldErrors } = checked.errors;
  return (
    <CheckedForm checked={checked} onSubmit={() => void submit()} label={label} submitLabel={submitLabel}>
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

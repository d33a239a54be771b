import { useState } from "react";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { formText } from "#app/features/form/action.tsx";
import { Button } from "#app/ui/button.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { type EventQuestion, REGISTRATION_LIMITS } from "#worker/contract/event/event.ts";
import { QUESTION_FIELDS } from "#worker/contract/event/fields.ts";

/** A new question has no code. */
export type SentQuestion = Omit<EventQuestion, "code"> & Partial<Pick<EventQuestion, "code">>;

const at = (index: number) => `questions.${index}.`;

export function readQuestions(form: FormData): SentQuestion[] {
  const questions: SentQuestion[] = [];
  for (let index = 0; form.has(`${at(index)}code`); index += 1) {
    const code = formText(form, `${at(index)}code`);
    questions.push({ ...readRow(QUESTION_FIELDS, form, at(index)), ...(code && { code }) });
  }
  return questions;
}

interface QuestionListProps {
  questions: readonly SentQuestion[];
  errors: Record<string, string>;
}

/** The questions of an event, each with the fields of a question of the sign-up. */
export function QuestionList({ questions, errors }: QuestionListProps) {
  const [rows, setRows] = useState(() =>
    questions.map((question, key) => ({ key, question: question as Partial<SentQuestion> })),
  );
  const add = () => setRows([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, question: {} }]);
  const raise = (index: number) =>
    setRows(rows.toSpliced(index - 1, 2, ...rows.slice(index, index + 1), ...rows.slice(index - 1, index)));
  return (
    <div className="grid gap-4">
      <ErrorAlert>{errors.questions}</ErrorAlert>
      {rows.map(({ key, question }, index) => (
        <fieldset key={key} className="rounded-lg border border-gray-20 p-4">
          <legend className="px-1 font-semibold">질문 {index + 1}</legend>
          <input type="hidden" name={`${at(index)}code`} defaultValue={question.code ?? ""} />
          <div className="grid items-start gap-4 md:grid-cols-2">
            <RowControls fields={QUESTION_FIELDS} values={question} errors={errors} path={at(index)} />
          </div>
          <div className="mt-3 flex flex-wrap justify-end gap-2">
            <Button size="sm" disabled={index === 0} onClick={() => raise(index)}>
              위로<span className="sr-only">: 질문 {index + 1}</span>
            </Button>
            <Button size="sm" onClick={() => setRows(rows.filter((row) => row.key !== key))}>
              빼기<span className="sr-only">: 질문 {index + 1}</span>
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button size="sm" disabled={rows.length >= REGISTRATION_LIMITS.questions} onClick={add}>
          질문 추가
        </Button>
      </div>
    </div>
  );
}

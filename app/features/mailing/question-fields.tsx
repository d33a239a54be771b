import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input, Textarea } from "#app/ui/field.tsx";
import { QUESTION_LIMITS } from "#worker/contract/mailing/question.ts";

/** Answers as written, one a line. */
export interface DraftQuestion {
  text: string;
  lines: string;
  endDay: string;
}

const EMPTY: DraftQuestion = { text: "", lines: "참석\n불참\n위임", endDay: "" };

export const draftOf = (asked: { text: string; answers: string[]; endDay: string } | null): DraftQuestion | null =>
  asked && { text: asked.text, lines: asked.answers.join("\n"), endDay: asked.endDay };

export const questionOf = (draft: DraftQuestion | null) =>
  draft && {
    text: draft.text,
    answers: draft.lines
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
    endDay: draft.endDay,
  };

interface QuestionFieldsProps {
  question: DraftQuestion | null;
  errors: Record<string, string>;
  onChange: (question: DraftQuestion | null) => void;
}

/** One question with a personal link for each answer. */
export function QuestionFields({ question, errors, onChange }: QuestionFieldsProps) {
  const change = (changes: Partial<DraftQuestion>) => onChange({ ...(question ?? EMPTY), ...changes });
  const answersError = errors["question.answers"] ?? firstOf(errors, "question.answers.");
  return (
    <div className="grid gap-4">
      <Checkbox
        label="질문 하나를 함께 묻기"
        checked={question !== null}
        onChange={(event) => onChange(event.target.checked ? EMPTY : null)}
      />
      {question && (
        <div className="grid gap-4 rounded-lg border border-gray-20 p-4">
          <Field label="질문" required error={errors["question.text"] ?? errors.question}>
            <Input
              value={question.text}
              onChange={(event) => change({ text: event.target.value })}
              maxLength={QUESTION_LIMITS.text}
            />
          </Field>
          <Field
            label="답"
            required
            hint={`한 줄에 하나씩, ${QUESTION_LIMITS.answersMin}개에서 ${QUESTION_LIMITS.answersMax}개까지 적습니다. 받는 사람마다 답의 주소가 하나씩 나갑니다.`}
            error={answersError}
          >
            <Textarea value={question.lines} onChange={(event) => change({ lines: event.target.value })} rows={4} />
          </Field>
          <Field
            label="답받는 마지막 날"
            hint="그날 밤 12시(한국 시각)까지 답하고 바꿀 수 있습니다. 비워 두면 마감할 때까지 받습니다."
            error={errors["question.endDay"]}
          >
            <Input type="date" value={question.endDay} onChange={(event) => change({ endDay: event.target.value })} />
          </Field>
        </div>
      )}
    </div>
  );
}

const firstOf = (errors: Record<string, string>, start: string) =>
  Object.entries(errors).find(([path]) => path.startsWith(start))?.[1];

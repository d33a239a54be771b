import { type ImportFactsProps, IMPORT_HEADING } from "#app/features/alumni/import/import-facts.tsx";
import { PagedRows } from "#app/features/alumni/import/paged-rows.tsx";
import type { PeopleAnswers } from "#app/features/alumni/import/send-import.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { DUPLICATE_REASON_LABELS, foldName } from "#worker/contract/alumni/duplicate.ts";
import { type ImportPlace, rowLabel } from "#worker/contract/alumni/import/header.ts";
import type { ImportCandidate, ImportNamedRow } from "#worker/contract/alumni/view.ts";
import { particleOf } from "#worker/contract/kernel/wording.ts";

const describeNamed = ({ name, cohort, tail }: Pick<ImportNamedRow, "name" | "cohort" | "tail">) =>
  [name, cohort === null ? "" : `${cohort}기`, tail && `끝 ${tail}`].filter(Boolean).join(" · ");

export const describeCandidate = (person: ImportCandidate, sources: readonly ImportPlace[]) =>
  [
    person.row !== null && rowLabel(sources, person.row),
    person.shares.map((field) => DUPLICATE_REASON_LABELS[field]).join(", "),
    describeNamed(person),
    person.graduationYear === null ? "" : `${person.graduationYear}년 졸업`,
    person.affiliation,
    person.state,
  ]
    .filter(Boolean)
    .join(" · ");

/** The earlier row of a file is kept, and gets what it lacks. */
function sameText(person: ImportCandidate, { name }: Pick<ImportNamedRow, "name">): string {
  if (person.name === "" || foldName(person.name) === foldName(name)) return "같은 사람";
  const kept = person.row === null ? name : person.name;
  const to = `‘${kept}’${particleOf(kept, "으로/로")}`;
  return person.row === null ? `같은 사람, 이름을 ${to} 바꿈` : `같은 사람, 이름은 ${to} 하고 빈 칸만 이 행에서 채움`;
}

interface ImportPeopleProps extends Pick<ImportFactsProps, "result" | "sources" | "busy"> {
  answers: PeopleAnswers;
  onAnswer: (value: string, choice: string) => void;
  onAskAgain: (value: string) => void;
}

/** Rows that may name a person of the book; nothing is chosen beforehand. */
export function ImportPeople({ result, sources, busy, answers, onAnswer, onAskAgain }: ImportPeopleProps) {
  const { asked, questions, answered, answers: decided } = result.people;
  if (asked === 0 && answered === 0) return null;
  const choiceText = { new: "새 사람", skip: "건너뛰기" } as const;
  return (
    <section aria-labelledby="people" className="mt-8">
      <h2 id="people" className={IMPORT_HEADING}>
        같은 사람인지 정하기 {formatCount(asked)}명
      </h2>
      <p className="mb-3 text-sm text-gray-70">
        이름이나 연락처가 같은 사람이 주소록이나 파일의 다른 행에 있지만 같은 사람인지 파일만으로는 알 수 없습니다.
        정하신 것은 같은 양식의 다음 파일에도 씁니다.
      </p>
      <PagedRows rows={questions} label="정할 사람">
        {(page) => (
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {page.map((question) => (
              <li key={question.row} className="py-3">
                <RadioGroup
                  className="max-md:[&_.flex-wrap]:flex-col"
                  legend={`${rowLabel(sources, question.row)} ${describeNamed(question)}`}
                  name={`person-${question.row}`}
                  value={answers[question.value] ?? ""}
                  options={[
                    ...question.candidates.map((person) => ({
                      value: person.id,
                      label: `${sameText(person, question)}: ${describeCandidate(person, sources)}`,
                    })),
                    { value: "new", label: choiceText.new },
                    { value: "skip", label: choiceText.skip },
                  ]}
                  onChange={(choice) => !busy && onAnswer(question.value, choice)}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedRows>
      {asked > questions.length && (
        <p className="mt-2 text-sm text-gray-60">
          처음 {formatCount(questions.length)}명입니다. 이 사람들을 정하고 다시 확인하시면 나머지를 보여 드립니다.
        </p>
      )}
      {answered > 0 && (
        <details className="mt-3">
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
            정한 사람 {formatCount(answered)}명
          </summary>
          <PagedRows rows={decided} label="정한 사람">
            {(page) => (
              <ul className="divide-y divide-gray-20 border-y border-gray-20">
                {page.map(({ choice, person, ...named }) => (
                  <li key={named.row} className="flex flex-wrap items-center justify-between gap-2 py-2">
                    <span>
                      {rowLabel(sources, named.row)} {describeNamed(named)}:{" "}
                      {person
                        ? `${sameText(person, named)} (${describeCandidate(person, sources)})`
                        : choice !== "same" && choiceText[choice]}
                    </span>
                    <Button size="sm" variant="quiet" disabled={busy} onClick={() => onAskAgain(named.value)}>
                      <span className="sr-only">{rowLabel(sources, named.row)} </span>다시 정하기
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </PagedRows>
        </details>
      )}
    </section>
  );
}

import { useWords } from "#app/lib/use-words.ts";
import { useState } from "react";
import { CorrectionStateBadge } from "#app/features/alumni/cohort/correction-state.tsx";
import { QuestionButton } from "#app/features/form/question.tsx";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/time.tsx";
import { ALUMNI_COLUMN_LABELS, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { REACH_LABELS } from "#worker/contract/alumni/figures.ts";
import type { CohortPerson, CohortShown, ProposedField } from "#worker/contract/alumni/representative.ts";
import { hyphenatePhone } from "#app/features/account/hyphenate-phone.ts";
import { formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

const columnsFor = (propose: (person: CohortPerson) => void): ListColumn<CohortPerson>[] => [
  {
    head: "이름",
    className: "font-semibold whitespace-nowrap",
    renderCell: ({ name, graduationYear }) => (
      <>
        {name}
        {graduationYear !== null && (
          <span className="tabular ml-2 text-sm font-normal text-gray-60">{graduationYear}년 졸업</span>
        )}
      </>
    ),
  },
  {
    head: "소속",
    label: true,
    renderCell: ({ affiliation, department, position }) =>
      [affiliation, department, position].filter(Boolean).join(" ") || "-",
  },
  {
    head: "연락처",
    label: true,
    className: "tabular",
    renderCell: ({ mobile, phone, email }) => (
      <span className="break-all">{[mobile || phone, email].filter(Boolean).join(" · ") || "-"}</span>
    ),
  },
  { head: "연락 상태", label: true, className: "whitespace-nowrap", renderCell: ({ reach }) => REACH_LABELS[reach] },
  {
    head: "수정 요청",
    className: "md:w-80",
    renderCell: (person) => <CorrectionCell person={person} propose={() => propose(person)} />,
  },
];

function CorrectionCell({ person: { name, correction }, propose }: { person: CohortPerson; propose: () => void }) {
  const isWaiting = correction?.state === "waiting";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {correction && (
        <span className="min-w-0 text-sm text-gray-70">
          <CorrectionStateBadge state={correction.state} />{" "}
          {correction.fields.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", ")}{" "}
          <Time date={correction.createdDate} />
          {correction.answer && <span className="block">사무국의 답: {correction.answer}</span>}
        </span>
      )}
      {correction && isWaiting ? (
        <QuestionButton
          question={{
            label: "거두기",
            title: `${name}님의 수정 요청을 거두시겠습니까?`,
            text: "거둔 뒤에 다시 보내실 수 있습니다.",
            work: () => callApi(api.cohort.correction[":id"].$delete({ param: { id: correction.id } })),
            done: "수정 요청을 거두었습니다.",
          }}
        >
          거두기<span className="sr-only">: {name}</span>
        </QuestionButton>
      ) : (
        <Button size="sm" onClick={propose}>
          알려 주기<span className="sr-only">: {name}</span>
        </Button>
      )}
    </div>
  );
}

interface CohortPeopleProps {
  people: readonly CohortPerson[];
  fields: readonly ProposedField[];
  shown: CohortShown;
}

export function CohortPeople({ people, fields, shown }: CohortPeopleProps) {
  const say = useWords();
  const [person, setPerson] = useState<CohortPerson | null>(null);
  return (
    <>
      <ListTable
        caption={say("같은 기수의 {동문}")}
        columns={columnsFor(setPerson)}
        rows={people}
        keyOf={({ id }) => id}
        emptyText={
          shown === "unreached" ? "메일이 닿지 않는 사람이 없습니다." : say("이 기수의 {동문:이/가} 없습니다.")
        }
      />
      <CorrectionDialog key={person?.id} person={person} fields={fields} onClose={() => setPerson(null)} />
    </>
  );
}

interface CorrectionDialogProps {
  person: Pick<CohortPerson, "id" | "name"> | null;
  fields: readonly ProposedField[];
  onClose: () => void;
}

const typeOf = (field: ProposedField) =>
  field === "mobile" || field === "phone" ? "tel" : field === "email" ? "email" : "text";
const isWide = (field: ProposedField) => field === "address" || field === "email";

/** Fields start empty because the representative may not be allowed to see the stored values. */
function CorrectionDialog({ person, fields, onClose }: CorrectionDialogProps) {
  const { busy, run, clear, fields: errors, general } = useAction();
  const close = () => {
    clear();
    onClose();
  };
  const submit = async (form: FormData) => {
    if (!person) return;
    const typed = fields
      .map((field) => [field, formText(form, field).trim()] as const)
      .filter(([, text]) => text !== "");
    const json = { ...Object.fromEntries(typed), note: formText(form, "note").trim() };
    const work = () => callApi(api.cohort.person[":id"].correction.$put({ param: { id: person.id }, json }));
    if (await run(work, "사무국에 보냈습니다. 확인한 뒤에 반영합니다.")) close();
  };
  return (
    <FormDialog
      open={person !== null}
      onClose={close}
      title={`${person?.name ?? ""}님의 달라진 내용`}
      submitLabel="보내기"
      size="lg"
      busy={busy}
      error={general}
      onSubmit={(form) => void submit(form)}
    >
      <p className="text-gray-70">아시는 것만 적어 주십시오. 비운 칸은 그대로 둡니다.</p>
      <div className="grid gap-4 md:grid-cols-2">
        {fields.map((field) => (
          <Field
            key={field}
            label={ALUMNI_COLUMN_LABELS[field]}
            error={errors[field]}
            className={isWide(field) ? "md:col-span-2" : undefined}
          >
            <Input
              name={field}
              type={typeOf(field)}
              autoComplete="off"
              maxLength={ALUMNI_MAX_LENGTHS[field]}
              onInput={(event) => {
                if (field === "mobile") event.currentTarget.value = hyphenatePhone(event.currentTarget.value);
              }}
            />
          </Field>
        ))}
      </div>
      <Field label="어떻게 아셨는지" required hint="예: 11월 22일 본인과 통화" error={errors.note}>
        <Textarea name="note" rows={2} maxLength={SIZE_LIMITS.reasonLength} />
      </Field>
    </FormDialog>
  );
}

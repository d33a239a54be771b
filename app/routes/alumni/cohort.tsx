import { labelled, type ListColumn, ListTable, useListSearch } from "#app/features/list/searched-list.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { formatCount } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Empty } from "#app/ui/empty.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import {
  COHORT_PATH,
  type CohortPerson,
  type CohortShown,
  CORRECTION_DESK,
  type ProposedField,
} from "#worker/contract/alumni/representative.ts";
import { listCohortQuery } from "#worker/contract/alumni/representative-input.ts";
import { listCohort } from "#worker/domain/alumni/cohort.server.ts";
import type { Route } from "./+types/cohort";
import { useWords } from "#app/lib/page-language.ts";
import { useState } from "react";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { formText, QuestionButton } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { StateBadge, Time } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { ALUMNI_COLUMN_LABELS, ALUMNI_MAX_LENGTHS } from "#worker/contract/alumni/columns.ts";
import { REACH_LABELS } from "#worker/contract/alumni/figures.ts";
import { hyphenatePhone } from "#app/features/account/hyphenate-phone.ts";
import { Field, Input, Textarea } from "#app/ui/field.tsx";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  loadSearchedList(request, listCohortQuery, (query) => listCohort(scope, query, "page")),
);

export const meta = titledMeta("기수 대표");

const SHOWN_LABELS: Record<CohortShown, string> = { unreached: "메일이 닿지 않는 사람", all: "모두" };

export default function CohortRoute({ loaderData: list }: Route.ComponentProps) {
  const { href } = useListSearch(COHORT_PATH);
  const { cohort, cohorts, shown } = list;
  const path = (search: Record<string, string>) => `${COHORT_PATH}?${new URLSearchParams(search)}`;
  return (
    <>
      <PageHeader
        title={cohort === null ? "기수 대표" : `${cohort}기 대표`}
        description="같은 기수의 달라진 연락처와 소속을 알려 주십시오. 사무국이 확인한 뒤에 주소록에 반영합니다."
      />
      <div className="container-page pt-4 pb-16 md:pt-6 md:pb-24">
        {cohort === null ? (
          <Empty className="border-y border-gray-20">맡으신 기수가 없습니다.</Empty>
        ) : (
          <SigninGate className="min-w-0">
            {cohorts.length > 1 && (
              <Tabs
                label="맡은 기수"
                tabs={cohorts.map((each) => ({
                  label: `${each}기`,
                  href: path({ cohort: String(each), shown }),
                  current: each === cohort,
                }))}
              />
            )}
            <Tabs
              label="볼 사람"
              tabs={(["unreached", "all"] as const).map((each) => ({
                label: SHOWN_LABELS[each],
                href: path({ cohort: String(cohort), shown: each }),
                current: each === shown,
              }))}
            />
            <p role="status" className="tabular my-4 text-gray-70">
              {formatCount(list.totalElements)}명
            </p>
            <CohortPeople people={list.content} fields={list.fields} shown={shown} />
            <Pager list={list} href={href} label="기수 페이지 이동" />
          </SigninGate>
        )}
      </div>
    </>
  );
}

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
  labelled(
    "소속",
    ({ affiliation, department, position }) => [affiliation, department, position].filter(Boolean).join(" ") || "-",
  ),
  labelled(
    "연락처",
    ({ mobile, phone, email }) => (
      <span className="break-all">{[mobile || phone, email].filter(Boolean).join(" · ") || "-"}</span>
    ),
    "tabular",
  ),
  labelled("연락 상태", ({ reach }) => REACH_LABELS[reach], "whitespace-nowrap"),
  {
    head: "수정 요청",
    className: "md:w-80",
    renderCell: (person) => <CorrectionCell person={person} propose={() => propose(person)} />,
  },
];

function CorrectionCell({ person: { name, correction }, propose }: { person: CohortPerson; propose: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      {correction && (
        <span className="min-w-0 text-sm text-gray-70">
          <StateBadge desk={CORRECTION_DESK} state={correction.state} />{" "}
          {correction.fields.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", ")}{" "}
          <Time date={correction.createdDate} />
          {correction.answer && <span className="block">사무국의 답: {correction.answer}</span>}
        </span>
      )}
      {correction && hasCommand(CORRECTION_DESK, "withdraw", correction.state) ? (
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

function CohortPeople({ people, fields, shown }: CohortPeopleProps) {
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
  const propose = async (form: FormData) => {
    if (!person) return undefined;
    const typed = fields
      .map((field) => [field, formText(form, field).trim()] as const)
      .filter(([, text]) => text !== "");
    const json = { ...Object.fromEntries(typed), note: formText(form, "note").trim() };
    return callApi(api.cohort.person[":id"].correction.$put({ param: { id: person.id }, json, header: ONCE }));
  };
  return (
    <ActionDialog
      open={person !== null}
      onClose={onClose}
      title={`${person?.name ?? ""}님의 달라진 내용`}
      submitLabel="보내기"
      size="lg"
      work={propose}
      done="사무국에 보냈습니다. 확인한 뒤에 반영합니다."
    >
      {(errors) => (
        <>
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
        </>
      )}
    </ActionDialog>
  );
}

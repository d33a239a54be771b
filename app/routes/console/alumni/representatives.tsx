import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, ListTable, useListSearch } from "#app/features/list/searched-list.tsx";
import { formatCount, lastDayOf } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { listCorrectionsQuery, listHeldAddressesQuery } from "#worker/contract/alumni/representative-input.ts";
import {
  countWaitingCorrections,
  listCorrections,
  type CorrectionRow,
} from "#worker/domain/alumni/correction.server.ts";
import { HeldAddresses } from "#app/features/alumni/held-addresses.tsx";
import { countHeldAddresses, listHeldAddresses } from "#worker/domain/alumni/held-address.server.ts";
import { listRepresentatives, type Representative } from "#worker/domain/alumni/cohort.server.ts";
import type { Route } from "./+types/representatives";
import { formText, QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { StateBadge, TextLink, Time } from "#app/ui/inline.tsx";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import { Card } from "#app/ui/card.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { ALUMNI_COLUMN_LABELS } from "#worker/contract/alumni/columns.ts";
import { CORRECTION_DESK, REPRESENTATIVE_LIMITS } from "#worker/contract/alumni/representative.ts";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { useWords } from "#app/lib/page-language.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { NumberField } from "#app/ui/number-field.tsx";

const PATH = "/Admin/Representatives";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const state = new URL(request.url).searchParams.get("state");
  const shown = state === "waiting" || state === "decided" || state === "held" ? state : null;
  const isDesk = shown === "waiting" || shown === "decided";
  const [list, addresses, representatives, waiting, held] = await Promise.all([
    isDesk ? loadSearchedList(request, listCorrectionsQuery, (query) => listCorrections(scope, query)) : null,
    shown === "held"
      ? loadSearchedList(request, listHeldAddressesQuery, (query) => listHeldAddresses(scope, query))
      : null,
    shown === null ? listRepresentatives(scope) : [],
    countWaitingCorrections(scope),
    countHeldAddresses(scope),
  ]);
  return { list, addresses, representatives, waiting, held, shown };
});

export default function RepresentativesPage({ loaderData }: Route.ComponentProps) {
  const { list, addresses, representatives, waiting, held, shown } = loaderData;
  const { href } = useListSearch(PATH);
  return (
    <>
      <ConsoleHeader
        description="대표는 맡은 기수만 보고, 고칠 내용을 알려 옵니다. 알려 온 요청은 비교하여 반영합니다."
        action={<AppointButton />}
      />
      <Tabs
        label="기수 대표와 수정 요청"
        tabs={[
          { label: "대표", href: PATH, current: shown === null },
          { label: `승인 대기 ${formatCount(waiting)}`, href: `${PATH}?state=waiting`, current: shown === "waiting" },
          { label: "처리한 요청", href: `${PATH}?state=decided`, current: shown === "decided" },
          { label: `확인할 이메일 ${formatCount(held)}`, href: `${PATH}?state=held`, current: shown === "held" },
        ]}
      />
      <div className="mt-4">
        {addresses ? (
          <>
            <HeldAddresses rows={addresses.content} />
            <Pager list={addresses} href={href} label="확인할 이메일 페이지 이동" />
          </>
        ) : list === null ? (
          <RepresentativeList representatives={representatives} />
        ) : (
          <>
            <h2 className="sr-only">수정 요청</h2>
            <CorrectionQueue
              corrections={list.content}
              emptyText={shown === "waiting" ? "기다리는 수정 요청이 없습니다." : "처리한 수정 요청이 없습니다."}
            />
            <Pager list={list} href={href} label="수정 요청 페이지 이동" />
          </>
        )}
      </div>
    </>
  );
}

function CorrectionQueue({ corrections, emptyText }: { corrections: readonly CorrectionRow[]; emptyText: string }) {
  if (corrections.length === 0) return <Empty className="border-y border-gray-20">{emptyText}</Empty>;
  return (
    <ul className="grid gap-4">
      {corrections.map((row) => (
        <li key={row.id}>
          <CorrectionCard row={row} />
        </li>
      ))}
    </ul>
  );
}

function CorrectionCard({ row }: { row: CorrectionRow }) {
  const { personName, personId, cohort, userName, state, fields, note, answer, createdDate, decidedDate } = row;
  const isWaiting = hasCommand(CORRECTION_DESK, "accept", state);
  return (
    <Card className="p-4 md:p-5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="text-lg font-bold">
          {personName ? (
            <TextLink to={`/Alumni?${new URLSearchParams({ keyword: personName, person: personId })}`}>
              {personName}
            </TextLink>
          ) : (
            "주소록에 없는 사람"
          )}
        </h3>
        <span className="text-gray-70">{cohort}기</span>
        <StateBadge desk={CORRECTION_DESK} state={state} />
        <span className="tabular text-sm text-gray-60">
          {userName || "탈퇴한 회원"} · <Time date={createdDate} />
          {decidedDate && (
            <>
              {" → "}
              <Time date={decidedDate} />
            </>
          )}
        </span>
      </div>
      {isWaiting ? (
        <Changes row={row} />
      ) : (
        <p className="mt-2 text-gray-70">{fields.map((field) => ALUMNI_COLUMN_LABELS[field]).join(", ")}</p>
      )}
      {note && <p className="mt-3 text-gray-80">알게 된 경위: {note}</p>}
      {answer && <p className="mt-2 text-gray-80">돌려보낸 사유: {answer}</p>}
      {row.accountName && (
        <Alert tone="warning" className="mt-3">
          {row.accountName} 회원이 이 이메일로 로그인합니다. 반영하면 그 회원이 이 사람의 정보를 보고 고칠 수 있습니다.
        </Alert>
      )}
      {isWaiting && <Decision row={row} />}
    </Card>
  );
}

function Changes({ row: { changes } }: { row: CorrectionRow }) {
  return (
    <dl className="mt-3 divide-y divide-gray-20 border-y border-gray-20">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="grid gap-x-4 py-2 md:grid-cols-[8rem_1fr_1fr]">
          <dt className="font-semibold">{ALUMNI_COLUMN_LABELS[field]}</dt>
          <dd className="min-w-0 text-gray-70">
            <span className="mr-2 text-sm text-gray-60">지금</span>
            {before || "-"}
          </dd>
          <dd className="min-w-0 text-gray-90">
            <span className="mr-2 text-sm text-gray-60">알려 온 값</span>
            {before === after ? "같음" : after}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Decision({ row: { id, personName, version } }: { row: CorrectionRow }) {
  const name = personName || "이 사람";
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {personName && (
        <QuestionButton
          variant="primary"
          question={{
            label: "반영",
            title: `${name}님의 정보를 알려 온 값으로 고치시겠습니까?`,
            text: "그 사람에게 고친 항목을 메일로 알립니다.",
            work: () => callApi(api.admin.correction[":id"].accept.$post({ param: { id }, json: { version } })),
            done: "주소록에 반영하였습니다.",
          }}
        >
          반영<span className="sr-only">: {name}</span>
        </QuestionButton>
      )}
      <QuestionButton
        question={{
          label: "돌려보내기",
          title: `${name}님의 수정 요청을 돌려보내시겠습니까?`,
          reasonHint: `기수 대표가 읽으며, ${REASON_HINT}`,
          work: (reason) => callApi(api.admin.correction[":id"].refuse.$post({ param: { id }, json: { reason } })),
          done: "수정 요청을 돌려보냈습니다.",
        }}
      >
        돌려보내기<span className="sr-only">: {name}</span>
      </QuestionButton>
    </div>
  );
}

const COLUMNS: ListColumn<Representative>[] = [
  { head: "기수", className: "tabular font-semibold whitespace-nowrap", renderCell: ({ cohort }) => `${cohort}기` },
  {
    head: "대표",
    renderCell: ({ userId, userName }) => <TextLink to={`/Admin/Members/${userId}`}>{userName}</TextLink>,
  },
  labelled(
    "마지막 날",
    ({ endDate, roleName, grantId }) =>
      endDate ? <Time date={lastDayOf(endDate)} /> : grantId ? "정하지 않음" : `기본 역할 '${roleName}'`,
    "whitespace-nowrap",
  ),
  labelled("메일이 닿지 않는 사람", ({ unreached }) => `${formatCount(unreached)}명`, "tabular whitespace-nowrap"),
  {
    head: "관리",
    hidesHead: true,
    renderCell: ({ userId, userName, cohort, grantId }) =>
      grantId && (
        <QuestionButton
          question={{
            label: "끝내기",
            title: `${userName} 회원의 ${cohort}기 대표를 끝내시겠습니까?`,
            text: "바로 그 기수를 볼 수 없게 됩니다. 보내 둔 수정 요청은 남습니다.",
            work: () =>
              callApi(api.admin.member[":id"]["role-grant"][":grantId"].$delete({ param: { id: userId, grantId } })),
            done: "기수 대표를 끝냈습니다.",
          }}
        >
          끝내기
          <span className="sr-only">
            : {userName} {cohort}기
          </span>
        </QuestionButton>
      ),
  },
];

const RepresentativeList = ({ representatives }: { representatives: readonly Representative[] }) => (
  <ListTable
    caption="기수 대표"
    columns={COLUMNS}
    rows={representatives}
    keyOf={({ userId, cohort, grantId }) => `${cohort} ${userId} ${grantId ?? ""}`}
    emptyText="정한 대표가 없습니다."
  />
);

function AppointButton() {
  const say = useWords();
  const appoint = (form: FormData) => {
    const json = {
      who: formText(form, "who").trim(),
      cohort: Number(formText(form, "cohort")),
      to: formText(form, "to"),
      reason: formText(form, "reason").trim(),
    };
    return callApi(api.admin.representative.$put({ json, header: ONCE }));
  };
  return (
    <ActionButton
      label="대표 정하기"
      title="기수 대표 정하기"
      submitLabel="정하기"
      work={appoint}
      done="기수 대표로 정하고 안내 메일을 보냈습니다."
      errorOf={({ fields, general }) => fields.roleCode ?? general}
      reasonExample="예: 2026년 12기 총회에서 뽑힘"
    >
      {(errors) => (
        <>
          <p className="text-gray-70">
            {say(
              "맡은 기수의 {동문:을/를} 회원에게 열린 만큼만 보고, 고칠 내용을 사무국에 보냅니다. 주소록을 바로 고치지는 못합니다.",
            )}
          </p>
          <Field label="회원" required hint="아이디나 이메일, 휴대전화" error={errors.who}>
            <Input name="who" autoComplete="off" maxLength={REPRESENTATIVE_LIMITS.who} />
          </Field>
          <div className="grid gap-4 md:grid-cols-2">
            <NumberField
              label="기수"
              required
              error={errors.cohort}
              name="cohort"
              min={1}
              max={REPRESENTATIVE_LIMITS.cohort}
            />
            <Field label="마지막 날" required error={errors.to}>
              <Input name="to" type="date" />
            </Field>
          </div>
        </>
      )}
    </ActionButton>
  );
}

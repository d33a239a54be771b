import { useWords } from "#app/lib/page-language.ts";
import { RecipientAddress } from "#app/features/mailing/mailing-status.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, SearchedTable } from "#app/features/list/searched-list.tsx";
import { RoundActions, RoundCohorts, RoundProgress } from "#app/features/mailing/round-progress.tsx";
import { RoundOutcomeBadge } from "#app/features/mailing/round-status.tsx";
import { formatCount } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { TextLink } from "#app/ui/inline.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { listRoundPeopleQuery } from "#worker/contract/mailing/input.ts";
import { REMINDER_DAYS, ROUND_FILTERS as FILTERS } from "#worker/contract/mailing/round.ts";
import { MAILING_CAUSE_NAMES } from "#worker/contract/mailing/mailing.ts";
import { previewDraftRound, type RoundPreview } from "#worker/domain/mailing/round.server.ts";
import {
  getRound,
  listRoundPeople,
  type RoundView,
  type RoundPersonRow,
} from "#worker/domain/mailing/round-figures.server.ts";
import type { Route } from "./+types/round";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { useState } from "react";
import { formText, REASON_HINT } from "#app/features/form/action.tsx";
import { MessagePreview } from "#app/features/mail/message-preview.tsx";
import { LeftOutList } from "#app/features/mailing/left-out-list.tsx";
import { LongReasonField } from "#app/features/form/reason-field.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { NumberField } from "#app/ui/number-field.tsx";

export const loader = pageLoader(async (scope, { request, params }: Route.LoaderArgs) => {
  const { id } = readPagePath(idPath, params);
  const [round, people, preview, { config }] = await Promise.all([
    getRound(scope, id),
    loadSearchedList(request, listRoundPeopleQuery, (query) => listRoundPeople(scope, id, query)),
    previewDraftRound(scope, id),
    scope.context(),
  ]);
  return { round, people, preview, origin: config.SITE_ORIGIN };
});

const COLUMNS: ListColumn<RoundPersonRow>[] = [
  {
    head: "이름",
    className: "max-md:font-semibold",
    renderCell: (row) =>
      row.name === "" ? (
        <span className="text-gray-60">삭제된 사람</span>
      ) : (
        <TextLink to={`/Alumni?${new URLSearchParams({ keyword: row.name })}`}>{row.name}</TextLink>
      ),
  },
  labelled("기수", (row) => (row.cohort === null ? "-" : `${row.cohort}기`), "whitespace-nowrap"),
  labelled("이메일", (row) => <RecipientAddress person={row} source="alumni" />, "break-all"),
  {
    head: "결과",
    renderCell: (row) => (
      <>
        <RoundOutcomeBadge outcome={row.outcome} />
        {row.cause !== "" && row.outcome !== "confirmed" && row.outcome !== "changed" && (
          <span className="ml-2 text-sm text-gray-60">{MAILING_CAUSE_NAMES[row.cause]}</span>
        )}
      </>
    ),
  },
];

export default function RoundPage({ loaderData: { round, people, preview, origin } }: Route.ComponentProps) {
  const say = useWords();
  const whom =
    round.chosen === null
      ? `${say("{동문주소록}에서 찾은 사람 모두")}(${round.segment.join(" · ")})에게 정보가 맞는지 묻습니다.`
      : say(`{동문주소록}에서 고른 ${formatCount(round.chosen)}명에게 정보가 맞는지 묻습니다.`);
  return (
    <>
      <ConsoleHeader
        title="이 정보가 맞습니까?"
        parent={{ label: "정보 확인", href: "/Admin/Rounds" }}
        description={whom}
        action={<RoundActions round={round} />}
      />
      {preview ? (
        <RoundStart round={round} preview={preview} origin={origin} />
      ) : (
        <>
          <RoundProgress round={round} />
          <ConsoleSection title="기수별 결과">
            <RoundCohorts round={round} />
          </ConsoleSection>
          <div id="people" className="mt-10 scroll-mt-24">
            <ConsoleSection title="사람별 결과">
              <SearchedTable
                name="사람별 결과"
                path={`/Admin/Rounds/${round.id}`}
                fields={FILTERS}
                list={people}
                filterClassName="md:grid-cols-3"
                table={{ columns: COLUMNS, keyOf: (row) => row.personId, emptyText: "조건에 맞는 사람이 없습니다." }}
              />
            </ConsoleSection>
          </div>
        </>
      )}
    </>
  );
}

function RoundStart({ round, preview, origin }: { round: RoundView; preview: RoundPreview; origin: string }) {
  const [starting, setStarting] = useState(false);
  return (
    <div className="grid items-start gap-8 xl:grid-cols-2">
      <div className="grid min-w-0 gap-5">
        <Alert tone={preview.count === 0 ? "warning" : "info"}>
          <p role="status" className="font-bold">
            {formatCount(preview.count)}명이 메일을 받습니다.
          </p>
          <LeftOutList leftOut={preview.leftOut} />
        </Alert>
        <ul className="list-disc space-y-1 pl-5 text-gray-70">
          <li>사람마다 자기만의 주소를 받으며, 같은 이메일을 쓰는 사람도 각각 받습니다.</li>
          <li>주소를 열면 일부를 가린 정보만 보이고, &lsquo;네, 맞습니다&rsquo;를 한 번 누르면 끝납니다.</li>
          <li>고치려면 같은 이메일로 간 인증번호나 로그인으로 한 번 더 확인합니다.</li>
          <li>답하지 않은 사람에게는 두 번 더 알립니다.</li>
        </ul>
        <div>
          <Button variant="primary" disabled={preview.count === 0} onClick={() => setStarting(true)}>
            {formatCount(preview.count)}명에게 묻기
          </Button>
        </div>
      </div>
      <div className="min-w-0">
        <MessagePreview subject={preview.sample.subject} text={preview.sample.text} origin={origin} />
        <p className="mt-3 text-sm text-gray-60">
          글은 <TextLink to="/Admin/MailTemplates/confirmRequest">메일 문구</TextLink>에서 고치실 수 있습니다.
        </p>
      </div>
      <StartDialog round={round} count={preview.count} open={starting} onClose={() => setStarting(false)} />
    </div>
  );
}

interface StartDialogProps {
  round: RoundView;
  count: number;
  open: boolean;
  onClose: () => void;
}

function StartDialog({ round, count, open, onClose }: StartDialogProps) {
  const start = (form: FormData) => {
    const json = {
      version: round.version,
      count,
      reminderDays: Number(formText(form, "reminderDays")),
      repeats: form.has("repeats"),
      reason: formText(form, "reason").trim(),
    };
    return callApi(api.admin.round[":id"].start.$post({ param: { id: round.id }, json }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`${formatCount(count)}명에게 정보가 맞는지 물으시겠습니까?`}
      submitLabel="시작"
      work={start}
      done={`${formatCount(count)}명에게 묻기 시작하였습니다.`}
      errorOf={({ fields, problem }) => (fields.reason || fields.reminderDays ? null : problem)}
    >
      {(errors) => (
        <>
          <NumberField
            label="다시 알리는 간격(일)"
            required
            hint="답이 없으면 이만큼 지날 때마다 두 번 더 알리고, 마지막으로 알린 뒤 다시 이만큼 지나면 끝납니다."
            error={errors.reminderDays}
            name="reminderDays"
            min={REMINDER_DAYS.min}
            max={REMINDER_DAYS.max}
            defaultValue={round.reminderDays}
          />
          {round.chosen === null && (
            <Checkbox
              name="repeats"
              label={`해마다 같은 날에 같은 조건의 사람에게 다시 묻기 (${round.segment.join(" · ")})`}
            />
          )}
          <LongReasonField hint={REASON_HINT} error={errors.reason} />
        </>
      )}
    </ActionDialog>
  );
}

import type { ComponentProps } from "react";
import { useNavigate } from "react-router";
import { DescriptionList } from "#app/features/account/mypage/mypage-section.tsx";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import {
  eventFiguresHref,
  eventHref,
  eventParam,
  eventSettingHref,
  nameTagsHref,
} from "#app/features/event/event-paths.ts";
import { FeeText } from "#app/features/event/fee-text.tsx";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { ChangeActions } from "#app/features/event/change-actions.tsx";
import { RegistrationActs } from "#app/features/event/registration-acts.tsx";
import { PhaseBadge, RegistrationBadge } from "#app/features/event/registration-state.tsx";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText, QuestionButton } from "#app/features/form/action.tsx";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { ExportButton } from "#app/features/form/export-button.tsx";
import { labelled, type ListColumn, SearchedTable, useListSearch } from "#app/features/list/searched-list.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import {
  EVENT_DESK,
  FEE_STATES,
  MAILED_PEOPLE,
  type MailedPeople,
  REGISTRATION_LIMITS,
} from "#worker/contract/event/event.ts";
import { REGISTRATION_FILTERS } from "#worker/contract/event/fields.ts";
import { listRegistrationsQuery } from "#worker/contract/event/input.ts";
import type { EventPage, EventSetting, RegistrationRow } from "#worker/contract/event/view.ts";
import type { IssuedCertificates } from "#worker/domain/event/certificate.server.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { lookUp, valuesOf } from "#worker/contract/kernel/labels.ts";
import { getEventPage } from "#worker/domain/event/event.server.ts";
import { listRegistrations } from "#worker/domain/event/registration-list.server.ts";
import type { Route } from "./+types/event";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const path = readEventPath(params);
  const [page, list] = await Promise.all([
    getEventPage(scope, path),
    loadSearchedList(request, listRegistrationsQuery, (query) => listRegistrations(scope, path, query)),
  ]);
  return { page, list, payDay: page.canPay ? koreanDay(scope.now()) : null };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.page.item.title ?? "행사 신청", "관리"] });

export default function EventConsolePage({ loaderData: { page, list, payDay } }: Route.ComponentProps) {
  const { item, isHeld, phase, setting, counts } = page;
  const path = eventHref(item);
  const { spanText } = useEventTexts();
  return (
    <>
      <ConsoleHeader
        title={item.title}
        parent={{ label: "행사 신청", href: "/Admin/Events" }}
        links={[
          { label: "글 보기", href: boardItemHref(item.boardCode, item.itemNo) },
          { label: "신청 설정", href: eventSettingHref(item) },
          ...(setting
            ? [
                { label: "신청 통계", href: eventFiguresHref(item) },
                { label: "이름표 인쇄", href: nameTagsHref(item) },
              ]
            : []),
        ]}
        action={<EventActions page={page} />}
      />
      <DescriptionList
        items={[
          ...(item.event ? [["일시", spanText(item.event)] as const] : []),
          [
            "신청 기간",
            setting && phase && (
              <span key="times" className="flex flex-wrap items-center gap-2">
                <span>
                  <Time date={setting.value.openDate} format="datetime" />~
                  <Time date={setting.value.closeDate} format="datetime" />
                </span>
                <PhaseBadge phase={phase} />
              </span>
            ),
          ],
          ["정원", setting?.value.places == null ? "정하지 않음" : `${formatCount(setting.value.places)}명`],
          [
            "신청",
            <ul key="counts" className="tabular flex flex-wrap gap-x-5 gap-y-1">
              {EVENT_DESK.names.map((status) => (
                <li key={status}>
                  <TextLink to={`${path}?status=${status}`}>{EVENT_DESK.states[status]}</TextLink>{" "}
                  <strong>{formatCount(counts[status])}</strong>명
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      <ConsoleSection title="신청한 사람">
        <SearchedTable
          name="신청한 사람"
          unit="명"
          path={path}
          fields={filtersOf(setting?.value ?? NOTHING_ASKED)}
          list={list}
          filterClassName="md:grid-cols-4"
          table={{
            columns: columnsOf(setting?.value ?? NOTHING_ASKED, { isHeld, payDay }),
            keyOf: (row) => row.id,
            emptyText: "신청한 사람이 없습니다.",
          }}
        />
      </ConsoleSection>
    </>
  );
}

type Questions = EventSetting["questions"];
type Asked = Pick<EventSetting, "questions" | "fees" | "attendance">;
const NOTHING_ASKED: Asked = { questions: [], fees: [], attendance: "none" };

function filtersOf({ fees }: Asked) {
  const { fee, ...filters } = REGISTRATION_FILTERS;
  return fees.length > 0 ? { ...filters, fee } : filters;
}

const columnsOf = (
  { questions, fees, attendance }: Asked,
  more: Pick<ComponentProps<typeof RegistrationActs>, "isHeld" | "payDay">,
): ListColumn<RegistrationRow>[] => [
  {
    head: "이름",
    className: "max-md:font-semibold whitespace-nowrap",
    renderCell: ({ userId, userName, isGuest }) =>
      isGuest ? (
        <>
          {userName} <Badge>비회원</Badge>
        </>
      ) : userName ? (
        <TextLink to={`/Admin/Members/${userId}`}>{userName}</TextLink>
      ) : (
        "탈퇴한 회원"
      ),
  },
  labelled("상태", (row) => <RegistrationBadge {...row} />, "whitespace-nowrap"),
  labelled("연락처", ({ contact }) => contact),
  ...(fees.length > 0 ? [labelled<RegistrationRow>("참가비", (row) => <RowFee {...row} />)] : []),
  ...(questions.length > 0 ? [labelled<RegistrationRow>("답", (row) => <Answers {...{ questions, row }} />)] : []),
  labelled(
    "신청한 때",
    ({ createdDate }) => <Time date={createdDate} format="datetime" />,
    "text-sm whitespace-nowrap",
  ),
  { head: "관리", hidesHead: true, renderCell: (row) => <RegistrationActs {...{ row, attendance, ...more }} /> },
];

const RowFee = ({ fee, status }: RegistrationRow) =>
  fee && (
    <>
      <FeeText fee={fee} />
      {status === "cancelled" && fee.paid > 0 && <Badge tone="warning">{FEE_STATES.refund}</Badge>}
    </>
  );

function Answers({ questions, row }: { questions: Questions; row: RegistrationRow }) {
  const given = questions.flatMap(({ code, name }) => {
    const text = ownFieldValueText(lookUp(row.answers, code));
    return text ? [{ code, name, text }] : [];
  });
  return (
    <ul className="text-sm">
      {given.map(({ code, name, text }) => (
        <li key={code}>
          <span className="text-gray-60">{name}</span> {text}
        </li>
      ))}
    </ul>
  );
}

const issuedText = ({ count, leftOut }: IssuedCertificates) =>
  [
    `${formatCount(count)}명에게 이수증을 발급하였습니다.`,
    ...leftOut.map((left) => `발급하지 못한 사람: ${formatCount(left.count)}명(${left.cause})`),
  ].join(" ");

const MAILED = valuesOf(MAILED_PEOPLE);
const AT_DOOR = "현장 등록";

function EventActions({ page: { item, isHeld, setting, counts, canCertify } }: { page: EventPage }) {
  const { fees } = setting?.value ?? NOTHING_ASKED;
  const navigate = useNavigate();
  const { filter } = useListSearch(eventHref(item));
  const call = api.admin.event[":boardCode"][":itemNo"];
  const param = eventParam(item);
  const total = EVENT_DESK.names.reduce((sum, status) => sum + counts[status], 0);
  const add = (form: FormData, more: { reason: string; isPresent?: boolean }) => {
    const text = (name: string) => formText(form, name).trim();
    const json = { who: text("who"), feeCode: text("feeCode"), ...more };
    return callApi(call.registration.$post({ param, json, header: ONCE }));
  };
  const whoField = (errors: Record<string, string>) => (
    <>
      <p className="text-gray-70">바로 확정합니다. 빈자리가 없으면 정원을 한 자리 늘립니다.</p>
      <Field label="회원" required hint="아이디나 이메일, 휴대전화" error={errors.who}>
        <Input name="who" autoComplete="off" maxLength={REGISTRATION_LIMITS.who} />
      </Field>
      {fees.length > 0 && (
        <Field label="참가비" required error={errors.feeCode}>
          <Select
            name="feeCode"
            options={fees.map(({ code, name, amount }) => ({
              value: code,
              label: `${name} ${KOREAN_REGISTER_TEXTS.won(amount)}`,
            }))}
          />
        </Field>
      )}
    </>
  );
  return (
    <>
      <ExportButton
        object="신청한 사람을"
        disabled={total === 0}
        request={(json) => call.export.$post({ param, json: { ...json, filter: filter(REGISTRATION_FILTERS) } })}
      />
      {isHeld && setting && setting.value.attendance !== "none" && (
        <ActionButton
          label={AT_DOOR}
          title="현장에서 신청을 받고 출석으로 표시"
          submitLabel="출석"
          work={(form) => add(form, { reason: AT_DOOR, isPresent: true })}
          done="신청에 더하고 출석으로 표시하였습니다."
        >
          {whoField}
        </ActionButton>
      )}
      {isHeld && (
        <ActionButton
          label="사람 더하기"
          title="신청에 사람 더하기"
          submitLabel="더하기"
          work={(form) => add(form, { reason: formText(form, "reason").trim() })}
          done="신청에 더하고 알렸습니다."
          reasonExample="예: 전화로 신청함"
        >
          {whoField}
        </ActionButton>
      )}
      {setting && (
        <ActionButton
          label="메일·문자 보내기"
          title="신청한 사람에게 메일·문자 보내기"
          submitLabel="쓰기"
          reloads="never"
          work={(form) =>
            callApi(call.mailing.$post({ param, json: { to: formText(form, "to") as MailedPeople }, header: ONCE }))
          }
          done={null}
          onDone={({ id }) => navigate(`/Admin/Mailings/${id}`)}
        >
          {(errors) => (
            <>
              <p className="text-gray-70">
                보낼 때 그 상태인 사람에게 보냅니다. 보내기 전에 내용과 받는 사람을 봅니다.
              </p>
              <Field label="받는 사람" required error={errors.to}>
                <Select
                  name="to"
                  options={MAILED.filter((to) => to !== "unpaid" || fees.length > 0).map((to) => ({
                    value: to,
                    label: MAILED_PEOPLE[to],
                  }))}
                />
              </Field>
            </>
          )}
        </ActionButton>
      )}
      {setting?.value.certificateKindId && canCertify && counts.present > 0 && (
        <QuestionButton
          question={{
            label: "이수증 발급",
            title: "출석한 사람에게 이수증을 발급하시겠습니까?",
            text: <p>아직 받지 않은 사람에게만 발급합니다. 마이페이지의 증명서에서 인쇄할 수 있습니다.</p>,
            work: () => callApi(call.certificate.$post({ param })),
            done: issuedText,
          }}
        />
      )}
      {setting && (
        <ChangeActions
          {...{ item, isHeld }}
          isOpen={isHeld || counts.waiting + counts.confirmed > 0}
          version={setting.version}
        />
      )}
      {setting && total === 0 && (
        <QuestionButton
          question={{
            label: "신청 없애기",
            title: "이 행사의 신청을 없애시겠습니까?",
            text: <p>아무도 신청하지 않았습니다. 글은 그대로 있고, 언제든 다시 받을 수 있습니다.</p>,
            danger: true,
            reloads: "never",
            work: () => callApi(call.$delete({ param, query: { version: String(setting.version) } })),
            done: "신청을 없앴습니다.",
            onDone: () => navigate("/Admin/Events"),
          }}
        />
      )}
    </>
  );
}

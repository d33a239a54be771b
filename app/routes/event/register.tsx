import { useState } from "react";
import { Link } from "react-router";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { boardItemHref, boardListHref } from "#app/features/board/board-paths.ts";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { AnswerForm, type GivenAnswers } from "#app/features/event/answer-form.tsx";
import { eventParam } from "#app/features/event/event-paths.ts";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { RegistrationBadge, RegistrationState } from "#app/features/event/registration-state.tsx";
import { Ticket } from "#app/features/event/ticket.tsx";
import { FeeText } from "#app/features/event/fee-text.tsx";
import { HowToPay } from "#app/features/alumni/dues/how-to-pay.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { signinPathFor } from "#app/lib/return-url.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import { isEnded } from "#worker/contract/kernel/desk.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { EVENT_DESK, registrationHref } from "#worker/contract/event/event.ts";
import type { OwnRegistration, RegistrationPage } from "#worker/contract/event/view.ts";
import { getRegistrationPage } from "#worker/domain/event/registration.server.ts";
import type { Route } from "./+types/register";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  getRegistrationPage(scope, readEventPath(params)),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData ? pageMeta({ matches, title: [loaderData.item.title, "행사 신청"] }) : [];

export default function RegisterPage({ loaderData: page }: Route.ComponentProps) {
  const { item, boardName, mine, can } = page;
  const isRegistered = mine !== null && !isEnded(EVENT_DESK, mine.status);
  return (
    <>
      <PageHeader title="행사 신청" parents={[{ label: boardName, href: boardListHref(item.boardCode) }]} />
      <SigninGate className="container-page container-reading grid gap-10 pt-8 pb-16 md:pt-10 md:pb-24">
        <EventFacts page={page} />
        {isRegistered ? (
          <OwnRegistrationPart key={mine.id} page={page} mine={mine} />
        ) : can.register ? (
          <RegisterPart page={page} />
        ) : (
          <Refusal page={page} />
        )}
      </SigninGate>
    </>
  );
}

function EventFacts({ page }: { page: RegistrationPage }) {
  const { boardCode, itemNo, title, event } = page.item;
  const { spanText } = useEventTexts();
  return (
    <section aria-labelledby="event-title" className="rounded-xl bg-primary-5 p-5 md:p-7">
      <h2 id="event-title" className="text-xl">
        <Link to={boardItemHref(boardCode, itemNo)} className="underline-offset-4 hover:underline">
          {title}
        </Link>
      </h2>
      {event && (
        <p className="mt-2">
          <span className="tabular font-semibold">{spanText(event)}</span> {event.place}
        </p>
      )}
      <div className="mt-4">
        <RegistrationState registration={page} />
      </div>
    </section>
  );
}

function Refusal({ page: { item, refusal } }: { page: RegistrationPage }) {
  const isGuest = useSiteFrame()?.user == null;
  return (
    <Alert title={refusal}>
      {isGuest && (
        <ButtonLink
          to={signinPathFor(registrationHref(item.boardCode, item.itemNo), "ko")}
          variant="primary"
          className="mt-3"
        >
          로그인
        </ButtonLink>
      )}
    </Alert>
  );
}

const DONE = {
  confirmed: "신청이 확정되었습니다.",
  waiting: "대기자로 신청하였습니다. 자리가 나면 알려 드립니다.",
};

function RegisterPart({ page }: { page: RegistrationPage }) {
  const { item, questions, questionsVersion, fees, isFull, mine } = page;
  const call = api.event[":boardCode"][":itemNo"];
  const register = (given: GivenAnswers) =>
    callApi(call.$post({ param: eventParam(item), json: { ...given, joinsQueue: isFull }, header: ONCE })).catch(
      (error: unknown) => {
        // The reloaded page shows the registration.
        if (error instanceof AppError && error.code === "ALREADY_EXISTS") return error;
        throw error;
      },
    );
  const act = isFull ? "대기 신청" : "신청하기";
  return (
    <MypageSection
      title={isFull ? "대기자로 신청" : "신청"}
      hint={
        isFull
          ? "자리가 나면 먼저 신청하신 분부터 저절로 확정되고 알려 드립니다."
          : "이름과 연락처는 회원정보의 것을 씁니다."
      }
    >
      {mine && (
        <Alert className="mb-6" title="취소된 신청이 있습니다.">
          {mine.reason ? `사무국이 적은 사유: ${mine.reason}` : "다시 신청하실 수 있습니다."}
        </Alert>
      )}
      <AnswerForm
        label={act}
        submitLabel={act}
        {...{ questions, questionsVersion, fees }}
        {...(mine && { stored: mine.answers })}
        send={register}
        done={(result) => (result instanceof AppError ? result : DONE[result.status])}
      />
    </MypageSection>
  );
}

function OwnRegistrationPart({ page, mine }: { page: RegistrationPage; mine: OwnRegistration }) {
  const [editing, setEditing] = useState(false);
  const { id, answers, fee, pay, reason, createdDate, ticket, version, can } = mine;
  const { questions, questionsVersion, cancelUntil } = page;
  const call = api.event.registration[":id"];
  const param = { id };
  const cancel: Question = {
    label: "신청 취소",
    title: "신청을 취소하시겠습니까?",
    text: <p>취소하시면 자리는 기다리는 분께 넘어갑니다. 다시 신청하시면 맨 뒤에 섭니다.</p>,
    danger: true,
    work: () => callApi(call.cancel.$post({ param, json: { version } })),
    done: "신청을 취소하였습니다.",
  };
  return (
    <MypageSection
      title="내 신청"
      hint={
        can.cancel && (
          <>
            <Time date={cancelUntil} format="datetime" />
            까지 취소하실 수 있습니다.
          </>
        )
      }
    >
      <DescriptionList
        items={[
          ["상태", <RegistrationBadge key="status" {...mine} />],
          ["신청한 때", <Time key="created" date={createdDate} format="datetime" />],
          ...(fee ? [["참가비", <FeeText key="fee" fee={fee} />] as const] : []),
          ...(reason ? [["사무국이 적은 사유", reason] as const] : []),
          ...(editing
            ? []
            : questions.map(({ code, name }) => [name, ownFieldValueText(lookUp(answers, code)) || "-"] as const)),
        ]}
      />
      {pay && <HowToPay dues={[pay]} pay={pay} />}
      {ticket && <Ticket path={ticket} />}
      {editing ? (
        <div className="mt-8">
          <AnswerForm
            label="답 고치기"
            submitLabel="저장"
            {...{ questions, questionsVersion }}
            stored={answers}
            send={({ feeCode: _feeCode, ...given }) => callApi(call.$patch({ param, json: { ...given, version } }))}
            done="답을 고쳤습니다."
            onDone={() => setEditing(false)}
          />
        </div>
      ) : (
        <div className="mt-6 flex flex-wrap gap-2">
          {can.change && questions.length > 0 && (
            <Button size="sm" className="needs-script" onClick={() => setEditing(true)}>
              답 고치기
            </Button>
          )}
          {can.cancel && <QuestionButton className="needs-script" question={cancel} />}
        </div>
      )}
    </MypageSection>
  );
}

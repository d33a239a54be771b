import { useState } from "react";
import { Link } from "react-router";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { HowToPay } from "#app/features/alumni/dues/how-to-pay.tsx";
import { boardItemHref } from "#app/features/board/board-paths.ts";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { AnswerForm, type GivenAnswers } from "#app/features/event/answer-form.tsx";
import { FeeText } from "#app/features/event/fee-text.tsx";
import { RegistrationBadge, RegistrationState } from "#app/features/event/registration-state.tsx";
import { Ticket } from "#app/features/event/ticket.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import type { OwnRegistration, RegistrationPage, RegistrationSummary } from "#worker/contract/event/view.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";

export function EventFacts({ page }: { page: RegistrationSummary & Pick<RegistrationPage, "item"> }) {
  const { boardCode, itemNo, title, event } = page.item;
  const { spanText } = useEventTexts();
  return (
    <section aria-labelledby="event-title" className="rounded-xl bg-primary-5 p-5 md:p-7">
      <h2 id="event-title" className="text-xl">
        <Link to={boardItemHref(boardCode, itemNo)} className="underline-offset-4 hover:underline">
          {title || "비공개 행사"}
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

export interface OwnActs {
  change: (json: Omit<GivenAnswers, "feeCode"> & { version: number }) => Promise<unknown>;
  cancel: (json: { version: number }) => Promise<unknown>;
}

interface OwnRegistrationPartProps {
  page: Pick<RegistrationPage, "questions" | "questionsVersion" | "cancelUntil">;
  mine: OwnRegistration;
  acts: OwnActs;
}

/** State, answers and acts of one's own registration. */
export function OwnRegistrationPart({ page, mine, acts }: OwnRegistrationPartProps) {
  const [editing, setEditing] = useState(false);
  const { answers, fee, pay, reason, createdDate, ticket, version, can } = mine;
  const { questions, questionsVersion, cancelUntil } = page;
  const cancel: Question = {
    label: "신청 취소",
    title: "신청을 취소하시겠습니까?",
    text: <p>취소하시면 자리는 기다리는 분께 넘어갑니다. 다시 신청하시면 맨 뒤에 섭니다.</p>,
    danger: true,
    work: () => acts.cancel({ version }),
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
            send={({ feeCode: _feeCode, ...given }) => acts.change({ ...given, version })}
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

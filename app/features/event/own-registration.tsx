import { useState } from "react";
import { Link } from "react-router";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { HowToPay } from "#app/features/alumni/dues/how-to-pay.tsx";
import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { useEventTexts } from "#app/features/board/event/event-mark.tsx";
import { AnswerForm, type GivenAnswers } from "#app/features/event/answer-form.tsx";
import { FeeText } from "#app/features/event/fee-text.tsx";
import { RegistrationBadge, RegistrationState, useRegistrationTexts } from "#app/features/event/registration-state.tsx";
import { Ticket } from "#app/features/event/ticket.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_REGISTER_TEXTS } from "#app/lib/texts/korean-register.ts";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import { ownFieldValueText } from "#worker/contract/account/own-field.ts";
import type { OwnRegistration, RegistrationPage, RegistrationSummary } from "#worker/contract/event/view.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";

export function EventFacts({ page }: { page: RegistrationSummary & Pick<RegistrationPage, "item"> }) {
  const { boardCode, itemNo, title, event } = page.item;
  const { spanText } = useEventTexts();
  const { hidden } = useSection("register", KOREAN_REGISTER_TEXTS);
  const hrefs = useBoardHrefs();
  return (
    <section aria-labelledby="event-title" className="rounded-xl bg-primary-5 p-5 md:p-7">
      <h2 id="event-title" className="text-xl">
        <Link to={hrefs.item(boardCode, itemNo)} className="underline-offset-4 hover:underline">
          <UserText>{title || hidden}</UserText>
        </Link>
      </h2>
      {event && (
        <p className="mt-2">
          <span className="tabular font-semibold">{spanText(event)}</span> <UserText>{event.place}</UserText>
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
  const { own } = useRegistrationTexts();
  const texts = useSection("register", KOREAN_REGISTER_TEXTS);
  const { answers, fee, pay, reason, createdDate, ticket, version, can } = mine;
  const { questions, questionsVersion, cancelUntil } = page;
  const cancel: Question = {
    label: texts.cancel,
    title: texts.cancelTitle,
    text: <p>{texts.cancelText}</p>,
    danger: true,
    cancelLabel: texts.keep,
    work: () => acts.cancel({ version }),
    done: texts.cancelled,
  };
  return (
    <MypageSection
      title={own}
      hint={
        can.cancel && (
          <>
            {texts.cancelUntil.before}
            <Time date={cancelUntil} format="datetime" />
            {texts.cancelUntil.after}
          </>
        )
      }
    >
      <DescriptionList
        items={[
          [texts.status, <RegistrationBadge key="status" {...mine} />],
          [texts.created, <Time key="created" date={createdDate} format="datetime" />],
          ...(fee ? [[texts.fee, <FeeText key="fee" fee={fee} />] as const] : []),
          ...(reason ? [[texts.reason, reason] as const] : []),
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
            label={texts.change}
            submitLabel={texts.save}
            {...{ questions, questionsVersion }}
            stored={answers}
            send={({ feeCode: _feeCode, ...given }) => acts.change({ ...given, version })}
            done={texts.changed}
            onDone={() => setEditing(false)}
          />
        </div>
      ) : (
        <div className="mt-6 flex flex-wrap gap-2">
          {can.change && questions.length > 0 && (
            <Button size="sm" className="needs-script" onClick={() => setEditing(true)}>
              {texts.change}
            </Button>
          )}
          {can.cancel && <QuestionButton className="needs-script" question={cancel} />}
        </div>
      )}
    </MypageSection>
  );
}

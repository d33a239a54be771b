import { eventParam } from "#app/features/event/event-paths.ts";
import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText, type Question, QuestionButton } from "#app/features/form/action.tsx";
import { readRow, RowControls } from "#app/features/form/row-fields.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { addDays } from "#worker/contract/board/event-rules.ts";
import { MOVE_DAY_FIELDS, MOVE_FIELDS } from "#worker/contract/event/fields.ts";
import type { RegisteredItem } from "#worker/contract/event/view.ts";
import { startOfKoreanDay } from "#worker/contract/kernel/korea.ts";

interface ChangeActionsProps {
  item: RegisteredItem;
  isHeld: boolean;
  /** Somebody is still registered, or may be. */
  isOpen: boolean;
  version: number;
}

/** Moves or cancels the event, and tells all who registered. */
export function ChangeActions({ item, isHeld, isOpen, version }: ChangeActionsProps) {
  const call = api.admin.event[":boardCode"][":itemNo"];
  const param = eventParam(item);
  const callOff: Question = {
    label: "행사 취소",
    title: "행사를 취소하시겠습니까?",
    text: (
      <p>
        신청을 모두 취소하고 이메일이나 문자로 알립니다. 낸 참가비는 ‘환불할 것’으로 남습니다. 글과 달력에도 취소로
        보입니다.
      </p>
    ),
    danger: true,
    reasonHint: "신청한 사람에게 보내는 글에 들어갑니다.",
    work: (reason) => callApi(call["call-off"].$post({ param, json: { reason, version } })),
    done: "행사를 취소하였습니다. 신청한 사람에게 곧 알립니다.",
  };
  return (
    <>
      {isHeld && item.event && <MoveButton item={item} event={item.event} version={version} />}
      {isOpen && <QuestionButton question={callOff} variant="secondary" />}
    </>
  );
}

interface MoveButtonProps extends Pick<ChangeActionsProps, "item" | "version"> {
  event: NonNullable<RegisteredItem["event"]>;
}

function MoveButton({ item, event, version }: MoveButtonProps) {
  const { isAllDay, firstDay, lastDay, startDate, endDate, place } = event;
  const read = (form: FormData) => {
    if (!isAllDay) return readRow(MOVE_FIELDS, form);
    const days = readRow(MOVE_DAY_FIELDS, form);
    const startOf = (day: string, later = 0) => day && startOfKoreanDay(addDays(day, later)).toISOString();
    return { ...days, startDate: startOf(days.startDate), endDate: startOf(days.endDate, 1) };
  };
  const move = (form: FormData) => {
    const json = { ...read(form), isAllDay, reason: formText(form, "reason").trim(), version };
    return callApi(api.admin.event[":boardCode"][":itemNo"].move.$post({ param: eventParam(item), json }));
  };
  return (
    <ActionButton
      label="일정 변경"
      title="행사의 일정 바꾸기"
      submitLabel="바꾸고 알리기"
      work={move}
      done="일정을 바꾸었습니다. 신청한 사람에게 곧 알립니다."
      reasonExample="예: 대관 사정. 신청한 사람에게 보내는 글에 들어갑니다."
    >
      {(errors) => (
        <>
          <p className="text-gray-70">신청은 그대로 두고, 대기와 확정인 사람에게 전과 뒤의 일정을 알립니다.</p>
          {isAllDay ? (
            <RowControls
              fields={MOVE_DAY_FIELDS}
              values={{ startDate: firstDay, endDate: lastDay, place }}
              errors={errors}
            />
          ) : (
            <RowControls fields={MOVE_FIELDS} values={{ startDate, endDate, place }} errors={errors} />
          )}
        </>
      )}
    </ActionButton>
  );
}

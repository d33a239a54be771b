import { ActionButton } from "#app/features/form/action-dialog.tsx";
import { formText, useAction, QuestionButton, type Question } from "#app/features/form/action.tsx";
import { PaymentControls } from "#app/features/alumni/dues/payment-controls.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import {
  type Attendance,
  type AttendanceMark,
  EVENT_DESK,
  MARK_LABELS,
  REGISTRATION_MESSAGES,
  takesMark,
} from "#worker/contract/event/event.ts";
import type { RegistrationRow } from "#worker/contract/event/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { hasCommand } from "#worker/contract/kernel/desk.ts";
import { valuesOf } from "#worker/contract/kernel/labels.ts";

const MARKED: Record<AttendanceMark, string> = {
  present: "출석으로 표시하였습니다.",
  absent: "불참으로 표시하였습니다.",
  unmark: "표시를 지웠습니다.",
  leave: "퇴장으로 표시하였습니다.",
};

interface RegistrationActsProps {
  row: RegistrationRow;
  attendance: Attendance;
  /** False for a cancelled event, which takes nobody more. */
  isHeld: boolean;
  /** Today, for those who record payments. */
  payDay: string | null;
}

/** The commands of the office on a registration, by the table of the desk. */
export function RegistrationActs({ row, attendance, isHeld, payDay }: RegistrationActsProps) {
  const { id, userName, status, fee, version } = row;
  const call = api.admin.event.registration[":id"];
  const sent = (reason: string) => ({ param: { id }, json: { reason, version } });
  const named = <span className="sr-only">: {userName}</span>;
  const moveUp: Question = {
    label: "확정으로 올리기",
    title: `${userName}님의 신청을 확정하시겠습니까?`,
    text: <p>기다리는 순서와 관계없이 확정합니다. 빈자리가 없으면 정원을 한 자리 늘립니다.</p>,
    reasonHint: "감사 기록에 남고, 신청한 회원에게도 보입니다.",
    work: (reason) => callApi(call.up.$post(sent(reason))),
    done: "확정하고 알렸습니다.",
  };
  const cancel: Question = {
    label: "신청 취소",
    title: `${userName}님의 신청을 취소하시겠습니까?`,
    text: <p>자리는 먼저 기다리던 사람에게 넘어갑니다.</p>,
    danger: true,
    reasonHint: "감사 기록에 남고, 신청한 회원에게도 보입니다.",
    work: (reason) => callApi(call.cancel.$post(sent(reason))),
    done: "신청을 취소하고 알렸습니다.",
  };
  const paid = fee?.paid ?? 0;
  const refund: Question = {
    label: "환불 표시",
    title: `${userName}님에게 ${formatWon(paid)}을 돌려주셨습니까?`,
    text: <p>낸 참가비를 지우고, 그 입금은 환불한 것으로 닫습니다.</p>,
    danger: true,
    reasonHint: "감사 기록에 남습니다.",
    work: (reason) => callApi(call.refund.$post({ param: { id }, json: { reason, paid } })),
    done: "환불한 것으로 표시하였습니다.",
  };
  return (
    <span className="needs-script flex flex-wrap gap-2">
      {valuesOf(MARK_LABELS)
        .filter((mark) => takesMark(attendance, mark) && hasCommand(EVENT_DESK, mark, status))
        .map((mark) => (
          <MarkButton key={mark} mark={mark} row={row} size="sm" />
        ))}
      {isHeld && hasCommand(EVENT_DESK, "moveUp", status) && (
        <QuestionButton question={moveUp}>올리기{named}</QuestionButton>
      )}
      {hasCommand(EVENT_DESK, "cancelByOffice", status) && (
        <QuestionButton question={cancel} variant="secondary">
          취소{named}
        </QuestionButton>
      )}
      {payDay && fee && fee.amount > paid && (fee.state === "unpaid" || fee.state === "partial") && (
        <PaymentButton row={row} open={fee.amount - paid} today={payDay} />
      )}
      {payDay && status === "cancelled" && paid > 0 && (
        <QuestionButton question={refund} variant="secondary">
          환불{named}
        </QuestionButton>
      )}
    </span>
  );
}

/** Records a fee that was paid in cash or on another account. */
function PaymentButton({ row: { id, userName }, open, today }: { row: RegistrationRow; open: number; today: string }) {
  const record = (form: FormData) => {
    const text = (name: string) => formText(form, name);
    const json = { alumniId: id, amount: Number(text("amount")), day: text("day"), note: text("note") };
    return callApi(api.admin.due.deposit.$put({ json, header: ONCE }));
  };
  return (
    <ActionButton
      label="입금 적기"
      title={`${userName}님이 낸 참가비`}
      submitLabel="저장"
      work={record}
      done="받은 참가비를 적었습니다."
    >
      {(errors) => <PaymentControls open={open} errors={errors} today={today} />}
    </ActionButton>
  );
}

interface MarkButtonProps extends Pick<ButtonProps, "size" | "className"> {
  mark: AttendanceMark;
  row: Pick<RegistrationRow, "id" | "userName">;
  onMarked?: () => void;
}

export function MarkButton({ mark, row: { id, userName }, onMarked, ...button }: MarkButtonProps) {
  const { busy, run } = useAction({
    onFailure: (failure) => {
      toast(failure.message, "error");
      return true;
    },
  });
  const send = () => callApi(api.admin.event.registration[":id"].attendance.$post({ param: { id }, json: { mark } }));
  return (
    <Button
      {...button}
      variant={mark === "present" ? "primary" : "secondary"}
      busy={busy}
      onClick={() =>
        void run(send, ({ already }) => {
          onMarked?.();
          return already ? new AppError("CONFLICT", { message: REGISTRATION_MESSAGES.marked }) : MARKED[mark];
        })
      }
    >
      {MARK_LABELS[mark]}
      <span className="sr-only">: {userName}</span>
    </Button>
  );
}

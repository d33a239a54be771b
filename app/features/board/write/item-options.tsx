import { useState } from "react";
import { Checkbox, Fieldset } from "#app/ui/choice.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import type { BoardInfo, DraftFields } from "#worker/contract/board/view.ts";
import { EVENT_LIMITS } from "#worker/contract/board/event-rules.ts";

interface ItemOptionsProps {
  board: BoardInfo;
  initial: DraftFields;
  /** False once the item is published. */
  canSchedule: boolean;
  errors: Record<string, string>;
  onChange: (part: Partial<DraftFields>) => void;
}

export function ItemOptions({ board, initial, canSchedule, errors, onChange }: ItemOptionsProps) {
  const [pinned, setPinned] = useState(initial.isPinned);
  const [scheduled, setScheduled] = useState(initial.publishDate !== "");
  const { manage } = board.permissions;
  if (!manage && !board.useSecret) return null;
  return (
    <Fieldset legend="게시 설정" id="options">
      <div className="flex flex-wrap items-start gap-x-8 gap-y-1">
        {manage && (
          <>
            <Checkbox
              label="공지 고정"
              defaultChecked={initial.isPinned}
              onChange={(event) => {
                setPinned(event.target.checked);
                onChange({ isPinned: event.target.checked });
              }}
            />
            <Checkbox
              label="메인 노출"
              defaultChecked={initial.showItemToMain}
              onChange={(event) => onChange({ showItemToMain: event.target.checked })}
            />
          </>
        )}
        {board.useSecret && (
          <Checkbox
            label="비밀글"
            defaultChecked={initial.isSecret}
            onChange={(event) => onChange({ isSecret: event.target.checked })}
          />
        )}
        {manage && canSchedule && (
          <Checkbox
            label="예약 발행"
            defaultChecked={initial.publishDate !== ""}
            onChange={(event) => {
              setScheduled(event.target.checked);
              if (!event.target.checked) onChange({ publishDate: "" });
            }}
          />
        )}
      </div>
      {manage && (pinned || scheduled) && (
        <div className="mt-2 grid gap-5 md:grid-cols-2">
          {pinned && (
            <DateField
              name="pinnedUntil"
              type="date"
              label="고정 종료일"
              hint="이 날까지 위에 고정합니다. 비워 두면 계속 고정합니다."
              {...{ initial, errors, onChange }}
            />
          )}
          {scheduled && canSchedule && (
            <DateField
              label="발행 일시"
              name="publishDate"
              type="datetime-local"
              hint="한국 시간으로 이때부터 목록에 보입니다."
              {...{ initial, errors, onChange }}
            />
          )}
        </div>
      )}
    </Fieldset>
  );
}

interface DateFieldProps extends Pick<ItemOptionsProps, "initial" | "errors" | "onChange"> {
  name: "pinnedUntil" | "publishDate";
  type: "date" | "datetime-local";
  label: string;
  hint: string;
}

function DateField({ name, type, label, hint, initial, errors, onChange }: DateFieldProps) {
  return (
    <Field id={name} label={label} hint={hint} error={errors[name]}>
      <Input type={type} defaultValue={initial[name]} onChange={(event) => onChange({ [name]: event.target.value })} />
    </Field>
  );
}

type EventValues = DraftFields["event"];

interface EventFieldsProps {
  initial: EventValues;
  errors: Record<string, string>;
  onChange: (part: { event: EventValues }) => void;
}

/** Keeps typed values when the event is switched off and on again. */
export function EventFields({ initial, errors, onChange }: EventFieldsProps) {
  const [values, setValues] = useState(initial);
  const change = (part: Partial<EventValues>) => {
    const next = { ...values, ...part };
    setValues(next);
    onChange({ event: next });
  };
  const { isOn, isAllDay } = values;
  // Keeps the date part when switching between all-day and timed.
  const setAllDay = (on: boolean) => {
    const convert = (value: string) => (on ? value.slice(0, 10) : value && `${value.slice(0, 10)}T09:00`);
    change({ isAllDay: on, start: convert(values.start), end: convert(values.end) });
  };
  const type = isAllDay ? "date" : "datetime-local";
  const moment = (name: "start" | "end") => (
    <Input
      key={type}
      type={type}
      defaultValue={values[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
  return (
    <Fieldset legend="일정" id="event" error={errors.event}>
      <div className="flex flex-wrap gap-x-8 gap-y-1">
        <Checkbox label="일정으로 올리기" checked={isOn} onChange={(event) => change({ isOn: event.target.checked })} />
        {isOn && (
          <>
            <Checkbox label="하루 종일" checked={isAllDay} onChange={(event) => setAllDay(event.target.checked)} />
            <Checkbox
              label="취소된 일정"
              checked={values.isCancelled}
              onChange={(event) => change({ isCancelled: event.target.checked })}
            />
          </>
        )}
      </div>
      {isOn && (
        <div className="mt-2 grid gap-5 md:grid-cols-2">
          <Field id="eventStart" label="시작" required error={errors.eventStart}>
            {moment("start")}
          </Field>
          <Field id="eventEnd" label="끝" error={errors.eventEnd}>
            {moment("end")}
          </Field>
          <Field id="eventPlace" label="장소" error={errors.eventPlace}>
            <Input
              maxLength={EVENT_LIMITS.place}
              defaultValue={values.place}
              onInput={(event) => change({ place: event.currentTarget.value })}
            />
          </Field>
          <Field id="eventDeadline" label="신청 마감" error={errors.eventDeadline}>
            <Input
              type="datetime-local"
              defaultValue={values.deadline}
              onChange={(event) => change({ deadline: event.target.value })}
            />
          </Field>
        </div>
      )}
    </Fieldset>
  );
}

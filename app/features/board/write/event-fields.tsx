import { useState } from "react";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Fieldset } from "#app/ui/fieldset.tsx";
import { Input } from "#app/ui/input.tsx";
import { EVENT_LIMITS } from "#worker/contract/board/event-rules.ts";
import type { DraftFields } from "#worker/contract/board/view.ts";

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

import { useState } from "react";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Fieldset } from "#app/ui/fieldset.tsx";
import { Input } from "#app/ui/input.tsx";
import type { BoardInfo, DraftFields } from "#worker/contract/board/view.ts";

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

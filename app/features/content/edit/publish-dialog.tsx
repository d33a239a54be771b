import { useState } from "react";
import { formText } from "#app/features/form/form-values.ts";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { PUBLISH_NOTE_MAX } from "#worker/contract/content/rules.ts";

export interface PublishChoice {
  note: string;
  effectiveDate?: string;
}

interface PublishContentDialogProps {
  open: boolean;
  /** Only terms and the privacy notice have a date of entry into force. */
  hasDay: boolean;
  busy: boolean;
  error: string | null;
  onClose: () => void;
  onPublish: (publication: PublishChoice) => void;
}

export function PublishContentDialog({ open, hasDay, busy, error, onClose, onPublish }: PublishContentDialogProps) {
  const [dayError, setDayError] = useState<string | null>(null);
  const submit = (form: FormData) => {
    const day = formText(form, "effectiveDate");
    if (day !== "" && Number.isNaN(Date.parse(day))) return setDayError("시행일을 다시 입력해 주십시오.");
    setDayError(null);
    const effectiveDate = day === "" ? {} : { effectiveDate: `${day}T00:00:00+09:00` };
    onPublish({ note: formText(form, "note"), ...effectiveDate });
  };
  return (
    <FormDialog
      title="게시하시겠습니까?"
      size="md"
      submitLabel="게시"
      open={open}
      onClose={onClose}
      busy={busy}
      error={error}
      onSubmit={submit}
    >
      <p>
        {hasDay
          ? "시행일부터 방문자에게 보입니다. 지금까지의 버전은 이전 버전으로 남습니다."
          : "바로 방문자에게 보입니다. 지금까지의 내용은 이력에 남아 언제든지 되돌릴 수 있습니다."}
      </p>
      {hasDay && (
        <Field label="시행일" hint="비워 두면 지금부터 시행합니다." error={dayError}>
          <Input name="effectiveDate" type="date" />
        </Field>
      )}
      <Field label="바뀐 점" hint="이력에 남깁니다. 예: 연락처 변경">
        <Input name="note" maxLength={PUBLISH_NOTE_MAX} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

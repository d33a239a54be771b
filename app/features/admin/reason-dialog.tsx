import { type FormEvent, type ReactNode, useRef } from "react";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Textarea } from "#app/ui/textarea.tsx";

interface ReasonDialogProps {
  open: boolean;
  title: string;
  confirmLabel: string;
  hint?: string;
  busy: boolean;
  error: string | null;
  children?: ReactNode;
  onClose: () => void;
  onConfirm: (reason: string) => void;
}

/** An act that must say why; the reason goes to the audit log. */
export function ReasonDialog({
  open,
  title,
  confirmLabel,
  hint,
  busy,
  error,
  children,
  onClose,
  onConfirm,
}: ReasonDialogProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm(ref.current?.value.trim() ?? "");
  };
  return (
    <Dialog open={open} onClose={onClose} title={title} locked={busy}>
      <form onSubmit={submit} noValidate>
        {children}
        <Field label="사유" hint={hint ?? "감사 기록에 남습니다."} required error={error}>
          <Textarea ref={ref} rows={2} maxLength={200} />
        </Field>
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose} disabled={busy}>
            취소
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

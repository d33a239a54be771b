import type { ReactNode } from "react";
import { formText } from "#app/features/form/form-values.ts";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

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
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      submitLabel={confirmLabel}
      busy={busy}
      onSubmit={(form) => onConfirm(formText(form, "reason").trim())}
    >
      {children}
      <Field label="사유" hint={hint ?? "감사 기록에 남습니다."} required error={error}>
        <Textarea name="reason" rows={2} maxLength={SIZE_LIMITS.reasonLength} />
      </Field>
    </FormDialog>
  );
}

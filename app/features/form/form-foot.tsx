import { ConflictAlert } from "#app/features/form/conflict-view.tsx";
import type { FormConflict } from "#app/features/form/use-conflict.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";

interface FormFootProps {
  conflict: FormConflict;
  error: string | null;
  busy: boolean;
  onTake: () => void;
  submitLabel?: string | undefined;
  className?: string | undefined;
}

export function FormFoot({ conflict, error, busy, onTake, submitLabel = "저장", className }: FormFootProps) {
  return (
    <>
      <ConflictAlert conflict={conflict} busy={busy} onTake={onTake} className={className} />
      <ErrorAlert className={className}>{!conflict && error}</ErrorAlert>
      <div className={className}>
        <Button type="submit" variant="primary" busy={busy}>
          {submitLabel}
        </Button>
      </div>
    </>
  );
}

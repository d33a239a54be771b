import { Dialog } from "#app/ui/dialog.tsx";
import { VerifyForm } from "./verify-form.tsx";

export interface VerifyDialogProps {
  onClose: (shown: boolean) => void;
}

export function VerifyDialog({ onClose }: VerifyDialogProps) {
  return (
    <Dialog open onClose={() => onClose(false)} title="본인 확인">
      <p className="mb-5 text-gray-70">
        중요한 작업을 하기 전에 본인인지 한 번 더 확인합니다. 확인은 5분 동안 유지됩니다.
      </p>
      <VerifyForm onDone={() => onClose(true)} />
    </Dialog>
  );
}

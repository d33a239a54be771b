import { type FormEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { useOnce } from "#app/features/form/validated-form.tsx";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { CurrentPasswordField, credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { useSignedInWork } from "#app/features/form/signin-gate-context.ts";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { toast } from "#app/ui/toast.tsx";

interface EndOthersDialogProps {
  userId: string;
  open: boolean;
  onClose: () => void;
}

/** Asks for the password: whoever finds a device open must not shut its owner out of the others. */
export function EndOthersDialog({ userId, open, onClose }: EndOthersDialogProps) {
  const { revalidate } = useRevalidator();
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, once] = useOnce();
  const signedIn = useSignedInWork();
  const close = () => {
    setPassword("");
    setErrors({});
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    return once(async () => {
      if (password === "") return setErrors({ currentPassword: enterMessage("비밀번호") });
      try {
        const { ended } = await signedIn(() =>
          callApi(api.user[":id"].sessions["end-others"].$post({ param: { id: userId }, json: { password } })),
        );
        close();
        toast(`다른 기기 ${ended}곳에서 로그아웃하였습니다.`, "success");
        await revalidate();
      } catch (thrown) {
        setErrors(credentialErrorsByField(thrown));
      }
    });
  };
  return (
    <Dialog open={open} onClose={close} title="다른 기기에서 모두 로그아웃하시겠습니까?" locked={busy}>
      <form onSubmit={submit} noValidate>
        <p className="text-gray-70">이 기기를 뺀 모든 기기에서 로그아웃됩니다. 비밀번호를 한 번 더 입력해 주십시오.</p>
        <div className="mt-4">
          <CurrentPasswordField
            label="비밀번호"
            value={password}
            onValue={setPassword}
            error={errors.currentPassword}
          />
        </div>
        <ErrorAlert className="mt-4">{errors.form}</ErrorAlert>
        <div className="mt-6 flex justify-end gap-2">
          <Button onClick={close} disabled={busy}>
            취소
          </Button>
          <Button variant="primary" type="submit" busy={busy}>
            모두 로그아웃
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

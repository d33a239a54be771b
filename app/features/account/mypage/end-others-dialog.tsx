import { useState } from "react";
import { enterMessage } from "#app/features/account/error-messages.ts";
import { CurrentPasswordField, credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { useCheckedForm, type FormErrors } from "#app/features/form/use-checked-form.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";

interface EndOthersDialogProps {
  userId: string;
  open: boolean;
  onClose: () => void;
}

/** Asks for the password so that a stranger cannot end the owner's other sessions. */
export function EndOthersDialog({ userId, open, onClose }: EndOthersDialogProps) {
  const [password, setPassword] = useState("");
  const { errors, setErrors, busy, send } = useCheckedForm({ toErrors: credentialErrorsByField });
  const close = () => {
    setPassword("");
    setErrors({});
    onClose();
  };
  const submit = async () => {
    const found: FormErrors = password === "" ? { currentPassword: enterMessage("비밀번호") } : {};
    const calls = api.user[":id"].sessions["end-others"];
    const work = () => callApi(calls.$post({ param: { id: userId }, json: { password } }));
    if (await send(found, work, ({ ended }) => `다른 기기 ${ended}곳에서 로그아웃하였습니다.`)) close();
  };
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="다른 기기에서 모두 로그아웃하시겠습니까?"
      submitLabel="모두 로그아웃"
      busy={busy}
      error={errors.form}
      onSubmit={() => void submit()}
    >
      <p className="text-gray-70">이 기기를 뺀 모든 기기에서 로그아웃됩니다. 비밀번호를 한 번 더 입력해 주십시오.</p>
      <CurrentPasswordField label="비밀번호" value={password} onValue={setPassword} error={errors.currentPassword} />
    </FormDialog>
  );
}

import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { formText } from "#app/features/form/form-values.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Field } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Input } from "#app/ui/input.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";
import { useCheckedForm, type FormErrors } from "#app/features/form/use-checked-form.ts";
import type { AddedFactor, TotpSetup } from "#worker/contract/account/second-factor-view.ts";
import { SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor-rules.ts";

interface TotpSetupDialogProps {
  setup: TotpSetup | null;
  onClose: () => void;
  onAdded: (added: AddedFactor) => void;
}

export function TotpSetupDialog({ setup, onClose, onAdded }: TotpSetupDialogProps) {
  const { errors, setErrors, busy, send } = useCheckedForm({
    reloads: "never",
    toErrors: ({ message }) => ({ code: message }),
  });
  const close = () => {
    setErrors({});
    onClose();
  };
  const submit = (form: FormData) => {
    const code = formText(form, "code").trim();
    const found: FormErrors = code === "" ? { code: SECOND_FACTOR_MESSAGES.totpFormat } : {};
    const json = { setupToken: setup?.setupToken ?? "", code };
    void send(found, async () => onAdded(await callApi(api["second-factor"].totp.$post({ json }))), null);
  };
  return (
    <FormDialog
      open={setup !== null}
      onClose={close}
      title="인증 앱 등록"
      size="md"
      submitLabel="등록"
      busy={busy}
      onSubmit={submit}
    >
      {setup && (
        <ol className="list-decimal space-y-5 pl-5">
          <li>
            휴대전화에서 인증 앱을 엽니다. 없으면 Play 스토어나 App Store에서 ‘Google OTP’나 ‘Microsoft Authenticator’를
            설치하십시오.
          </li>
          <li>
            앱에서 계정 추가(+)를 누르고 아래 그림을 비춥니다. 지금 이 화면을 휴대전화로 보고 계시면{" "}
            <a href={setup.uri} className="font-semibold underline underline-offset-4">
              이 휴대전화의 앱에 바로 추가
            </a>
            를 누르셔도 됩니다.
            <QrCode
              text={setup.uri}
              label="인증 앱으로 비출 QR 그림"
              border={3}
              className="my-3 aspect-square w-72 max-w-full border border-gray-20 bg-white"
            />
            <details>
              <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4">
                그림을 비출 수 없습니다
              </summary>
              <p>앱에서 ‘설정 키 입력’을 고르고 아래 글자를 그대로 입력하십시오.</p>
              <p className="mt-2 font-mono text-lg break-all text-gray-90">
                {setup.secret.replace(/(.{4})(?=.)/g, "$1 ")}
              </p>
            </details>
          </li>
          <li>
            앱에 보이는 숫자 6자리를 입력합니다.
            <Field label="인증 앱의 숫자 6자리" required error={errors.code} className="mt-3">
              <Input
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={SECOND_FACTOR_LIMITS.typedCodeLength}
              />
            </Field>
          </li>
        </ol>
      )}
    </FormDialog>
  );
}

import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { ValidatedForm, SubmitButton, SAVED, useOnce } from "#app/features/form/validated-form.tsx";
import { enterMessage, addObjectParticle } from "#app/features/account/error-messages.ts";
import { type VerifiableKeyType, findVerification, type KeyVerification } from "#app/features/account/verification.ts";
import { VerifiedKeyField } from "#app/features/account/verified-key-field.tsx";
import { CurrentPasswordField, credentialErrorsByField } from "#app/features/account/mypage/current-password-field.tsx";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { useSignedInWork } from "#app/features/form/signin-gate-context.ts";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES, userKeyTakenMessage, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";

interface AddressFormProps {
  userId: string;
  userKeyType: VerifiableKeyType;
  current: string | null;
}

/** A new e-mail or mobile number: proved by a code, confirmed by the password; the old one holds until then. */
export function AddressForm({ userId, userKeyType, current }: AddressFormProps) {
  const { revalidate } = useRevalidator();
  const [value, setValue] = useState("");
  const [verification, setVerification] = useState<KeyVerification | null>(null);
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, once] = useOnce();
  const signedIn = useSignedInWork();
  const form = useRef<HTMLFormElement>(null);
  const name = USER_KEY_NAMES[userKeyType];
  const id = userKeyType === "Email" ? "email" : "mobile";
  const unverified = userKeyType === "Email" ? UI_MESSAGES.emailUnverified : UI_MESSAGES.mobileUnverified;

  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirstError(form.current, found);
  };
  const submit = () =>
    once(async () => {
      const proof = findVerification(userKeyType, value, verification, Date.now());
      const found = {
        ...(proof?.isVerified ? {} : { [id]: unverified }),
        ...(password === "" ? { currentPassword: enterMessage("비밀번호") } : {}),
      };
      if (!proof || Object.keys(found).length > 0) return show(found);
      setErrors({});
      try {
        const json = { userKeyType, userKeyToken: proof.userKeyToken, password };
        await signedIn(() => callApi(api.user["change-user-key"][":id"].$post({ param: { id: userId }, json })));
        setValue("");
        setVerification(null);
        setPassword("");
        toast(`${addObjectParticle(name)} 변경하였습니다.`, "success");
        await revalidate();
        return SAVED;
      } catch (thrown) {
        show(failed(thrown));
      }
    });
  const failed = (thrown: unknown): Record<string, string> => {
    if (thrown instanceof AppError && thrown.code === "ALREADY_EXISTS")
      return { [id]: userKeyTakenMessage(userKeyType) };
    const { userKeyToken, ...rest } = credentialErrorsByField(thrown);
    if (userKeyToken === undefined) return rest;
    setVerification(null);
    return { ...rest, [id]: userKeyToken };
  };

  return (
    <MypageSection
      title={`${name} 변경`}
      hint={`새 ${addObjectParticle(name)} 인증하신 뒤에 바뀝니다. 이전 주소에는 변경 안내를 보내 드립니다.`}
    >
      <DescriptionList items={[[`현재 ${name}`, current ?? "등록되지 않았습니다."]]} />
      <ValidatedForm ref={form} onSubmit={submit} label={`${name} 변경`} className="mt-8">
        <div className="min-w-0 space-y-6">
          <VerifiedKeyField
            id={id}
            userKeyType={userKeyType}
            label={`새 ${name}`}
            checkExists
            value={value}
            onValue={setValue}
            verification={verification}
            onVerification={setVerification}
            error={errors[id]}
            onError={(message) => setErrors(message ? { [id]: message } : {})}
          />
          <CurrentPasswordField value={password} onValue={setPassword} error={errors.currentPassword} />
          <ErrorAlert>{errors.form}</ErrorAlert>
          <SubmitButton busy={busy} size="md">
            {name} 변경
          </SubmitButton>
        </div>
      </ValidatedForm>
    </MypageSection>
  );
}

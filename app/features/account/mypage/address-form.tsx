import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { focusFirst } from "#app/features/form/focus-first.ts";
import { Form, SubmitButton, useOnce } from "#app/features/form/form.tsx";
import { enterMessage, withObject } from "#app/features/account/texts.ts";
import { type AddressType, proofFor, type Verification } from "#app/features/account/verification.ts";
import { VerifiedKey } from "#app/features/account/verified-key.tsx";
import { CurrentPassword, credentialErrors } from "#app/features/account/mypage/current-password.tsx";
import { Facts, Section } from "#app/features/account/mypage/section.tsx";
import { api, call } from "#app/lib/api.ts";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { MESSAGES, takenMessage, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";

interface AddressFormProps {
  userId: string;
  userKeyType: AddressType;
  current: string | null;
}

/** A new e-mail or mobile number: proved by a code, confirmed by the password; the old one holds until then. */
export function AddressForm({ userId, userKeyType, current }: AddressFormProps) {
  const { revalidate } = useRevalidator();
  const [value, setValue] = useState("");
  const [verification, setVerification] = useState<Verification | null>(null);
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, once] = useOnce();
  const form = useRef<HTMLFormElement>(null);
  const name = USER_KEY_NAMES[userKeyType];
  const id = userKeyType === "Email" ? "email" : "mobile";
  const unverified = userKeyType === "Email" ? MESSAGES.emailUnverified : MESSAGES.mobileUnverified;

  const show = (found: Record<string, string>) => {
    setErrors(found);
    focusFirst(form.current, found);
  };
  const submit = () =>
    once(async () => {
      const proof = proofFor(userKeyType, value, verification, Date.now());
      const found = {
        ...(proof?.isVerified ? {} : { [id]: unverified }),
        ...(password === "" ? { currentPassword: enterMessage("비밀번호") } : {}),
      };
      if (!proof || Object.keys(found).length > 0) return show(found);
      setErrors({});
      try {
        const json = { userKeyType, userKeyToken: proof.userKeyToken, password };
        await call(api.user["change-user-key"][":id"].$post({ param: { id: userId }, json }));
        setValue("");
        setVerification(null);
        setPassword("");
        toast(`${withObject(name)} 변경하였습니다.`, "success");
        await revalidate();
      } catch (thrown) {
        show(failed(thrown));
      }
    });
  const failed = (thrown: unknown): Record<string, string> => {
    if (thrown instanceof AppError && thrown.code === "ALREADY_EXISTS") return { [id]: takenMessage(userKeyType) };
    const { userKeyToken, ...rest } = credentialErrors(thrown);
    if (userKeyToken === undefined) return rest;
    setVerification(null);
    return { ...rest, [id]: userKeyToken };
  };

  return (
    <Section
      title={`${name} 변경`}
      hint={`새 ${withObject(name)} 인증하신 뒤에 바뀝니다. 이전 주소에는 변경 안내를 보내 드립니다.`}
    >
      <Facts items={[[`현재 ${name}`, current ?? "등록되지 않았습니다."]]} />
      <Form ref={form} onSubmit={submit} label={`${name} 변경`} className="mt-8">
        <div className="min-w-0 space-y-6">
          <VerifiedKey
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
          <CurrentPassword value={password} onValue={setPassword} error={errors.currentPassword} />
          {errors.form && <Notice tone="error">{errors.form}</Notice>}
          <SubmitButton busy={busy} size="md">
            {name} 변경
          </SubmitButton>
        </div>
      </Form>
    </Section>
  );
}

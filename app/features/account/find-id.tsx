import { useEffect, useRef, useState } from "react";
import { AddressField, addressRequestBody, findAddressProblem } from "#app/features/account/address-field.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { appendReason } from "#app/features/account/error-messages.ts";
import type { VerifiableKeyType } from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Time } from "#app/ui/time.tsx";
import { useCheckedForm, type FormErrors } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import { UI_MESSAGES, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { type UserKeyType } from "#worker/contract/account/rules.ts";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/identity-rules.ts";
import { withParticle } from "#worker/contract/kernel/particles.ts";

interface FoundId {
  userKeyCode: string;
  createdDate: string;
}

interface FindIdFormProps {
  addressType: VerifiableKeyType;
  /** What one signs in with here, and so what is found. */
  userKeyType: UserKeyType;
}

export function FindIdForm({ addressType, userKeyType }: FindIdFormProps) {
  const [userName, setUserName] = useState("");
  const [address, setAddress] = useState("");
  const [found, setFound] = useState<FoundId[] | null>(null);
  const checked = useCheckedForm({
    reloads: "never",
    toErrors(failure): FormErrors {
      if (failure.code !== "NOT_FOUND") return { form: appendReason(UI_MESSAGES.findIdFailed, failure) };
      setFound([]);
      return {};
    },
  });
  const { errors } = checked;
  const submit = () => {
    const problem = findAddressProblem(addressType, address);
    const wrong = { ...userNameErrors(userName, WIDEST_ACCOUNT_RULES), ...(problem ? { address: problem } : {}) };
    const work = async () => {
      const json = { userName: userName.normalize("NFC").trim(), ...addressRequestBody(addressType, address) };
      setFound((await callApi(api.user["find-id"].$post({ json }))).idList);
    };
    return checked.send(wrong, work, null);
  };

  if (found)
    return (
      <FoundIdList found={found} addressType={addressType} userKeyType={userKeyType} onBack={() => setFound(null)} />
    );
  return (
    <CheckedForm checked={checked} onSubmit={submit} label="아이디 찾기" large>
      <p className="text-gray-70">
        가입할 때 쓰신 이름과 {withParticle(USER_KEY_NAMES[addressType], "을/를")} 입력해 주십시오.
      </p>
      <UserNameField value={userName} onValue={setUserName} error={errors.userName} />
      <AddressField userKeyType={addressType} value={address} onValue={setAddress} error={errors.address} />
    </CheckedForm>
  );
}

function FoundIdList({
  found,
  addressType,
  userKeyType,
  onBack,
}: FindIdFormProps & { found: FoundId[]; onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="found-title">
      <h2 id="found-title" ref={heading} tabIndex={-1} className="text-xl">
        아이디 찾기 결과
      </h2>
      {found.length === 0 ? (
        <Empty>입력하신 정보와 일치하는 회원이 없습니다.</Empty>
      ) : (
        <>
          <ul className="mt-5 divide-y divide-gray-20 border-y border-gray-20">
            {found.map(({ userKeyCode, createdDate }) => (
              <li key={userKeyCode} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-4">
                <span>
                  <span className="sr-only">{USER_KEY_NAMES[userKeyType]} </span>
                  <strong className="text-lg font-bold break-all">{userKeyCode}</strong>
                </span>
                <span className="text-sm text-gray-60">
                  가입일 <Time date={createdDate} />
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-4 text-sm text-gray-60">
            전체 아이디는 가입하신 {withParticle(USER_KEY_NAMES[addressType], "으로/로")} 보내 드렸습니다.
          </p>
        </>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        <ButtonLink to="/Account/Signin" variant="primary">
          로그인
        </ButtonLink>
        <ButtonLink to="/Account/FindPassword">비밀번호 찾기</ButtonLink>
        <Button variant="quiet" onClick={onBack}>
          다시 찾기
        </Button>
      </div>
    </section>
  );
}

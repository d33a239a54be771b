import { pageLoader } from "#app/lib/page-loader.server.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import { getUser } from "#worker/domain/account/user.server.ts";
import type { Route } from "./+types/email";
import { useState } from "react";
import { addObjectParticle, enterMessage } from "#app/features/account/error-messages.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { findVerification, type KeyVerification, type VerifiableKeyType } from "#app/features/account/verification.ts";
import { VerifiedKeyField } from "#app/features/account/verified-key-field.tsx";
import { credentialErrorsByField, CurrentPasswordField } from "#app/features/account/mypage/current-password-field.tsx";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { now } from "#app/lib/clock.ts";
import { useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { UI_MESSAGES, USER_KEY_NAMES, userKeyTakenMessage } from "#worker/contract/kernel/messages.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [{ authType }, ctx] = await Promise.all([getAuthenticationInfo(scope), scope.context()]);
  const user = await getUser(ctx, requireSignedIn(ctx).userId);
  const codeOf = (type: "Email" | "Mobile") =>
    user.userKeys.find(({ userKeyType }) => userKeyType === type)?.userKeyCode ?? null;
  const mobile = codeOf("Mobile");
  return {
    userId: user.id,
    email: codeOf("Email"),
    mobile,
    showMobile: mobile !== null || authType === "MobileAndPassword",
  };
});

export default function MypageEmail({ loaderData: { userId, email, mobile, showMobile } }: Route.ComponentProps) {
  return (
    <div className="space-y-14">
      <AddressForm userId={userId} userKeyType="Email" current={email} />
      {showMobile && <AddressForm userId={userId} userKeyType="Mobile" current={mobile} />}
    </div>
  );
}

interface AddressFormProps {
  userId: string;
  userKeyType: VerifiableKeyType;
  current: string | null;
}

/** The old address stays valid until the new one is verified by code and password. */
function AddressForm({ userId, userKeyType, current }: AddressFormProps) {
  const [value, setValue] = useState("");
  const [verification, setVerification] = useState<KeyVerification | null>(null);
  const [password, setPassword] = useState("");
  const name = USER_KEY_NAMES[userKeyType];
  const id = userKeyType === "Email" ? "email" : "mobile";
  const unverified = userKeyType === "Email" ? UI_MESSAGES.emailUnverified : UI_MESSAGES.mobileUnverified;

  const checked = useCheckedForm({
    toErrors(failure) {
      if (failure.code === "ALREADY_EXISTS") return { [id]: userKeyTakenMessage(userKeyType) };
      const { userKeyToken, ...rest } = credentialErrorsByField(failure);
      if (userKeyToken === undefined) return rest;
      setVerification(null);
      return { ...rest, [id]: userKeyToken };
    },
  });
  const { errors } = checked;
  const submit = () => {
    const proof = findVerification(userKeyType, value, verification, now());
    const found = {
      ...(proof?.isVerified ? {} : { [id]: unverified }),
      ...(password === "" ? { currentPassword: enterMessage("현재 비밀번호") } : {}),
    };
    const work = async () => {
      const json = { userKeyType, userKeyToken: proof?.userKeyToken ?? "", password };
      await callApi(api.user["change-user-key"][":id"].$post({ param: { id: userId }, json }));
      setValue("");
      setVerification(null);
      setPassword("");
    };
    return checked.send(found, work, `${addObjectParticle(name)} 변경하였습니다.`);
  };
  return (
    <MypageSection
      title={`${name} 변경`}
      hint={`새 ${addObjectParticle(name)} 인증하신 뒤에 바뀝니다. 이전 ${withParticle(name, "으로/로")} 변경 안내를 보내 드립니다.`}
    >
      <DescriptionList items={[[`현재 ${name}`, current ?? "등록되지 않았습니다."]]} />
      <CheckedForm checked={checked} onSubmit={submit} label={`${name} 변경`} className="mt-8">
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
          onError={(message) => checked.setErrors(message ? { [id]: message } : {})}
        />
        <CurrentPasswordField value={password} onValue={setPassword} error={errors.currentPassword} />
      </CheckedForm>
    </MypageSection>
  );
}

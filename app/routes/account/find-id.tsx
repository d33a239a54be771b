import { AccountPage } from "#app/features/account/account-page.tsx";
import { ADDRESS_TYPE_BY_AUTH_TYPE } from "#app/features/account/error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { recoveryTextsOf, useRecoveryTexts } from "#app/features/account/recovery-texts.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { SIGNIN_KEY, type UserKeyType } from "#worker/contract/account/rules.ts";
import { getAuthenticationInfo } from "#worker/domain/account/signup.server.ts";
import type { Route } from "./+types/find-id";
import { useEffect, useRef, useState } from "react";
import { AddressField, addressRequestBody, findAddressProblem } from "#app/features/account/address-field.tsx";
import { userNameErrors } from "#app/features/account/signup/check-signup.ts";
import { useAccountTexts } from "#app/features/account/account-texts.ts";
import type { VerifiableKeyType } from "#app/features/account/verification.ts";
import { api, callApi } from "#app/lib/api.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { useReturningPath } from "#app/lib/return-url.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Time } from "#app/ui/inline.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { UserNameField } from "#app/features/account/user-name-field.tsx";
import { WIDEST_ACCOUNT_RULES } from "#worker/contract/kernel/setting/identity-rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const { authType } = await getAuthenticationInfo(scope);
  return { authType };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({ matches, title: recoveryTextsOf(matches).findId.title, path: "/Account/FindId" });

export default function FindIdPage({ loaderData: { authType } }: Route.ComponentProps) {
  return (
    <AccountPage title={useRecoveryTexts().findId.title}>
      <FindIdForm addressType={ADDRESS_TYPE_BY_AUTH_TYPE[authType]} userKeyType={SIGNIN_KEY[authType]} />
    </AccountPage>
  );
}

interface FoundId {
  userKeyCode: string;
  createdDate: string;
}

interface FindIdFormProps {
  addressType: VerifiableKeyType;
  userKeyType: UserKeyType;
}

function FindIdForm({ addressType, userKeyType }: FindIdFormProps) {
  const texts = useAccountTexts();
  const { findId } = useRecoveryTexts();
  const { language } = useTexts();
  const [userName, setUserName] = useState("");
  const [address, setAddress] = useState("");
  const [found, setFound] = useState<FoundId[] | null>(null);
  const checked = useCheckedForm({
    reloads: "never",
    toErrors(failure): FormErrors {
      if (failure.code !== "NOT_FOUND") return { form: texts.failed("findId", failure) };
      setFound([]);
      return {};
    },
  });
  const { errors } = checked;
  const submit = () => {
    const problem = findAddressProblem(addressType, address, texts);
    const wrong = {
      ...userNameErrors(userName, WIDEST_ACCOUNT_RULES, texts),
      ...(problem ? { address: problem } : {}),
    };
    const work = async () => {
      const json = {
        userName: userName.normalize("NFC").trim(),
        ...addressRequestBody(addressType, address),
        language,
      };
      setFound((await callApi(api.user["find-id"].$post({ json }))).idList);
    };
    return checked.send(wrong, work, null);
  };

  if (found)
    return (
      <FoundIdList found={found} addressType={addressType} userKeyType={userKeyType} onBack={() => setFound(null)} />
    );
  return (
    <CheckedForm checked={checked} onSubmit={submit} label={findId.title} large>
      <p className="text-gray-70">{findId.intro(addressType)}</p>
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
  const { keys, signin } = useAccountTexts();
  const { findId: texts, reset } = useRecoveryTexts();
  const { pathOf } = useTexts();
  const returning = useReturningPath();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="found-title">
      <h2 id="found-title" ref={heading} tabIndex={-1} className="text-xl">
        {texts.found}
      </h2>
      {found.length === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <>
          <ul className="mt-5 divide-y divide-gray-20 border-y border-gray-20">
            {found.map(({ userKeyCode, createdDate }) => (
              <li key={userKeyCode} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-4">
                <span>
                  <span className="sr-only">{keys[userKeyType]} </span>
                  <strong className="text-lg font-bold break-all">{userKeyCode}</strong>
                </span>
                <span className="text-sm text-gray-60">
                  {texts.joined.before}
                  <Time date={createdDate} />
                  {texts.joined.after}
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-4 text-sm text-gray-60">{texts.sentTo(addressType)}</p>
        </>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        <ButtonLink to={returning(pathOf("", "/Account/Signin"))} variant="primary">
          {signin}
        </ButtonLink>
        <ButtonLink to={returning(pathOf("", "/Account/FindPassword"))}>{reset.title}</ButtonLink>
        <Button variant="quiet" onClick={onBack}>
          {texts.again}
        </Button>
      </div>
    </section>
  );
}

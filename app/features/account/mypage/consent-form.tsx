import { useState } from "react";
import { useRevalidator } from "react-router";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { ValidatedForm, SubmitButton, SAVED, useOnce } from "#app/features/form/validated-form.tsx";
import { errorMessage } from "#app/features/account/error-messages.ts";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { useSignedInWork } from "#app/features/form/signin-gate-context.ts";
import { api, callApi } from "#app/lib/api.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { toast } from "#app/ui/toast.tsx";
import type { PicturePlace } from "#worker/contract/file/view.ts";
import type { ConsentView } from "#worker/contract/account/view.ts";

type ConsentWithText = ConsentView & { content: string; pictures: readonly PicturePlace[] };

/** What was agreed to and when; the optional ones can be taken back or given. */
export function ConsentForm({ userId, consents }: { userId: string; consents: ConsentWithText[] }) {
  const { revalidate } = useRevalidator();
  const optional = consents.filter((consent) => !consent.required);
  const [agreed, setAgreed] = useState(() => optional.filter((each) => each.agreed).map(({ code }) => code));
  const [error, setError] = useState<string>();
  const [busy, once] = useOnce();
  const signedIn = useSignedInWork();

  const submit = () =>
    once(async () => {
      setError(undefined);
      try {
        const agreements = optional.map(({ code, version }) => ({ code, version, agreed: agreed.includes(code) }));
        await signedIn(() => callApi(api.user[":id"].consents.$patch({ param: { id: userId }, json: { agreements } })));
        toast("선택 동의를 저장하였습니다.", "success");
        await revalidate();
        return SAVED;
      } catch (thrown) {
        setError(errorMessage(thrown));
      }
    });

  return (
    <MypageSection title="동의 내역" hint="선택 동의는 언제든지 바꾸실 수 있으며, 동의하지 않으셔도 불이익이 없습니다.">
      <DescriptionList
        items={consents
          .filter((consent) => consent.required)
          .map(({ title, consentDate }) => [title, consentDate ? <ConsentDate key="date" date={consentDate} /> : "-"])}
      />
      {optional.length > 0 && (
        <ValidatedForm onSubmit={submit} label="선택 동의" className="mt-4">
          <div className="min-w-0">
            <AgreementChoices agreements={optional} agreed={agreed} onChange={setAgreed} errors={{}} withAll={false} />
            <ErrorAlert>{error}</ErrorAlert>
            <SubmitButton busy={busy} size="md" className="mt-4">
              동의 저장
            </SubmitButton>
          </div>
        </ValidatedForm>
      )}
    </MypageSection>
  );
}

function ConsentDate({ date }: { date: string }) {
  return (
    <>
      <Time date={date} format="datetime" /> 동의
    </>
  );
}

import { useState } from "react";
import { AgreementChoices } from "#app/features/account/agreement-choices.tsx";
import { ValidatedForm, SubmitButton } from "#app/features/form/validated-form.tsx";
import { DescriptionList, MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatDate } from "#app/lib/format.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import type { ConsentView } from "#worker/contract/account/view.ts";

type ConsentWithText = ConsentView & { content: string };

export function ConsentForm({ userId, consents }: { userId: string; consents: ConsentWithText[] }) {
  const optional = consents.filter((consent) => !consent.required);
  const [agreed, setAgreed] = useState(() => optional.filter((each) => each.agreed).map(({ code }) => code));
  const { busy, run, message } = useAction({ reloads: "success" });
  const submit = () => {
    const agreements = optional.map(({ code, version }) => ({ code, version, agreed: agreed.includes(code) }));
    const work = () => callApi(api.user[":id"].consents.$patch({ param: { id: userId }, json: { agreements } }));
    return run(work, "선택 동의를 저장하였습니다.");
  };

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
            <AgreementChoices
              agreements={optional.map((each) => ({ ...each, note: earlierVersionNote(each) }))}
              agreed={agreed}
              onChange={setAgreed}
              errors={{}}
              withAll={false}
            />
            <ErrorAlert>{message}</ErrorAlert>
            <SubmitButton busy={busy} size="md" className="mt-4">
              동의 저장
            </SubmitButton>
          </div>
        </ValidatedForm>
      )}
    </MypageSection>
  );
}

/** Consent to an earlier version stays valid; saving records consent to the current version. */
function earlierVersionNote({ agreed, version, consentVersion, consentDate }: ConsentView): string | undefined {
  if (!agreed || consentDate === null || consentVersion === version) return undefined;
  const said = consentVersion ? `이전 버전(${consentVersion})에` : "이전 버전에";
  return `${said} ${formatDate(consentDate)} 동의하셨고, 지금도 유효합니다. 바뀐 내용을 확인하고 저장하시면 새 버전(${version})에 동의하신 것으로 적습니다.`;
}

function ConsentDate({ date }: { date: string }) {
  return (
    <>
      <Time date={date} format="datetime" /> 동의
    </>
  );
}

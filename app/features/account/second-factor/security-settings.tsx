import { useState } from "react";
import { useRevalidator } from "react-router";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Time } from "#app/ui/time.tsx";
import { toast } from "#app/ui/toast.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { SECOND_FACTOR_KINDS, SECOND_FACTOR_LIMITS } from "#worker/contract/account/second-factor-rules.ts";
import type {
  AddedFactor,
  FactorView,
  OwnSecondFactor,
  TotpSetup,
} from "#worker/contract/account/second-factor-view.ts";
import { passkeyErrorMessage } from "./passkey-error.ts";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import { TotpSetupDialog } from "./totp-setup-dialog.tsx";
import { withParticle } from "#worker/contract/kernel/particles.ts";

export function SecuritySettings({ own, returnUrl }: { own: OwnSecondFactor; returnUrl: string | null }) {
  const { revalidate } = useRevalidator();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const { factors, recoveryCodesLeft, recovery } = own;
  const isMissing = own.isRequired && factors.length === 0;

  const [error, setError] = useState<string | null>(null);
  const action = useAction({
    reloads: "success",
    onFailure(_failure, thrown) {
      setError(passkeyErrorMessage(thrown) ?? "등록을 취소하였습니다.");
      return true;
    },
  });
  const { busy } = action;
  const run = (work: () => Promise<void>) => {
    setError(null);
    return action.run(work, null);
  };
  const added = ({ recoveryCodes }: AddedFactor) => {
    setSetup(null);
    toast("2단계 인증을 등록하였습니다.", "success");
    if (recoveryCodes) setCodes(recoveryCodes);
  };
  const addPasskey = async () => {
    const { startRegistration } = await import("@simplewebauthn/browser");
    const optionsJSON = await callApi(api["second-factor"]["passkey-options"].$post({ json: {} }));
    const response = await startRegistration({ optionsJSON });
    added(await callApi(api["second-factor"].passkey.$post({ json: { response } })));
  };
  const startApp = async () => {
    setSetup(await callApi(api["second-factor"]["totp-options"].$post({ json: {} })));
  };
  const renewCodes = async () => {
    setCodes((await callApi(api["second-factor"]["recovery-codes"].$post({ json: {} }))).recoveryCodes);
  };
  const cancelRecovery = async () => {
    await callApi(api["second-factor"].recovery.$delete());
    toast("2단계 인증 복구를 취소하였습니다.", "success");
  };

  return (
    <div className="space-y-10">
      {isMissing && (
        <Alert tone="warning" title="2단계 인증을 등록해 주십시오">
          회원의 개인정보를 다루는 권한이 있으셔서, 비밀번호 말고도 한 가지를 더 확인해야 합니다. 아래의 패스키나 인증
          앱 가운데 하나를 등록하시면 관리 화면을 바로 쓰실 수 있습니다.
        </Alert>
      )}
      {!isMissing && returnUrl && (
        <Alert tone="success" title="2단계 인증이 등록되어 있습니다">
          <ButtonLink to={returnUrl} variant="primary" size="sm" className="mt-3" reloadDocument>
            하던 일 계속하기
          </ButtonLink>
        </Alert>
      )}
      {recovery && (
        <Alert tone="warning" title="관리자가 2단계 인증 복구를 시작하였습니다">
          <p className="mb-3">
            요청하신 적이 없다면 바로 취소하고 비밀번호를 바꾸어 주십시오.{" "}
            <Time date={recovery.usableDate} format="datetime" />
            부터 비밀번호만으로 2단계 인증을 풀 수 있게 됩니다.
          </p>
          <Button size="sm" busy={busy} onClick={() => void run(cancelRecovery)}>
            복구 취소
          </Button>
        </Alert>
      )}
      <ErrorAlert>{error}</ErrorAlert>
      <MypageSection
        title="패스키"
        hint="컴퓨터나 휴대전화의 지문, 얼굴, 화면 잠금 번호로 본인임을 확인합니다. 가장 쉽고 안전하며, 아이디와 비밀번호 없이 로그인할 때도 쓸 수 있습니다."
      >
        <FactorList factors={factors.filter(({ kind }) => kind === "passkey")} busy={busy} />
        <Button
          variant={factors.length === 0 ? "primary" : "secondary"}
          className="needs-script mt-4"
          busy={busy}
          disabled={factors.length >= SECOND_FACTOR_LIMITS.factorsMax}
          onClick={() => void run(addPasskey)}
        >
          패스키 등록
        </Button>
      </MypageSection>
      <MypageSection
        title="인증 앱"
        hint="휴대전화에 설치한 인증 앱(Google OTP, Microsoft Authenticator 등)이 30초마다 보여 주는 숫자 6자리로 확인합니다."
      >
        <FactorList factors={factors.filter(({ kind }) => kind === "totp")} busy={busy} />
        {!factors.some(({ kind }) => kind === "totp") && (
          <Button className="needs-script mt-4" busy={busy} onClick={() => void run(startApp)}>
            인증 앱 등록
          </Button>
        )}
      </MypageSection>
      {factors.length > 0 && (
        <MypageSection
          title="복구 코드"
          hint="기기를 잃어버렸을 때 한 번씩 쓰는 코드입니다. 종이에 적거나 인쇄하여 안전한 곳에 두십시오. 새로 받으시면 전에 받은 코드는 쓸 수 없게 됩니다."
        >
          <p className="tabular font-semibold text-gray-90">남은 복구 코드 {recoveryCodesLeft}개</p>
          <Button className="needs-script mt-4" busy={busy} onClick={() => void run(renewCodes)}>
            복구 코드 새로 받기
          </Button>
        </MypageSection>
      )}
      <TotpSetupDialog
        setup={setup}
        onClose={() => setSetup(null)}
        onAdded={(result) => {
          added(result);
          void revalidate();
        }}
      />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </div>
  );
}

const removeQuestion = ({ id, kind, name }: FactorView): Question => ({
  label: "지우기",
  title: "이 인증 수단을 지우시겠습니까?",
  text: (
    <p>
      {SECOND_FACTOR_KINDS[kind]} {withParticle(`‘${name}’`, "으로/로")}는 더 이상 로그인하실 수 없게 됩니다.
    </p>
  ),
  danger: true,
  work: () => callApi(api["second-factor"][":factorId"].$delete({ param: { factorId: id } })),
  done: "인증 수단을 지웠습니다.",
});

function FactorList({ factors, busy }: { factors: FactorView[]; busy: boolean }) {
  if (factors.length === 0) return <p className="text-gray-60">등록된 것이 없습니다.</p>;
  return (
    <ul className="divide-y divide-gray-20 border-y border-gray-20">
      {factors.map((factor) => (
        <li key={factor.id} className="flex flex-wrap items-center justify-between gap-4 py-4">
          <div className="min-w-0">
            <p className="font-semibold text-gray-90">{factor.name}</p>
            <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-gray-60">
              <span>
                등록 <Time date={factor.createdDate} format="datetime" />
              </span>
              {factor.lastUsedDate && (
                <span>
                  마지막 사용 <Time date={factor.lastUsedDate} format="datetime" />
                </span>
              )}
            </p>
          </div>
          <QuestionButton question={removeQuestion(factor)} className="needs-script" disabled={busy}>
            지우기<span className="sr-only"> ({factor.name})</span>
          </QuestionButton>
        </li>
      ))}
    </ul>
  );
}

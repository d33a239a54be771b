import { useRevalidator, useSearchParams } from "react-router";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { safeReturnUrl } from "#app/lib/return-url.ts";
import { requireSignedIn } from "#worker/domain/kernel/authorize.server.ts";
import { getOwnSecondFactor, type OwnSecondFactor } from "#worker/domain/account/second-factor/factor.server.ts";
import type { Route } from "./+types/security";
import { useState } from "react";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Time } from "#app/ui/inline.tsx";
import { toast } from "#app/ui/toast.tsx";
import { formText, type Question, QuestionButton, useAction } from "#app/features/form/action.tsx";
import {
  type AddedFactor,
  type FactorView,
  SECOND_FACTOR_KINDS,
  SECOND_FACTOR_LIMITS,
  type TotpSetup,
} from "#worker/contract/account/second-factor.ts";
import { passkeyErrorMessage } from "#app/features/account/second-factor/passkey-error.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { SECOND_FACTOR_MESSAGES } from "#worker/contract/account/rule-messages.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { QrCode } from "#app/ui/qr-code.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const ctx = await scope.context();
  requireSignedIn(ctx);
  return { own: await getOwnSecondFactor(ctx) };
});

export default function MypageSecurity({ loaderData }: Route.ComponentProps) {
  const returnUrl = useSearchParams()[0].get("returnUrl");
  return <SecuritySettings own={loaderData.own} returnUrl={returnUrl ? safeReturnUrl(returnUrl) : null} />;
}

function SecuritySettings({ own, returnUrl }: { own: OwnSecondFactor; returnUrl: string | null }) {
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
        <FactorList kind="passkey" factors={factors} busy={busy} />
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
        <FactorList kind="totp" factors={factors} busy={busy} />
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
  label: "삭제",
  title: "이 인증 수단을 지우시겠습니까?",
  text: (
    <p>
      {SECOND_FACTOR_KINDS[kind]} {withParticle(`‘${name}’`, "으로/로")}는 더 이상 로그인하실 수 없게 됩니다.
    </p>
  ),
  danger: true,
  work: () => callApi(api["second-factor"][":factorId"].$delete({ param: { factorId: id } })),
  done: "인증 수단을 삭제하였습니다.",
});

interface FactorListProps {
  kind: FactorView["kind"];
  factors: FactorView[];
  busy: boolean;
}

function FactorList({ kind, factors, busy }: FactorListProps) {
  const shown = factors.filter((factor) => factor.kind === kind);
  if (shown.length === 0)
    return <p className="text-gray-60">등록된 {withParticle(SECOND_FACTOR_KINDS[kind], "이/가")} 없습니다.</p>;
  return (
    <ul className="divide-y divide-gray-20 border-y border-gray-20">
      {shown.map((factor) => (
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
            삭제<span className="sr-only"> ({factor.name})</span>
          </QuestionButton>
        </li>
      ))}
    </ul>
  );
}

/** Recovery codes are shown only once. */
function RecoveryCodesDialog({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  const copy = async () => {
    await navigator.clipboard.writeText((codes ?? []).join("\n"));
    toast("복구 코드를 복사하였습니다.", "success");
  };
  const save = () => {
    const text = `2단계 인증 복구 코드 (하나에 한 번씩 씁니다)\r\n\r\n${(codes ?? []).join("\r\n")}\r\n`;
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: "복구코드.txt" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <Dialog
      open={codes !== null}
      hasNoCross
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void copy()}>복사</Button>
          <Button onClick={save}>파일로 저장</Button>
          <Button variant="primary" onClick={onClose}>
            적어 두었습니다
          </Button>
        </>
      }
      title="복구 코드를 적어 두십시오"
      size="md"
    >
      <p className="mb-4">
        휴대전화나 컴퓨터를 잃어버렸을 때 로그인하는 코드입니다. 하나에 한 번씩 쓸 수 있습니다. 이 화면을 닫으면 다시 볼
        수 없으니, 종이에 적거나 파일로 저장하여 안전한 곳에 두십시오.
      </p>
      <ul
        aria-label="복구 코드"
        className="grid gap-x-8 gap-y-2 rounded-lg bg-gray-5 p-5 font-mono text-lg md:grid-cols-2"
      >
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}

interface TotpSetupDialogProps {
  setup: TotpSetup | null;
  onClose: () => void;
  onAdded: (added: AddedFactor) => void;
}

function TotpSetupDialog({ setup, onClose, onAdded }: TotpSetupDialogProps) {
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
            <p className="md:hidden">
              <a href={setup.uri} className="button button-md button-primary mb-2 w-full">
                이 휴대전화의 앱에 바로 추가
              </a>
              다른 휴대전화의 앱에 추가하시려면 그 앱에서 계정 추가(+)를 누르고 아래 QR 코드를 촬영합니다.
            </p>
            <p className="max-md:hidden">앱에서 계정 추가(+)를 누르고 아래 QR 코드를 촬영합니다.</p>
            <QrCode
              text={setup.uri}
              label="인증 앱으로 촬영할 QR 코드"
              border={3}
              className="my-3 aspect-square w-72 max-w-full border border-gray-20 bg-white"
            />
            <details>
              <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4">
                QR 코드를 촬영할 수 없습니다
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

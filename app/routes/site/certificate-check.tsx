import { useState } from "react";
import { AccountPage } from "#app/features/account/account-page.tsx";
import { formText, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Time } from "#app/ui/inline.tsx";
import { LabeledValue } from "#app/ui/labeled-value.tsx";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { checkSignedCertificate, type CertificateCheck } from "#worker/domain/alumni/certificate.server.ts";
import type { Route } from "./+types/certificate-check";
import { CertificateStateBadge } from "#app/features/alumni/certificate/certificate-rows.tsx";

/** Shows the result at once for a QR token; otherwise asks for number and name. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  isCode: params.token !== undefined,
  found: params.token === undefined ? null : await checkSignedCertificate(await scope.context(), params.token),
}));

export const meta = titledMeta("증명서 확인");

export default function CertificateCheckPage({ loaderData: { found, isCode } }: Route.ComponentProps) {
  return (
    <AccountPage title="증명서 확인">
      {found ? (
        <>
          <CertificateResult {...found} />
          <p className="mt-6 text-center">
            <ButtonLink to="/Certificate">다른 증명서 확인</ButtonLink>
          </p>
        </>
      ) : (
        <>
          {isCode && (
            <Alert tone="error" className="mb-6" title="확인되지 않는 증명서입니다.">
              QR 코드가 훼손되었거나 발급되지 않은 증명서입니다. 증명서에 적힌 확인 번호와 이름으로 다시 확인해
              주십시오.
            </Alert>
          )}
          <CheckForm />
        </>
      )}
    </AccountPage>
  );
}

function CheckForm() {
  const { busy, run, fields, message } = useAction({ reloads: "never" });
  const [checked, setChecked] = useState<CertificateCheck | null>(null);
  const check = (form: FormData) => {
    setChecked(null);
    const json = { number: formText(form, "number"), name: formText(form, "name") };
    return run(async () => setChecked(await callApi(api.certificate.check.$post({ json }))), null);
  };
  const isOfField = fields.number !== undefined || fields.name !== undefined;
  return (
    <form
      className="space-y-5"
      onSubmit={(event) => {
        event.preventDefault();
        void check(new FormData(event.currentTarget));
      }}
    >
      <p className="text-gray-70">
        증명서 아래에 적힌 확인 번호와 이름을 입력하시면 그 증명서가 유효한지 알려 드립니다.
      </p>
      <Field label="확인 번호" required error={fields.number} hint="예: 2026-7KQ4M-X2P9D">
        <Input name="number" maxLength={SIZE_LIMITS.codeLength} autoComplete="off" autoCapitalize="characters" />
      </Field>
      <Field label="이름" required error={fields.name}>
        <Input name="name" maxLength={SIZE_LIMITS.keywordLength} autoComplete="off" />
      </Field>
      <Button type="submit" variant="primary" size="lg" className="w-full" busy={busy}>
        확인
      </Button>
      {message && !isOfField && <Alert tone="error">{message}</Alert>}
      {checked && <CertificateResult {...checked} />}
    </form>
  );
}

/** Shows the facts that a reader compares with the paper. */
function CertificateResult(certificate: CertificateCheck) {
  const { name, state, kindName, documentNumber, purpose, createdDate, expiresDate } = certificate;
  return (
    <div role="status" className="rounded-lg border border-gray-20 px-5 py-6">
      <p className="text-center text-xl font-bold">{name || "탈퇴하거나 삭제된 사람"}</p>
      <p className="mt-3 text-center">
        <CertificateStateBadge state={state} />
      </p>
      <dl className="mt-5 grid gap-3 border-t border-gray-20 pt-5">
        <LabeledValue name="증명서">{kindName}</LabeledValue>
        <LabeledValue name="문서 번호">{documentNumber}</LabeledValue>
        <LabeledValue name="발급일">
          <Time date={createdDate} />
        </LabeledValue>
        <LabeledValue name="유효 기간">{expiresDate ? <Time date={expiresDate} /> : "기한 없음"}</LabeledValue>
        {purpose && <LabeledValue name="제출 용도">{purpose}</LabeledValue>}
      </dl>
      <p className="mt-5 text-sm text-gray-60">받으신 증명서의 내용과 같은지 비교해 주십시오.</p>
    </div>
  );
}

import { useState } from "react";
import type { LinksFunction } from "react-router";
import { CertificateRows } from "#app/features/alumni/certificate/certificate-rows.tsx";
import { CertificateSheets } from "#app/features/alumni/certificate/certificate-sheet.tsx";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { formText, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { CERTIFICATE_LIMITS } from "#worker/contract/alumni/certificate.ts";
import { listOpenKinds, type OpenKind } from "#worker/domain/alumni/certificate-kind.server.ts";
import { listOwnCertificates } from "#worker/domain/alumni/certificate.server.ts";
import type { Route } from "./+types/certificate";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: paperCss }];

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const [certificates, kinds] = await Promise.all([listOwnCertificates(ctx), listOpenKinds(ctx, true)]);
  const id = new URL(request.url).searchParams.get("id");
  return { certificates, kinds, shown: certificates.filter((each) => each.id === id) };
});

export default function MypageCertificate({ loaderData: { certificates, kinds, shown } }: Route.ComponentProps) {
  return (
    <>
      <CertificateSheets certificates={shown} />
      <p className="text-gray-70">
        회원정보에 등록된 이름으로 발급됩니다. 받는 사람은 증명서의 QR이나 확인 번호로 진위를 확인합니다.
      </p>
      <ul className="mt-4 mb-8 divide-y divide-gray-20 border-y border-gray-20">
        {kinds.map(({ id, name, months, takesPurpose }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <p>
              <strong>{name}</strong>
              <span className="ml-2 text-sm text-gray-60">
                {months > 0 ? `발급한 날부터 ${months}개월 동안 유효합니다.` : "기한이 없습니다."}
              </span>
            </p>
            <IssueButton kindId={id} name={name} takesPurpose={takesPurpose} />
          </li>
        ))}
      </ul>
      <CertificateRows certificates={certificates} base="/Mypage/Certificate" />
    </>
  );
}

type IssueButtonProps = Pick<OpenKind, "name" | "takesPurpose"> & { kindId: string };

function IssueButton({ kindId, name, takesPurpose }: IssueButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { busy, run, clear, fields, problem } = useAction();
  const close = () => {
    setOpen(false);
    clear();
  };
  const issue = async (form: FormData) => {
    const purpose = formText(form, "purpose").trim();
    const work = () => callApi(api.certificate.$put({ json: { kindId, purpose }, header: ONCE }));
    if (await run(work, "증명서를 발급하였습니다. 번호를 누르면 인쇄할 수 있습니다.")) close();
  };
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        발급<span className="sr-only"> {name}</span>
      </Button>
      <FormDialog
        open={isOpen}
        onClose={close}
        title={`${name} 발급`}
        submitLabel="발급"
        busy={busy}
        error={fields.purpose ? null : problem}
        onSubmit={(form) => void issue(form)}
      >
        {takesPurpose ? (
          <Field
            label="제출 용도"
            hint="입력하신 용도가 증명서에 표시됩니다. 예: 회사 제출"
            required
            error={fields.purpose}
          >
            <Input name="purpose" maxLength={CERTIFICATE_LIMITS.purpose} />
          </Field>
        ) : (
          "증명서를 발급하시겠습니까?"
        )}
      </FormDialog>
    </>
  );
}

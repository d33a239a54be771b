import type { LinksFunction } from "react-router";
import { CertificateRows } from "#app/features/alumni/certificate/certificate-rows.tsx";
import { CertificateSheet } from "#app/features/alumni/certificate/certificate-sheet.tsx";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { QuestionButton } from "#app/features/form/question.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { CERTIFICATE_DAYS } from "#worker/contract/alumni/certificate.ts";
import { listOwnCertificates } from "#worker/domain/alumni/certificate.server.ts";
import type { Route } from "./+types/certificate";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: paperCss }];

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const certificates = await listOwnCertificates(await scope.context());
  const id = new URL(request.url).searchParams.get("id");
  return { certificates, shown: certificates.find((each) => each.id === id) ?? null };
});

export const meta = titledMeta("회원 증명서", "마이페이지");

export default function MypageCertificate({ loaderData: { certificates, shown } }: Route.ComponentProps) {
  return (
    <>
      {shown && <CertificateSheet certificate={shown} />}
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <p className="text-gray-70">
          발급한 날부터 {CERTIFICATE_DAYS}일 동안 유효합니다. 받는 사람은 번호와 이름, 또는 QR로 확인합니다.
        </p>
        <QuestionButton
          variant="primary"
          question={{
            label: "발급",
            title: "회원 증명서를 발급하시겠습니까?",
            text: "회원정보에 등록된 이름으로 발급되며, 적으신 용도가 증명서에 찍힙니다.",
            reasonHint: "쓰실 곳을 적어 주십시오. 예: 회사 제출",
            work: (reason) => callApi(api.certificate.$put({ json: { purpose: reason } })),
            done: "증명서를 발급하였습니다. 번호를 누르면 인쇄할 수 있습니다.",
          }}
        >
          증명서 발급
        </QuestionButton>
      </div>
      <CertificateRows certificates={certificates} base="/Mypage/Certificate" />
    </>
  );
}

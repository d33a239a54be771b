import type { LinksFunction } from "react-router";
import { CertificateRows } from "#app/features/alumni/certificate/certificate-rows.tsx";
import { CertificateSheets } from "#app/features/alumni/certificate/certificate-sheet.tsx";
import paperCss from "#app/features/alumni/paper/paper.css?url";
import { QuestionButton } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { listOpenKinds } from "#worker/domain/alumni/certificate-kind.server.ts";
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
            <QuestionButton
              question={{
                label: "발급",
                title: `${name} 발급`,
                text: takesPurpose ? "적으신 용도가 증명서에 나옵니다." : "증명서를 발급하시겠습니까?",
                ...(takesPurpose && { reasonHint: "쓰실 곳을 적어 주십시오. 예: 회사 제출" }),
                work: (purpose) => callApi(api.certificate.$put({ json: { kindId: id, purpose }, header: ONCE })),
                done: "증명서를 발급하였습니다. 번호를 누르면 인쇄할 수 있습니다.",
              }}
            >
              발급<span className="sr-only"> {name}</span>
            </QuestionButton>
          </li>
        ))}
      </ul>
      <CertificateRows certificates={certificates} base="/Mypage/Certificate" />
    </>
  );
}

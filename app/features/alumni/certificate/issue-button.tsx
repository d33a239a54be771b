import { useNavigate } from "react-router";
import { QuestionButton, REASON_HINT } from "#app/features/form/question.tsx";
import { api, callApi } from "#app/lib/api.ts";

export function IssueCertificateButton({ alumniId, name }: { alumniId: string; name: string }) {
  const navigate = useNavigate();
  return (
    <QuestionButton
      question={{
        label: "증명서 발급",
        title: `${name}님의 회원 증명서를 발급하시겠습니까?`,
        reasonHint: REASON_HINT,
        reloads: "never",
        work: (reason) => callApi(api.certificate.issued.$put({ json: { alumniId, reason } })),
        done: "증명서를 발급하였습니다.",
        onDone: ({ id }) => navigate(`/Admin/Certificates?id=${id}`),
      }}
    />
  );
}

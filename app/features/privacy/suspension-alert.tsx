import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Time } from "#app/ui/time.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";

export function SuspensionAlert({ userId, since }: { userId: string; since: string }) {
  const question: Question = {
    label: "풀기",
    title: "처리정지를 푸시겠습니까?",
    text: (
      <p>
        전에 고르신 대로 메일과 알림을 다시 보내 드립니다. 주소록에서 닫힌 연락처는 주소록에서 다시 공개하실 수
        있습니다.
      </p>
    ),
    work: () => callApi(api.user[":id"].suspension.$delete({ param: { id: userId } })),
    done: "처리정지를 풀었습니다.",
  };
  return (
    <Alert tone="warning" title="처리정지 중입니다">
      <p>
        <Time date={since} />
        부터 단체 메일과 광고성 메일, 새 글·댓글 알림을 보내지 않습니다. 주소록에서 다른 회원에게 공개하신 연락처는 그때
        닫았습니다.
      </p>
      <div className="min-w-0 mt-3">
        <QuestionButton question={question}>처리정지 풀기</QuestionButton>
      </div>
    </Alert>
  );
}

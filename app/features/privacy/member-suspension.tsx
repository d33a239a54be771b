import { api, callApi } from "#app/lib/api.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Time } from "#app/ui/time.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";

export function MemberSuspension({ id, since }: { id: string; since: string }) {
  const question: Question = {
    label: "풀기",
    title: "처리정지를 푸시겠습니까?",
    reasonHint: "회원이 풀어 달라고 한 경위를 적어 주십시오. 감사 기록에 남습니다.",
    work: (reason) => callApi(api.admin.member[":id"].resume.$post({ param: { id }, json: { reason } })),
    done: "처리정지를 풀었습니다.",
  };
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="warning">처리정지</Badge>
        <span>
          <Time date={since} />
          부터
        </span>
        <QuestionButton question={question}>처리정지 풀기</QuestionButton>
      </span>
      <p className="mt-1 text-sm text-gray-60">단체 메일, 광고성 메일, 새 글·댓글 알림을 보내지 않습니다.</p>
    </>
  );
}

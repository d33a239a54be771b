import { useState } from "react";
import { ReasonDialog } from "#app/features/form/reason-dialog.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/time.tsx";

/** What the member asked to stop, and how to let it go on when they say so. */
export function MemberSuspension({ id, since }: { id: string; since: string }) {
  const [open, setOpen] = useState(false);
  const { busy, run, clear, fields, message } = useAction();
  const resume = async (reason: string) => {
    const work = () => callApi(api.admin.member[":id"].resume.$post({ param: { id }, json: { reason } }));
    if (await run(work, "처리정지를 풀었습니다.")) setOpen(false);
  };
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone="warning">처리정지</Badge>
        <span>
          <Time date={since} />
          부터
        </span>
        <Button size="sm" onClick={() => setOpen(true)}>
          처리정지 풀기
        </Button>
      </span>
      <p className="mt-1 text-sm text-gray-60">단체 메일, 광고성 메일, 새 글·댓글 알림을 보내지 않습니다.</p>
      <ReasonDialog
        open={open}
        title="처리정지를 푸시겠습니까?"
        confirmLabel="풀기"
        hint="회원이 풀어 달라고 한 경위를 적어 주십시오. 감사 기록에 남습니다."
        busy={busy}
        error={fields.reason ?? message}
        onClose={() => {
          setOpen(false);
          clear();
        }}
        onConfirm={resume}
      />
    </>
  );
}

import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/time.tsx";
import type { RecoveryView } from "#worker/contract/account/second-factor-view.ts";

/** What to do who has lost the telephone and the codes alike. */
export function RecoveryOffer({ recovery, onDone }: { recovery: RecoveryView | null; onDone: () => void }) {
  const { busy, problem, run } = useAction({ reloads: "never" });
  if (!recovery) {
    return (
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline underline-offset-4">
          인증할 기기와 복구 코드를 모두 잃어버렸습니다
        </summary>
        <p className="mt-2 text-gray-70">
          다른 관리자나 사이트 아래의 연락처로 2단계 인증 복구를 요청해 주십시오. 관리자가 복구를 시작하면 메일로 알려
          드리고, 24시간 뒤에 이 화면에서 다시 등록하실 수 있습니다.
        </p>
      </details>
    );
  }
  if (!recovery.isUsable) {
    return (
      <Alert title="2단계 인증 복구가 시작되었습니다">
        <Time date={recovery.usableDate} format="datetime" /> 이후에 다시 로그인하시면 2단계 인증을 풀고 새로 등록하실
        수 있습니다.
      </Alert>
    );
  }
  const use = () =>
    run(async () => {
      await callApi(api["second-factor"].recovery.$post({ json: {} }));
      onDone();
    }, null);
  return (
    <Alert title="2단계 인증을 다시 등록하실 수 있습니다">
      <p className="mb-3">등록되어 있던 패스키, 인증 앱, 복구 코드가 모두 지워집니다.</p>
      {problem && <p className="mb-3 font-medium text-danger-60">{problem}</p>}
      <Button variant="primary" busy={busy} onClick={() => void use()}>
        2단계 인증 풀고 다시 등록
      </Button>
    </Alert>
  );
}

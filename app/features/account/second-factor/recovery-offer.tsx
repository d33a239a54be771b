import { useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Time } from "#app/ui/time.tsx";
import type { RecoveryView } from "#worker/contract/account/second-factor-view.ts";
import { useSecondFactorTexts } from "./texts.ts";

export function RecoveryOffer({ recovery, onDone }: { recovery: RecoveryView | null; onDone: () => void }) {
  const { recovery: texts, failed } = useSecondFactorTexts();
  const [problem, setProblem] = useState<string | null>(null);
  const { busy, run } = useAction({
    reloads: "never",
    onFailure(failure) {
      setProblem(failed(failure));
      return true;
    },
  });
  if (!recovery) {
    return (
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline underline-offset-4">
          {texts.lost}
        </summary>
        <p className="mt-2 text-gray-70">{texts.how}</p>
      </details>
    );
  }
  if (!recovery.isUsable) {
    return (
      <Alert title={texts.startedTitle}>
        {texts.started.before}
        <Time date={recovery.usableDate} format="datetime" />
        {texts.started.after}
      </Alert>
    );
  }
  const use = () =>
    run(async () => {
      await callApi(api["second-factor"].recovery.$post({ json: {} }));
      onDone();
    }, null);
  return (
    <Alert title={texts.usableTitle}>
      <p className="mb-3">{texts.usable}</p>
      {problem && <p className="mb-3 font-medium text-danger-60">{problem}</p>}
      <Button variant="primary" busy={busy} onClick={() => void use()}>
        {texts.use}
      </Button>
    </Alert>
  );
}

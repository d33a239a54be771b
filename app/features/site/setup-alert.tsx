import { Link } from "react-router";
import { Alert } from "#app/ui/alert.tsx";
import { SETUP_STEPS } from "#worker/contract/site/setup-rules.ts";
import type { SetupView } from "#worker/contract/site/view.ts";

export function SetupAlert({ setup: { steps, signupClosed } }: { setup: SetupView }) {
  const left = steps.filter(({ isDone }) => !isDone);
  if (left.length === 0) return null;
  return (
    <Alert tone={signupClosed ? "warning" : "info"} className="mb-3">
      <Link to="/Admin/Setup" className="font-semibold underline underline-offset-4">
        처음 설정이 {left.length}가지 남았습니다.
      </Link>{" "}
      {signupClosed && "그때까지 회원가입은 닫혀 있습니다. "}
      <span className="text-sm">{left.map(({ step }) => SETUP_STEPS[step].label).join(", ")}</span>
    </Alert>
  );
}

import { ProgressBar } from "#app/ui/progress.tsx";

export type PreviewWaiting = { kind: "loading"; percent: number } | { kind: "failed"; message: string };

export function PreviewWait({ state }: { state: PreviewWaiting }) {
  if (state.kind === "failed")
    return (
      <p role="alert" className="rounded-md bg-gray-5 px-5 py-6">
        {state.message}
      </p>
    );
  return (
    <div className="py-10" aria-live="polite">
      <p className="mb-3 text-center text-gray-70">문서를 여는 중입니다.</p>
      <ProgressBar label="문서를 여는 중" value={state.percent} className="mx-auto max-w-60" />
    </div>
  );
}

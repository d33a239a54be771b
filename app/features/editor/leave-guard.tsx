import { type RefObject, useEffect } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

/** Asks before a form with changes is left, by a link or by closing the page. */
export function LeaveGuard({ dirty }: { dirty: RefObject<() => boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && dirty.current(),
  );
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (dirty.current()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [dirty]);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      title="작성 중인 글이 있습니다"
      confirmLabel="나가기"
      cancelLabel="계속 쓰기"
    >
      <p>이 화면을 나가면 등록하지 않은 내용은 게시되지 않습니다. 임시저장된 글은 다음에 이어 쓸 수 있습니다.</p>
    </ConfirmDialog>
  );
}

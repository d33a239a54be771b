import { type ReactNode, type RefObject, useEffect } from "react";
import { type Location, useBlocker } from "react-router";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_FORM_TEXTS } from "#app/lib/texts/korean-form.ts";
import { ConfirmDialog } from "#app/ui/dialog.tsx";

interface LeaveGuardProps {
  isDirty: RefObject<() => boolean>;
  /** Names the screen of a location; a move within it asks nothing. */
  screenOf?: (location: Location) => string;
  title?: string;
  children?: ReactNode;
}

/** Asks before a dirty form is left, but not when the session ends. */
export function LeaveGuard(props: LeaveGuardProps) {
  const { isDirty, screenOf = ({ pathname }) => pathname, title = "작성 중인 글이 있습니다", children } = props;
  const { leave, stay } = useSection("form", KOREAN_FORM_TEXTS).leave;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => screenOf(currentLocation) !== screenOf(nextLocation) && isDirty.current(),
  );
  return (
    <>
      <UnloadGuard isDirty={isDirty} staysWhile={isDirty} />
      <ConfirmDialog
        open={blocker.state === "blocked"}
        onClose={() => blocker.reset?.()}
        onConfirm={() => blocker.proceed?.()}
        title={title}
        confirmLabel={leave}
        cancelLabel={stay}
      >
        {children ?? (
          <p>이 화면을 나가면 등록하지 않은 내용은 게시되지 않습니다. 임시저장된 글은 다음에 이어 쓸 수 있습니다.</p>
        )}
      </ConfirmDialog>
    </>
  );
}

interface UnloadGuardProps {
  isDirty: RefObject<() => boolean>;
  /** While true, the page is not reloaded at the end of the session. */
  staysWhile: RefObject<() => boolean>;
}

export function UnloadGuard({ isDirty, staysWhile }: UnloadGuardProps) {
  useEffect(() => {
    const ask = (event: Event) => {
      if ((event.type === "beforeunload" ? isDirty : staysWhile).current()) event.preventDefault();
    };
    const leaves = ["beforeunload", "session-change"] as const;
    for (const leave of leaves) addEventListener(leave, ask);
    return () => {
      for (const leave of leaves) removeEventListener(leave, ask);
    };
  }, [isDirty, staysWhile]);
  return null;
}

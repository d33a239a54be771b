import { type ComponentProps, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { hasUnsavedInput, SigninGateContext, unsavedInputHandlers } from "#app/features/form/unsaved.ts";
import { hasRefused } from "#app/lib/browser-store.ts";
import { useSection } from "#app/lib/page-language.ts";
import { KOREAN_FORM_TEXTS } from "#app/lib/texts/korean-form.ts";
import { LeaveGuard, UnloadGuard } from "#app/features/form/leave-guard.tsx";
import { SigninDialog } from "#app/features/form/signin-dialog.tsx";
import { isSignedIn } from "#app/lib/session-tokens.ts";
import { subscribeToSession } from "#app/lib/session.ts";

const unsavedCheck = { current: hasUnsavedInput };
/** Kept drafts are lost with the page if the browser refuses storage. */
const unkeptCheck = { current: () => hasRefused() && hasUnsavedInput() };

interface SigninGateProps extends Pick<ComponentProps<typeof LeaveGuard>, "screenOf"> {
  className: string;
  /** True if drafts survive navigation, so that leaving needs no question. */
  keepsDrafts?: boolean;
  children: ReactNode;
}

/** Protects unsaved input in the console and account pages from links and from an expired session. */
export function SigninGate({ className, keepsDrafts = false, children, ...screen }: SigninGateProps) {
  const { leave } = useSection("form", KOREAN_FORM_TEXTS);
  const waiting = useRef<((signedIn: boolean) => void)[]>([]);
  const [open, setOpen] = useState(false);
  const ask = useCallback(() => {
    setOpen(true);
    return new Promise<boolean>((resolve) => waiting.current.push(resolve));
  }, []);
  const settle = useCallback((signedIn: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(signedIn);
  }, []);
  useEffect(
    () =>
      subscribeToSession((event) => {
        if (event !== "changed") return;
        // Another tab may have signed in already.
        if (isSignedIn()) settle(true);
        else if (hasUnsavedInput()) void ask();
      }),
    [ask, settle],
  );
  return (
    <SigninGateContext value={ask}>
      <div {...unsavedInputHandlers} className={className}>
        {children}
      </div>
      {keepsDrafts ? (
        <UnloadGuard isDirty={unkeptCheck} staysWhile={unsavedCheck} />
      ) : (
        <LeaveGuard {...screen} isDirty={unsavedCheck} title={leave.title}>
          <p>{leave.text}</p>
        </LeaveGuard>
      )}
      <SigninDialog open={open} writer={null} onDone={settle} />
    </SigninGateContext>
  );
}

import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from "react";
import { SigninDialog } from "#app/features/editor/signin-dialog.tsx";
import { isSignedIn, onSession } from "#app/lib/session.ts";

const Gate = createContext<() => Promise<boolean>>(() => Promise.resolve(false));
/** Asks for the password where the clerk stands; true once the session stands again. */
export const useSigninGate = () => use(Gate);

const typedIn = () => document.querySelector("[data-unsaved]");
/** What was typed is kept now. */
export function forgetTyped(): void {
  typedIn()?.removeAttribute("data-unsaved");
}

/** A page of the console. A session that ends while something typed is not saved is asked for again, on the spot. */
export function SigninGate({ pathname, children }: { pathname: string; children: ReactNode }) {
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
      onSession((event) => {
        if (event !== "changed") return;
        // Another tab may have signed in, too.
        if (isSignedIn()) settle(true);
        else if (typedIn()) void ask();
      }),
    [ask, settle],
  );
  useEffect(forgetTyped, [pathname]);
  return (
    <Gate value={ask}>
      <div
        className="min-w-0"
        onInput={({ target, currentTarget }) => {
          const form = (target as HTMLInputElement).form;
          // A search leaves nothing behind.
          if (form && form.getAttribute("method") !== "get") currentTarget.dataset.unsaved = "";
        }}
      >
        {children}
      </div>
      <SigninDialog open={open} writer={null} onDone={settle} />
    </Gate>
  );
}

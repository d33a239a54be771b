import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useSigninGate } from "#app/features/form/signin-gate-context.ts";
import { captureSubmittedForm } from "#app/features/form/unsaved.ts";
import { toast } from "#app/ui/toast.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";

/** Somebody else changed or removed what the page shows. */
const STALE_CODES = new Set(["CONFLICT", "NOT_FOUND"]);
const CONFLICT_HERE =
  "그사이 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 두고 나머지를 새로 불러왔습니다. 확인한 뒤 다시 저장해 주십시오.";

export interface ActionOptions {
  /** When the page asks for its data again: after success and after a conflict, after success alone, or never. */
  reloads?: "always" | "success" | "never" | undefined;
  /** Asks for the password on the spot; a page inside a SigninGate has one already. */
  askSignin?: () => Promise<boolean>;
  /** Before the failure is shown; true where it needs no message any more. `thrown` is what it was made of. */
  onFailure?: (failure: AppError, thrown: unknown) => boolean | Promise<boolean>;
}
/** The toast afterwards; an error where the answer was given but the thing went wrong; none for work that shows its own. */
export type DoneMessage<T> = string | null | ((result: T) => string | AppError);

/**
 * What a form or a button does: one run at a time, sign-in on the spot when the session is lost, the outcome shown, the
 * page loaded anew around what was typed. A form whose work succeeded counts as saved, unless `isKept` is false.
 */
export function useAction(options: ActionOptions = {}) {
  const { revalidate } = useRevalidator();
  const askAtGate = useSigninGate();
  const running = useRef(false);
  const current = useRef(options);
  useEffect(() => {
    current.current = options;
  });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (error?.fields) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const run = useCallback(
    async <W extends () => Promise<unknown>>(
      work: W,
      done: DoneMessage<Awaited<ReturnType<W>>>,
      isKept = true,
    ): Promise<boolean> => {
      if (running.current) return false;
      running.current = true;
      const { reloads = "always", askSignin = askAtGate, onFailure } = current.current;
      const markSaved = captureSubmittedForm();
      setBusy(true);
      setError(null);
      const attempt = async () => (await work()) as Awaited<ReturnType<W>>;
      try {
        const result = await attempt().catch(async (thrown: unknown) => {
          if (!(thrown instanceof AppError) || thrown.code !== "UNAUTHORIZED" || !(await askSignin())) throw thrown;
          // A session that is refused as soon as it begins is an error to show, and no reason to ask again.
          return attempt();
        });
        if (isKept) markSaved();
        const message = typeof done === "function" ? done(result) : done;
        // The next thing done here is done on what the page shows by then.
        if (reloads !== "never") await revalidate();
        if (message instanceof AppError) toast(message.message, "error");
        else if (message) toast(message, "success");
        return true;
      } catch (thrown) {
        const failure = thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", { cause: thrown });
        if (reloads === "always" && STALE_CODES.has(failure.code)) await revalidate();
        if (!(await onFailure?.(failure, thrown))) setError(failure);
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [revalidate, askAtGate],
  );
  const clear = useCallback(() => setError(null), []);
  const fields = error?.fields ?? {};
  const [firstOfFields] = Object.values(fields);
  const message = error?.message === ERRORS.CONFLICT.message ? CONFLICT_HERE : (error?.message ?? null);
  return {
    busy,
    run,
    clear,
    fields,
    message,
    /** What is wrong with no field in particular. */
    general: firstOfFields === undefined ? message : null,
    /** For what has no fields to stand beside. */
    problem: firstOfFields ?? message,
    isConflict: error?.code === "CONFLICT",
  };
}

import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { useSigninGate } from "#app/features/form/signin-gate.tsx";
import { captureSubmittedForm } from "#app/features/form/unsaved.ts";
import { toast } from "#app/ui/toast.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";

/** Somebody else changed or removed what the page shows. */
const STALE_CODES = new Set(["CONFLICT", "NOT_FOUND"]);
const CONFLICT_HERE =
  "그사이 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 두고 나머지를 새로 불러왔습니다. 확인한 뒤 다시 저장해 주십시오.";

interface SaveOptions {
  /** Then the page is asked for its data again around what was typed, so that the next try meets what stands there now. */
  rereads?: boolean;
}
/** What is said afterwards; an error where the answer was given but the thing went wrong. */
type SaveMessage<T> = string | ((result: T) => string | AppError);

/**
 * Runs a change, says how it went, and asks the page for its data again; what was typed stays where it fails.
 * `isKept` is false for what only looks at the text or tries it.
 */
export function useSave({ rereads = true }: SaveOptions = {}) {
  const { revalidate } = useRevalidator();
  const askSignin = useSigninGate();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (error?.fields) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const save = useCallback(
    async <W extends () => Promise<unknown>>(
      work: W,
      done: SaveMessage<Awaited<ReturnType<W>>>,
      isKept = true,
    ): Promise<boolean> => {
      if (running.current) return false;
      running.current = true;
      const saved = captureSubmittedForm();
      setBusy(true);
      setError(null);
      const attempt = async (): Promise<Awaited<ReturnType<W>>> => {
        try {
          return (await work()) as Awaited<ReturnType<W>>;
        } catch (thrown) {
          if (!(thrown instanceof AppError) || thrown.code !== "UNAUTHORIZED" || !(await askSignin())) throw thrown;
          return attempt();
        }
      };
      try {
        const result = await attempt();
        if (isKept) saved();
        const said = typeof done === "function" ? done(result) : done;
        if (said instanceof AppError) toast(said.message, "error");
        else toast(said, "success");
        await revalidate();
        return true;
      } catch (thrown) {
        const failure = thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", { cause: thrown });
        if (rereads && STALE_CODES.has(failure.code)) await revalidate();
        setError(failure);
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [revalidate, askSignin, rereads],
  );
  const clear = useCallback(() => setError(null), []);
  const fields = error?.fields ?? {};
  const message = error?.message === ERRORS.CONFLICT.message ? CONFLICT_HERE : (error?.message ?? null);
  /** What is wrong with no field in particular. */
  const general = Object.keys(fields).length === 0 ? message : null;
  /** Somebody else was first. */
  const conflict = error?.code === "CONFLICT";
  return { busy, save, clear, fields, message, general, conflict };
}

/** The text of a form's field. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** One entry a line, empty lines left out. */
export const splitLines = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { forgetTyped, useSigninGate } from "#app/features/admin/signin-gate.tsx";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/errors.ts";

interface SaveOptions {
  /** A conflict asks the page for its data again, so that the next try meets what stands there now. */
  rereads?: boolean;
}
/** What is said afterwards; an error where the answer was given but the thing went wrong. */
type Said<T> = string | ((result: T) => string | AppError);

/**
 * Runs a change, says how it went, and asks the page for its data again; what was typed stays where it fails.
 * `isKept` is false for what only looks at the text or tries it.
 */
export function useSave({ rereads = false }: SaveOptions = {}) {
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
      done: Said<Awaited<ReturnType<W>>>,
      isKept = true,
    ): Promise<boolean> => {
      if (running.current) return false;
      running.current = true;
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
        if (isKept) forgetTyped();
        const said = typeof done === "function" ? done(result) : done;
        if (said instanceof AppError) toast(said.message, "error");
        else toast(said, "success");
        await revalidate();
        return true;
      } catch (thrown) {
        const failure = thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", { cause: thrown });
        setError(failure);
        if (rereads && failure.code === "CONFLICT") await revalidate();
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [revalidate, askSignin, rereads],
  );
  const clear = useCallback(() => setError(null), []);
  const [fields, message] = [error?.fields ?? {}, error?.message ?? null];
  /** What is wrong with no field in particular. */
  const general = Object.keys(fields).length === 0 ? message : null;
  /** Somebody else was first. */
  const conflict = error?.code === "CONFLICT";
  return { busy, save, clear, fields, message, general, conflict };
}

/** The text of a form's field. */
export const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** One entry a line, empty lines left out. */
export const linesOf = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

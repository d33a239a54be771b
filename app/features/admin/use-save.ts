import { useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/errors.ts";

/** Runs a change, says how it went, and asks the page for its data again; what was typed stays where it fails. */
export function useSave() {
  const { revalidate } = useRevalidator();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (error?.fields) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const save = useCallback(
    async (work: () => Promise<unknown>, done: string): Promise<boolean> => {
      if (running.current) return false;
      running.current = true;
      setBusy(true);
      setError(null);
      try {
        await work();
        toast(done, "success");
        await revalidate();
        return true;
      } catch (thrown) {
        setError(thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", { cause: thrown }));
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [revalidate],
  );
  const clear = useCallback(() => setError(null), []);
  const [fields, message] = [error?.fields ?? {}, error?.message ?? null];
  /** What is wrong with no field in particular. */
  const general = Object.keys(fields).length === 0 ? message : null;
  return { busy, save, clear, fields, message, general };
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

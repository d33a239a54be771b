import { useState } from "react";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";

/** One act at a time, what it says when it fails, and whether it is under way. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      const fields = thrown instanceof AppError ? Object.values(thrown.fields ?? {}) : [];
      setError(fields[0] ?? (thrown instanceof AppError ? thrown.message : ERRORS.INTERNAL_ERROR.message));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, setError, act };
}

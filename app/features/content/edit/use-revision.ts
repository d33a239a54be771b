import { useRef, useState } from "react";
import { toast } from "#app/ui/toast.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";

interface RevisionOptions<Theirs> {
  /** The row's version as it was loaded; 0 for one that is not there yet. */
  version: number;
  /** What is kept now, to be shown beside what is written here. */
  reread: () => Promise<Theirs>;
}

/** Steps that each need the version the one before has made. */
export type RevisionStep = (version: number) => Promise<{ version: number }>;

/** Saves, publishes and withdraws one page: nothing is sent twice, overwritten unasked, or lost with a session. */
export function useRevision<Theirs extends { version: number }>({ version, reread }: RevisionOptions<Theirs>) {
  const current = useRef(version);
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const [theirs, setTheirs] = useState<Theirs | null>(null);
  const [signin, setSignin] = useState<((signedIn: boolean) => void) | null>(null);
  const askSignin = () => new Promise<boolean>((resolve) => setSignin(() => resolve));

  const attempt = async (steps: readonly RevisionStep[]): Promise<void> => {
    for (const [at, step] of steps.entries()) {
      try {
        current.current = (await step(current.current)).version;
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== "UNAUTHORIZED" || !(await askSignin())) throw thrown;
        return attempt(steps.slice(at));
      }
    }
  };

  /** @returns whether all steps were done; else what is wrong stands in `error` or `theirs` */
  const run = async (steps: readonly RevisionStep[], done: string): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setError(null);
    try {
      await attempt(steps);
      if (done) toast(done, "success");
      return true;
    } catch (thrown) {
      const failure = thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", { cause: thrown });
      if (failure.code === "CONFLICT") setTheirs(await reread().catch(() => null));
      if (failure.code !== "UNAUTHORIZED") setError(failure);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  return {
    busy,
    run,
    message: error?.message ?? null,
    fields: error?.fields ?? {},
    theirs,
    /** Mine over the newest version, as its writer decided. */
    overwrite(step: RevisionStep, done: string) {
      if (theirs) current.current = theirs.version;
      setTheirs(null);
      return run([step], done);
    },
    closeConflict: () => setTheirs(null),
    askSignin,
    signin: {
      open: signin !== null,
      onDone(signedIn: boolean) {
        signin?.(signedIn);
        setSignin(null);
      },
    },
  };
}

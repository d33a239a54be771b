import { useRef, useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";

interface RevisionOptions<Stored> {
  /** The row's version as it was loaded; 0 for one that is not there yet. */
  version: number;
  /** What is stored now, to be shown beside what is written here. */
  reread: () => Promise<Stored>;
}

/** Steps that each need the version the one before has made. */
export type RevisionStep = (version: number) => Promise<{ version: number }>;

/** Saves, publishes and withdraws one page; a page that somebody else has saved is not overwritten unasked. */
export function useRevision<Stored extends { version: number }>({ version, reread }: RevisionOptions<Stored>) {
  const current = useRef(version);
  const [stored, setStored] = useState<Stored | null>(null);
  const { run, ...action } = useAction({
    reloads: "never",
    async onFailure({ code }) {
      const found = code === "CONFLICT" ? await reread().catch(() => null) : null;
      setStored(found);
      return found !== null || code === "UNAUTHORIZED";
    },
  });
  /** @returns whether all steps were done */
  const runSteps = (steps: readonly RevisionStep[], done: string | null) => {
    const left = [...steps];
    const work = async () => {
      for (let step = left[0]; step; step = left[0]) {
        current.current = (await step(current.current)).version;
        left.shift();
      }
    };
    return run(work, done);
  };
  return {
    ...action,
    run: runSteps,
    stored,
    /** Mine over the newest version, as its writer decided. */
    overwrite(step: RevisionStep, done: string) {
      if (stored) current.current = stored.version;
      setStored(null);
      return runSteps([step], done);
    },
    closeConflict: () => setStored(null),
  };
}

import { useRef, useState } from "react";
import { useAction } from "#app/features/form/use-action.ts";

interface RevisionOptions<Stored> {
  /** The loaded version; 0 for a page that does not exist yet. */
  version: number;
  reread: () => Promise<Stored>;
}

/** Each step uses the version that the previous step returned. */
type RevisionStep = (version: number) => Promise<{ version: number }>;

/** Detects edit conflicts by an optimistic lock and asks before it overwrites. */
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
  /** @returns whether every step succeeded */
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
    overwrite(step: RevisionStep, done: string) {
      if (stored) current.current = stored.version;
      setStored(null);
      return runSteps([step], done);
    },
    closeConflict: () => setStored(null),
  };
}

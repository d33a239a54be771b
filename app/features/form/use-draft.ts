import { useCallback, useEffect, useRef, useState } from "react";
import { firstErrorMessage } from "#app/features/form/send-with-progress.ts";
import { nowIso } from "#app/lib/clock.ts";
import { dropLocalDraft, keepLocalDraft, type LocalDraftPlace, lockDraft } from "#app/lib/local-drafts.ts";
import { subscribeToSession } from "#app/lib/session.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

export type DraftStatus =
  | { kind: "idle" | "changed" | "saving" }
  | { kind: "saved"; date: string }
  /** Kept only in this browser while the writer has not decided about an older draft. */
  | { kind: "aside"; date: string }
  /** Kept only in this browser because the server could not be reached or refused it. */
  | { kind: "local"; reason: string; signedOut: boolean }
  | { kind: "failed"; reason: string };

const SAVE_EVERY_MS = 3000;

interface DraftOptions<Value extends object> {
  place: LocalDraftPlace;
  /** Of this writing, in this browser. */
  slot: string;
  read: () => Value;
  /** Equal for values that need no save. */
  snapshotOf: (value: Value) => string;
  store: (value: Value, signal: AbortSignal) => Promise<{ modifiedDate: string }>;
  /** Keeps it in this browser because the server has an undecided older draft. */
  isAside?: boolean;
  /** Begins with text that only this browser has. */
  isUnsaved?: boolean;
}

/** Saves changes in this browser and on the server. The functions stay the same between renderings. */
export function useDraft<Value extends object>(options: DraftOptions<Value>) {
  const { place, slot, read, snapshotOf, store, isAside = false, isUnsaved = false } = options;
  const [status, setStatus] = useState<DraftStatus>({ kind: "idle" });
  const saved = useRef<string | null>(isUnsaved ? "" : null);
  const running = useRef<{ done: Promise<void>; abort: AbortController } | null>(null);
  const stopped = useRef(false);
  const { userId, boardCode, itemNo } = place;

  const save = useCallback(async () => {
    const own = { userId, boardCode, itemNo };
    const value = read();
    const snapshot = snapshotOf(value);
    saved.current ??= snapshot;
    if (stopped.current || running.current || snapshot === saved.current) return;
    const here = keepLocalDraft(own, slot, value);
    if (isAside) {
      if (!here) return setStatus({ kind: "failed", reason: "브라우저의 저장 공간이 부족합니다." });
      saved.current = snapshot;
      return setStatus({ kind: "aside", date: nowIso() });
    }
    const abort = new AbortController();
    const run = async () => {
      setStatus({ kind: "saving" });
      try {
        const { modifiedDate } = await store(value, abort.signal);
        saved.current = snapshot;
        setStatus({ kind: "saved", date: modifiedDate });
      } catch (error) {
        if (abort.signal.aborted) return;
        const signedOut = error instanceof AppError && error.code === "UNAUTHORIZED";
        const reason = firstErrorMessage(error);
        setStatus(here ? { kind: "local", reason, signedOut } : { kind: "failed", reason });
      }
    };
    running.current = { done: run(), abort };
    await running.current.done;
    running.current = null;
  }, [userId, boardCode, itemNo, read, snapshotOf, store, isAside, slot]);

  const wasAside = useRef(isAside);
  useEffect(() => {
    const own = { userId, boardCode, itemNo };
    // After the decision, the draft kept only in this browser is sent to the server.
    if (wasAside.current && !isAside && saved.current !== null) saved.current = "";
    wasAside.current = isAside;
    const first = snapshotOf(read());
    saved.current ??= first;
    const timer = setInterval(() => void save(), SAVE_EVERY_MS);
    const keep = () => keepLocalDraft(own, slot, read());
    // Stores synchronously because the page may close before the next tick.
    const leave = () => {
      const isHidden = document.visibilityState === "hidden";
      if (isHidden && !stopped.current && snapshotOf(read()) !== saved.current) keep();
    };
    document.addEventListener("visibilitychange", leave);
    // A sign-out in another tab drops all drafts; this page still shows its text.
    const unsubscribe = subscribeToSession(() => !stopped.current && snapshotOf(read()) !== first && keep());
    const release = lockDraft(own, slot);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", leave);
      unsubscribe();
      release();
    };
  }, [isAside, save, read, snapshotOf, slot, userId, boardCode, itemNo]);

  return {
    status,
    save,
    /** Also what was saved before. */
    saveAgain: () => {
      saved.current = "";
      return save();
    },
    touch: () =>
      setStatus((known) =>
        known.kind === "saved" || known.kind === "aside" || known.kind === "idle" ? { kind: "changed" } : known,
      ),
    /** Stops saving, because publishing must not be overwritten. */
    async stop(how: "abort" | "finish" = "abort") {
      stopped.current = true;
      if (how === "abort") running.current?.abort.abort();
      await running.current?.done;
    },
    resume() {
      stopped.current = false;
    },
    /** Stores the draft in this browser at once. */
    keep() {
      keepLocalDraft({ userId, boardCode, itemNo }, slot, read());
    },
    forget() {
      dropLocalDraft({ userId, boardCode, itemNo }, slot);
    },
  };
}

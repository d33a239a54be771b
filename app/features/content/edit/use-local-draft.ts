import { type RefObject, useEffect } from "react";
import { keepLocalDraft, type LocalDraftPlace } from "#app/lib/local-drafts.ts";

const KEEP_EVERY_MS = 3000;

/** Keeps in this browser what is not saved yet, every few seconds and when the page is left. */
export function useLocalDraft(
  place: LocalDraftPlace,
  read: () => object,
  dirty: RefObject<() => boolean>,
  paused: boolean,
): void {
  const { userId, boardCode, itemNo } = place;
  useEffect(() => {
    if (paused) return;
    let last = "";
    const keep = () => {
      if (!dirty.current()) return;
      const now = JSON.stringify(read());
      if (now !== last && keepLocalDraft({ userId, boardCode, itemNo }, read())) last = now;
    };
    const timer = setInterval(keep, KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
    };
  }, [userId, boardCode, itemNo, read, dirty, paused]);
}

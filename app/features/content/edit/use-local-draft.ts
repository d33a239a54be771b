import { type RefObject, useEffect, useState } from "react";
import { dropLocalDraft, lockDraft, keepLocalDraft, type LocalDraftPlace } from "#app/lib/local-drafts.ts";
import { subscribeToSession } from "#app/lib/session.ts";

const KEEP_EVERY_MS = 3000;

export function useLocalDraft(
  place: LocalDraftPlace,
  read: () => object,
  dirty: RefObject<() => boolean>,
): { drop: () => void } {
  const { userId, boardCode, itemNo } = place;
  const [slot] = useState(() => crypto.randomUUID());
  useEffect(() => {
    const own = { userId, boardCode, itemNo };
    let last = "";
    const keep = () => {
      if (!dirty.current()) return;
      const now = JSON.stringify(read());
      if (now !== last && keepLocalDraft(own, slot, read())) last = now;
    };
    // A sign-out in another tab drops all drafts; this page still shows its text.
    const unsubscribe = subscribeToSession(() => {
      last = "";
      keep();
    });
    const release = lockDraft(own, slot);
    const timer = setInterval(keep, KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      unsubscribe();
      release();
    };
  }, [userId, boardCode, itemNo, slot, read, dirty]);
  return { drop: () => dropLocalDraft({ userId, boardCode, itemNo }, slot) };
}

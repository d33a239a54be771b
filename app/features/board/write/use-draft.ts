import { useCallback, useEffect, useRef, useState } from "react";
import { firstErrorMessage } from "#app/features/form/send-with-progress.ts";
import type { ItemFormStart, ItemFormValues } from "#app/features/board/write/item-form-values.ts";
import { api, callApi } from "#app/lib/api.ts";
import { dropLocalDraft, keepLocalDraft } from "#app/lib/local-drafts.ts";
import type { DraftInput } from "#worker/contract/board/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";

export type BoardDraftStatus =
  | { kind: "idle" | "changed" | "saving" }
  | { kind: "saved"; date: string }
  /** In this browser, while an older draft waits for its writer's decision. */
  | { kind: "aside"; date: string }
  /** In this browser alone: why it did not reach the server. */
  | { kind: "local"; reason: string; signedOut: boolean }
  | { kind: "failed"; reason: string };

const SAVE_EVERY_MS = 3000;

export interface BoardDraftPlace {
  userId: string;
  boardCode: string;
  itemNo: number | null;
}

const draftAddress = ({ boardCode, itemNo }: BoardDraftPlace) => ({
  param: { boardCode },
  query: itemNo === null ? {} : { itemNo: String(itemNo) },
});
export const storeBoardDraft = (place: BoardDraftPlace, json: DraftInput, signal?: AbortSignal) =>
  callApi(
    api["board-item-draft"][":boardCode"].$put(
      { ...draftAddress(place), json },
      signal ? { init: { signal } } : undefined,
    ),
  );
export const discardBoardDraft = (place: BoardDraftPlace) =>
  callApi(api["board-item-draft"][":boardCode"].$delete(draftAddress(place)));

/**
 * Keeps what changes, here and on the server; says that it is kept only when it is.
 * @param slot while an older draft waits for its writer's decision: the name of the place beside it, in this browser
 */
export function useBoardDraft(place: BoardDraftPlace, read: () => ItemFormStart, slot: string | null) {
  const [status, setStatus] = useState<BoardDraftStatus>({ kind: "idle" });
  const saved = useRef<string | null>(null);
  const running = useRef<{ done: Promise<void>; abort: AbortController } | null>(null);
  const stopped = useRef(false);

  const { userId, boardCode, itemNo } = place;
  const aside = useRef<string | null>(null);
  const save = useCallback(async () => {
    const own = { userId, boardCode, itemNo };
    const { files, ...values } = read();
    const snapshot = JSON.stringify(values);
    saved.current ??= snapshot;
    if (stopped.current || running.current || snapshot === saved.current) return;
    if (slot !== null) {
      if (!keepLocalDraft({ ...own, slot }, { ...values, files }))
        return setStatus({ kind: "failed", reason: "브라우저의 저장 공간이 부족합니다." });
      [saved.current, aside.current] = [snapshot, slot];
      return setStatus({ kind: "aside", date: new Date().toISOString() });
    }
    const abort = new AbortController();
    const run = async () => {
      setStatus({ kind: "saving" });
      const here = keepLocalDraft(own, { ...values, files });
      try {
        const { modifiedDate } = await storeBoardDraft(own, values, abort.signal);
        saved.current = snapshot;
        if (aside.current !== null) dropLocalDraft({ ...own, slot: aside.current });
        aside.current = null;
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
  }, [userId, boardCode, itemNo, read, slot]);

  useEffect(() => {
    const own = { userId, boardCode, itemNo, ...(slot === null ? {} : { slot }) };
    // Decided: what was kept beside the older draft now takes its place.
    if (slot === null && aside.current !== null) saved.current = "";
    saved.current ??= snapshotOf(read());
    const timer = setInterval(() => void save(), SAVE_EVERY_MS);
    // The page may be left before the next turn: the browser's own store takes it at once.
    const leave = () => {
      const start = read();
      if (document.visibilityState === "hidden" && !stopped.current && snapshotOf(start) !== saved.current) {
        keepLocalDraft(own, start);
      }
    };
    document.addEventListener("visibilitychange", leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", leave);
    };
  }, [slot, save, read, userId, boardCode, itemNo]);

  return {
    status,
    save,
    touch: () =>
      setStatus((known) =>
        known.kind === "saved" || known.kind === "aside" || known.kind === "idle" ? { kind: "changed" } : known,
      ),
    /** What the form was filled with is what is kept: nothing to save until it changes. */
    settle: () => {
      saved.current = null;
    },
    /** No saving from here on, also of what is under way: what it would write is about to be published. */
    async stop() {
      stopped.current = true;
      running.current?.abort.abort();
      await running.current?.done;
    },
    resume() {
      stopped.current = false;
    },
    /** In this browser, at once; beside an older one that is undecided. */
    keep() {
      keepLocalDraft({ userId, boardCode, itemNo, ...(slot === null ? {} : { slot }) }, read());
    },
    forget() {
      if (slot === null) dropLocalDraft({ userId, boardCode, itemNo });
      for (const name of [slot, aside.current]) if (name) dropLocalDraft({ userId, boardCode, itemNo, slot: name });
    },
  };
}

function snapshotOf({ title, content, fields }: ItemFormValues): string {
  return JSON.stringify({ title, content, fields });
}

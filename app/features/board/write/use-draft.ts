import { useCallback, useEffect, useRef, useState } from "react";
import { firstErrorMessage } from "#app/features/form/send-with-progress.ts";
import type { ItemFormStart, ItemFormValues } from "#app/features/board/write/item-form-values.ts";
import { api, callApi } from "#app/lib/api.ts";
import { dropLocalDraft, holdDraft, keepLocalDraft } from "#app/lib/local-drafts.ts";
import { subscribeToSession } from "#app/lib/session.ts";
import { nowIso } from "#app/lib/clock.ts";
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
 * Keeps what changes, here under its own writing and on the server; says that it is kept only when it is.
 * @param isAside the server has an older draft that waits for its writer's decision: this one is kept in this browser
 */
export function useBoardDraft(place: BoardDraftPlace, read: () => ItemFormStart, isAside: boolean) {
  const [status, setStatus] = useState<BoardDraftStatus>({ kind: "idle" });
  const saved = useRef<string | null>(null);
  const running = useRef<{ done: Promise<void>; abort: AbortController } | null>(null);
  const stopped = useRef(false);
  const { userId, boardCode, itemNo } = place;
  const [slot] = useState(() => read().fields.formKey);

  const save = useCallback(async () => {
    const own = { userId, boardCode, itemNo };
    const { files, ...values } = read();
    const snapshot = JSON.stringify(values);
    saved.current ??= snapshot;
    if (stopped.current || running.current || snapshot === saved.current) return;
    const here = keepLocalDraft(own, slot, { ...values, files });
    if (isAside) {
      if (!here) return setStatus({ kind: "failed", reason: "브라우저의 저장 공간이 부족합니다." });
      saved.current = snapshot;
      return setStatus({ kind: "aside", date: nowIso() });
    }
    const abort = new AbortController();
    const run = async () => {
      setStatus({ kind: "saving" });
      try {
        const { modifiedDate } = await storeBoardDraft(own, values, abort.signal);
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
  }, [userId, boardCode, itemNo, read, isAside, slot]);

  const wasAside = useRef(isAside);
  useEffect(() => {
    const own = { userId, boardCode, itemNo };
    // Decided: what was kept in this browser alone goes to the server.
    if (wasAside.current && !isAside && saved.current !== null) saved.current = "";
    wasAside.current = isAside;
    const first = snapshotOf(read());
    saved.current ??= first;
    const timer = setInterval(() => void save(), SAVE_EVERY_MS);
    const keep = () => keepLocalDraft(own, slot, read());
    // The page may be left before the next turn: the browser's own store takes it at once.
    const leave = () => {
      const isHidden = document.visibilityState === "hidden";
      if (isHidden && !stopped.current && snapshotOf(read()) !== saved.current) keep();
    };
    document.addEventListener("visibilitychange", leave);
    // A sign-out in another tab drops all drafts, and this page still shows its text.
    const unsubscribe = subscribeToSession(() => !stopped.current && snapshotOf(read()) !== first && keep());
    const release = holdDraft(own, slot);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", leave);
      unsubscribe();
      release();
    };
  }, [isAside, save, read, slot, userId, boardCode, itemNo]);

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
    /** In this browser, at once. */
    keep() {
      keepLocalDraft({ userId, boardCode, itemNo }, slot, read());
    },
    forget() {
      dropLocalDraft({ userId, boardCode, itemNo }, slot);
    },
  };
}

function snapshotOf({ title, content, fields }: ItemFormValues): string {
  return JSON.stringify({ title, content, fields });
}

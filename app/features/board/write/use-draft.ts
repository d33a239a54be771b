import { useCallback, useState } from "react";
import type { ItemFormStart } from "#app/features/board/write/item-form-values.ts";
import { useDraft } from "#app/features/form/use-draft.ts";
import { api, callApi } from "#app/lib/api.ts";
import type { LocalDraftPlace } from "#app/lib/local-drafts.ts";
import type { DraftInput } from "#worker/contract/board/input.ts";

const draftAddress = ({ boardCode, itemNo }: LocalDraftPlace) => ({
  param: { boardCode },
  query: itemNo === null ? {} : { itemNo: String(itemNo) },
});
export const storeBoardDraft = (place: LocalDraftPlace, json: DraftInput, signal?: AbortSignal) =>
  callApi(
    api["board-item-draft"][":boardCode"].$put(
      { ...draftAddress(place), json },
      signal ? { init: { signal } } : undefined,
    ),
  );
export const discardBoardDraft = (place: LocalDraftPlace) =>
  callApi(api["board-item-draft"][":boardCode"].$delete(draftAddress(place)));

/** @param isAside keeps it in this browser because the server has an undecided older draft */
export function useBoardDraft(place: LocalDraftPlace, read: () => ItemFormStart, isAside: boolean) {
  const { userId, boardCode, itemNo } = place;
  const [slot] = useState(() => read().fields.formKey);
  const store = useCallback(
    ({ files: _files, ...values }: ItemFormStart, signal: AbortSignal) =>
      storeBoardDraft({ userId, boardCode, itemNo }, values, signal),
    [userId, boardCode, itemNo],
  );
  return useDraft({ place, slot, read, snapshotOf, store, isAside });
}

const snapshotOf = ({ title, content, fields }: ItemFormStart) => JSON.stringify({ title, content, fields });

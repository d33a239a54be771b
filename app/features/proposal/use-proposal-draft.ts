import { useCallback, useEffect, useRef, useState } from "react";
import { type DraftValues, sentValues, snapshotOf, valuesOf } from "#app/features/proposal/draft-values.ts";
import { useDraft } from "#app/features/form/use-draft.ts";
import { api, callApi } from "#app/lib/api.ts";
import { dropLocalDraft, type LocalDraftPlace } from "#app/lib/local-drafts.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { MissingPart, ProposalDraft } from "#worker/contract/proposal/view.ts";

/** Where this browser keeps what the server does not have yet. */
export const draftPlaceOf = (userId: string, id: string): LocalDraftPlace => ({
  userId,
  boardCode: `/Proposal/${id}`,
  itemNo: null,
});

interface Options {
  draft: ProposalDraft;
  start: DraftValues;
  place: LocalDraftPlace;
  setErrors: (change: (known: Record<string, string>) => Record<string, string>) => void;
}

/** Saves the text by itself; what was saved elsewhere in between is shown, never overwritten. */
export function useProposalDraft({ draft, start, place, setErrors }: Options) {
  const param = { id: draft.id };
  const values = useRef(start);
  const stored = useRef(snapshotOf(valuesOf(draft)));
  const sent = useRef("");
  const [slot] = useState(() => crypto.randomUUID());
  const [missing, setMissing] = useState<readonly MissingPart[]>(draft.missing);
  const [theirs, setTheirs] = useState<ProposalDraft | null>(null);
  const [isComparing, setComparing] = useState(false);
  const held = useRef<AppError | null>(null);
  const [read] = useState(() => () => values.current);

  const patch = async (value: DraftValues, signal?: AbortSignal) => {
    sent.current = snapshotOf(value);
    const options = signal && { init: { signal } };
    const answer = await callApi(api.proposal[":id"].$patch({ param, json: sentValues(value) }, options));
    values.current = { ...values.current, version: answer.version };
    stored.current = sent.current;
    dropLocalDraft(place, slot);
    setMissing(answer.missing);
    const isLeft = (field: string) => answer.missing.some((each) => each.field === field);
    setErrors((known) => Object.fromEntries(Object.entries(known).filter(([field]) => isLeft(field))));
    return answer;
  };
  const store = async (value: DraftValues, signal?: AbortSignal): ReturnType<typeof patch> => {
    if (held.current) throw held.current;
    const before = sent.current;
    try {
      return await patch(value, signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      setErrors((known) => ({ ...known, ...error.fields }));
      if (error.code !== "CONFLICT") throw error;
      const found = await callApi(api.proposal[":id"].draft.$get({ param }));
      // Our own save whose answer was lost, or the same text.
      if ([before, sent.current].includes(snapshotOf(valuesOf(found))))
        return patch({ ...value, version: found.version }, signal);
      held.current = error;
      setTheirs(found);
      setComparing(true);
      throw error;
    }
  };
  const latest = useRef(store);
  useEffect(() => {
    latest.current = store;
  });
  const storeLatest = useCallback((value: DraftValues, signal: AbortSignal) => latest.current(value, signal), []);
  const isUnsaved = () => held.current !== null || snapshotOf(values.current) !== stored.current;
  const [startsUnsaved] = useState(() => snapshotOf(start) !== snapshotOf(valuesOf(draft)));
  const saving = useDraft({
    place,
    slot,
    read,
    snapshotOf,
    store: storeLatest,
    isUnsaved: startsUnsaved,
  });
  return {
    saving,
    missing,
    read,
    isUnsaved,
    change(part: Partial<DraftValues>) {
      values.current = { ...values.current, ...part };
      saving.touch();
    },
    /** Saves at once. @throws AppError */
    async finish() {
      await saving.stop("finish");
      return isUnsaved() ? store(values.current) : { version: values.current.version, missing };
    },
    conflict: {
      theirs,
      isComparing,
      compare: setComparing,
      /** Overwrites what was saved elsewhere. */
      async takeMine() {
        if (!theirs) return;
        held.current = null;
        values.current = { ...values.current, version: theirs.version };
        setTheirs(null);
        setComparing(false);
        await saving.saveAgain();
      },
    },
  };
}

import { useEffect, useEffectEvent, useRef, useState } from "react";
import {
  dropLocalDraft,
  lockDraft,
  keepLocalDraft,
  type LocalDraftPlace,
  readLeftDrafts,
} from "#app/lib/local-drafts.ts";
import { subscribeToSession } from "#app/lib/session.ts";

export const COMMENT_FORMS = {
  create: "new",
  reply: (commentId: string) => `reply-${commentId}`,
  edit: (commentId: string) => `edit-${commentId}`,
};

interface CommentDraft {
  text: string;
}
const formOf = (slot: string) => slot.slice(0, slot.lastIndexOf("."));

/** Keeps the text in this browser and restores what a closed page left. */
export function useCommentDraft(
  { place: { userId, boardCode, itemNo }, form }: { place: LocalDraftPlace; form: string },
  onLeft: (text: string) => void,
) {
  const [slot] = useState(() => `${form}.${crypto.randomUUID()}`);
  const own = { userId, boardCode, itemNo };
  const typed = useRef("");
  const keep = (text: string) => {
    typed.current = text;
    keepLocalDraft(own, slot, { text });
  };
  const takeUp = useEffectEvent(onLeft);
  // A sign-out in another tab drops all drafts; this page still shows its text.
  const keepAgain = useEffectEvent(() => typed.current && keep(typed.current));
  useEffect(() => {
    const at = { userId, boardCode, itemNo };
    let isHere = true;
    const release = lockDraft(at, slot);
    const unsubscribe = subscribeToSession(keepAgain);
    const takeUpLeft = async () => {
      const drafts = await readLeftDrafts<CommentDraft>(at);
      const left = drafts.find((each) => formOf(each.slot) === form);
      if (!left || !isHere) return;
      takeUp(left.value.text);
      dropLocalDraft(at, left.slot);
    };
    void takeUpLeft();
    return () => {
      isHere = false;
      unsubscribe();
      release();
    };
  }, [userId, boardCode, itemNo, slot, form]);
  return {
    keep,
    drop() {
      typed.current = "";
      dropLocalDraft(own, slot);
    },
  };
}

/** Returns the forms of replies and edits that closed pages left, to reopen them. */
export function useLeftForms({ userId, boardCode, itemNo }: LocalDraftPlace): ReadonlySet<string> {
  const [forms, setForms] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    let isHere = true;
    const findLeft = async () => {
      const drafts = await readLeftDrafts<CommentDraft>({ userId, boardCode, itemNo });
      if (isHere && drafts.length > 0) setForms(new Set(drafts.map(({ slot }) => formOf(slot))));
    };
    void findLeft();
    return () => {
      isHere = false;
    };
  }, [userId, boardCode, itemNo]);
  return forms;
}

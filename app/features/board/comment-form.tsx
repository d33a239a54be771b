import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useAction } from "#app/features/form/action.tsx";
import {
  dropLocalDraft,
  keepLocalDraft,
  type LocalDraftPlace,
  lockDraft,
  readLeftDrafts,
} from "#app/lib/local-drafts.ts";
import { Button } from "#app/ui/button.tsx";
import { CharacterCount, Field, Textarea } from "#app/ui/field.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { subscribeToSession } from "#app/lib/session.ts";

interface CommentFormProps {
  label: string;
  submitLabel: string;
  initial?: string;
  takeFocus?: boolean;
  /** The draft's storage place and form name. */
  draft: { place: LocalDraftPlace; form: string };
  /** Shows an error if it throws, and keeps the text. */
  onSubmit: (content: string) => Promise<void>;
  onCancel?: () => void;
}

/** Is uncontrolled so that React never interrupts IME composition. */
export function CommentForm({
  label,
  submitLabel,
  initial = "",
  takeFocus,
  draft,
  onSubmit,
  onCancel,
}: CommentFormProps) {
  const ref = useRef<HTMLTextAreaElement>(null);
  /** Until the next letter a second press is no comment without text. */
  const isJustSent = useRef(false);
  const [length, setLength] = useState(initial.length);
  const [error, setError] = useState<string | null>(null);
  const hydrated = useIsHydrated();
  const kept = useCommentDraft(draft, (text) => {
    const field = ref.current;
    if (!field || field.value !== field.defaultValue) return;
    field.value = text;
    // Marks the form as unsaved, as typing does.
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const { busy, run } = useAction({
    reloads: "never",
    onFailure(failure) {
      fail(failure.fields?.content ?? failure.message);
      return true;
    },
  });
  useEffect(() => {
    // Counts text that was typed before hydration.
    setLength(ref.current?.value.length ?? 0);
    if (!takeFocus) return;
    ref.current?.focus();
    ref.current?.setSelectionRange(-1, -1);
  }, [takeFocus]);

  const send = async () => {
    const field = ref.current;
    if (field === null || busy) return;
    const content = field.value.trim();
    if (content === "" && isJustSent.current) return;
    if (content === "") return fail("내용을 입력해 주십시오.");
    if (content.length > SIZE_LIMITS.commentLength)
      return fail(`${SIZE_LIMITS.commentLength}자 이하로 입력해 주십시오.`);
    setError(null);
    await run(async () => {
      await onSubmit(content);
      kept.drop();
      field.value = "";
      isJustSent.current = true;
      setLength(0);
    }, null);
  };
  const fail = (message: string) => {
    setError(message);
    ref.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send();
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };

  return (
    <form onSubmit={submit} noValidate>
      <Field label={label} hideLabel error={error}>
        <Textarea
          ref={ref}
          name="content"
          rows={3}
          defaultValue={initial}
          placeholder="댓글을 남겨 주십시오. 개인정보와 진료 정보는 적지 마십시오."
          onInput={({ currentTarget: { value, defaultValue } }) => {
            isJustSent.current = false;
            setLength(value.length);
            if (value === defaultValue) kept.drop();
            else kept.keep(value);
          }}
          onKeyDown={submitByKey}
        />
      </Field>
      <div className="mt-2 flex items-center justify-between gap-3">
        <CharacterCount length={length} max={SIZE_LIMITS.commentLength} />
        <div className="flex gap-2">
          {onCancel && (
            <Button
              size="sm"
              disabled={busy}
              onClick={() => {
                kept.drop();
                onCancel();
              }}
            >
              취소
            </Button>
          )}
          <Button size="sm" variant="primary" type={hydrated ? "submit" : "button"} busy={busy}>
            {submitLabel}
          </Button>
        </div>
      </div>
    </form>
  );
}

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
function useCommentDraft(
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

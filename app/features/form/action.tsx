import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { LongReasonField } from "#app/features/form/reason-field.tsx";
import { Button, type ButtonProps } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { useRevalidator } from "react-router";
import { captureSubmittedForm, useSigninGate } from "./unsaved.ts";
import { toast } from "#app/ui/toast.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { CHANGE_REASON } from "#worker/contract/kernel/second-factor.ts";

export interface Question<T = unknown> extends Pick<ActionOptions, "reloads"> {
  label: string;
  title: string;
  text?: ReactNode;
  danger?: boolean;
  /** Of the button that closes the dialog. */
  cancelLabel?: string;
  /** The hint of a reason field; the audit log keeps the reason. */
  reasonHint?: string;
  work: (reason: string) => Promise<T>;
  done: DoneMessage<T>;
  disabled?: boolean;
  /** Runs after the dialog is closed. */
  onDone?: ((result: T) => unknown) | undefined;
}

/** The result of the work, or null if it failed. */
export async function outcomeOf<T>(
  run: ReturnType<typeof useAction>["run"],
  work: () => Promise<T>,
  done: DoneMessage<T>,
): Promise<{ result: T } | null> {
  const results: T[] = [];
  const isDone = await run(
    async () => {
      const result = await work();
      results.push(result);
      return result;
    },
    done as DoneMessage<Awaited<T>>,
  );
  return isDone ? { result: results[0] as T } : null;
}

export const REASON_HINT = "감사 기록에 남습니다.";

/** Stays open with an error if the work fails. @param question null closes the dialog */
export function QuestionDialog<T>({ question, onClose }: { question: Question<T> | null; onClose: () => void }) {
  const { busy, run, clear, fields, message, problem } = useAction({ reloads: question?.reloads });
  const close = () => {
    onClose();
    clear();
  };
  const carryOut = async (reason: string) => {
    if (!question) return;
    const outcome = await outcomeOf(run, () => question.work(reason), question.done);
    if (!outcome) return;
    close();
    await question.onDone?.(outcome.result);
  };
  const { label = "", title = "", text, danger = false, disabled = false, reasonHint, cancelLabel } = question ?? {};
  const dialog = { open: question !== null, onClose: close, title, danger, disabled, busy };
  if (reasonHint === undefined)
    return (
      <ConfirmDialog
        {...dialog}
        cancelLabel={cancelLabel}
        confirmLabel={label}
        error={message}
        onConfirm={() => void carryOut("")}
      >
        {text}
      </ConfirmDialog>
    );
  return (
    <FormDialog
      {...dialog}
      submitLabel={label}
      error={fields.reason ? null : problem}
      onSubmit={(form) => void carryOut(formText(form, "reason").trim())}
    >
      {text}
      <LongReasonField hint={reasonHint} error={fields.reason} />
    </FormDialog>
  );
}

export function QuestionButton<T>({
  question,
  children = question.label,
  ...button
}: Omit<ButtonProps, "onClick"> & { question: Question<T> }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant={question.danger ? "danger" : undefined} {...button} onClick={() => setOpen(true)}>
        {children}
      </Button>
      <QuestionDialog question={open ? question : null} onClose={() => setOpen(false)} />
    </>
  );
}

/** The data was changed or removed by someone else. */
const STALE_CODES = new Set(["CONFLICT", "NOT_FOUND"]);
const CONFLICT_HERE =
  "그사이 다른 곳에서 내용이 바뀌었습니다. 적으신 내용은 그대로 두고 나머지를 새로 불러왔습니다. 확인한 뒤 다시 저장해 주십시오.";

/** A session refused right after sign-in is an error; asking again would loop. */
export const attemptSignedIn = <T,>(attempt: () => Promise<T>, askSignin: () => Promise<boolean>): Promise<T> =>
  attempt().catch(async (thrown: unknown) => {
    if (!(thrown instanceof AppError) || thrown.code !== "UNAUTHORIZED" || !(await askSignin())) throw thrown;
    return attempt();
  });

export interface ActionOptions {
  /** Controls when the page data reloads: after success, after a conflict, or after both. */
  reloads?: "always" | "success" | "conflict" | "never" | undefined;
  /** Asks for the password; not needed inside a SigninGate. */
  askSignin?: () => Promise<boolean>;
  /** Runs before the error is shown; return true to hide it. `thrown` is the original error. */
  onFailure?: (failure: AppError, thrown: unknown) => boolean | Promise<boolean>;
}
/** The toast's text; an AppError shows a failure; null shows none. */
export type DoneMessage<T> = string | null | ((result: T) => string | AppError);

/** Runs one action at a time and signs in again if needed. Success marks the form as saved unless `isKept` is false. */
export function useAction(options: ActionOptions = {}) {
  const { revalidate } = useRevalidator();
  const askAtGate = useSigninGate();
  const running = useRef(false);
  const current = useRef(options);
  useEffect(() => {
    current.current = options;
  });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    if (error?.fields) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  const run = useCallback(
    async <W extends () => Promise<unknown>>(
      work: W,
      done: DoneMessage<Awaited<ReturnType<W>>>,
      isKept = true,
    ): Promise<boolean> => {
      if (running.current) return false;
      running.current = true;
      const { reloads = "always", askSignin = askAtGate, onFailure } = current.current;
      const markSaved = captureSubmittedForm();
      setBusy(true);
      setError(null);
      const attempt = async () => (await work()) as Awaited<ReturnType<W>>;
      try {
        const result = await attemptSignedIn(attempt, askSignin);
        if (isKept) markSaved();
        const message = typeof done === "function" ? done(result) : done;
        // Reloads first so that the next action works on current data.
        if (reloads === "always" || reloads === "success") await revalidate();
        if (message instanceof AppError) toast(message.message, "error");
        else if (message) toast(message, "success");
        return true;
      } catch (thrown) {
        const failure = thrown instanceof AppError ? thrown : new AppError("INTERNAL_ERROR", { cause: thrown });
        if ((reloads === "always" || reloads === "conflict") && STALE_CODES.has(failure.code)) await revalidate();
        if (!(await onFailure?.(failure, thrown))) setError(failure);
        return false;
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [revalidate, askAtGate],
  );
  const clear = useCallback(() => setError(null), []);
  // The reason was asked in a dialog of its own.
  const fields = error?.data?.reason === CHANGE_REASON ? {} : (error?.fields ?? {});
  const [firstOfFields] = Object.values(fields);
  const message = error?.message === ERRORS.CONFLICT.message ? CONFLICT_HERE : (error?.message ?? null);
  return {
    busy,
    run,
    clear,
    fields,
    message,
    general: firstOfFields === undefined ? message : null,
    /** For pages without fields. */
    problem: firstOfFields ?? message,
    isConflict: error?.code === "CONFLICT",
  };
}

export const formText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

export const splitLines = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Keeps empty lines so that they match the Korean lines. */
export const neighbourLines = (text: string): string[] =>
  text.trim() === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => line.trim());

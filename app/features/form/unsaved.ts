import { createContext, type SyntheticEvent, use, useEffect, useRef, useState } from "react";

/** Checks of page parts that track unsaved input themselves. */
const unsavedChecks = new Set<() => boolean>();
let submittedForm: HTMLFormElement | null = null;
let inputs = 0;

export const hasUnsavedInput = () =>
  document.querySelector("[data-unsaved]") !== null || [...unsavedChecks].some((say) => say());

/** Ignores GET forms and forms with `data-own-guard`, which track changes themselves. */
export const unsavedInputHandlers = {
  onInput({ target }: SyntheticEvent) {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form && form.getAttribute("method") !== "get" && !form.hasAttribute("data-own-guard"))
      form.dataset.unsaved = String((inputs += 1));
  },
  onSubmitCapture({ target }: SyntheticEvent) {
    submittedForm = target instanceof HTMLFormElement ? target : null;
  },
  onSubmit() {
    submittedForm = null;
  },
};

/** Call during a form's submit event. @returns marks that form as saved, unless it has newer input */
export function captureSubmittedForm(): () => void {
  const form = submittedForm;
  const sent = form?.dataset.unsaved;
  return () => {
    if (form?.dataset.unsaved === sent) form?.removeAttribute("data-unsaved");
  };
}

/** Must be called during a submit event; the result runs work as if during that event. */
export function deferSubmit(): (work: () => void) => void {
  const form = submittedForm;
  return (work) => {
    submittedForm = form;
    try {
      work();
    } finally {
      submittedForm = null;
    }
  };
}

/** Registers unsaved input that is not in a form. */
export function useUnsavedCheck(say: () => boolean): void {
  const check = useLatestCallback(say);
  useEffect(() => {
    unsavedChecks.add(check);
    return () => {
      unsavedChecks.delete(check);
    };
  }, [check]);
}

function useLatestCallback<T>(act: () => T): () => T {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  const [call] = useState(() => () => latest.current());
  return call;
}

export const SigninGateContext = createContext<() => Promise<boolean>>(() => Promise.resolve(false));
/** Asks for the password on the open page; resolves to true once signed in. */
export const useSigninGate = () => use(SigninGateContext);

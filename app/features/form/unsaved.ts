import { type SyntheticEvent, useEffect } from "react";
import { useLatestCallback } from "#app/lib/use-latest-callback.ts";

/** Parts of a page that say themselves whether something in them is not saved. */
const unsavedChecks = new Set<() => boolean>();
let submittedForm: HTMLFormElement | null = null;

/** Is there something on the page that was typed and not saved? */
export const hasUnsavedInput = () =>
  document.querySelector("[data-unsaved]") !== null || [...unsavedChecks].some((say) => say());

/** On a frame around pages. A form with a method only asks, and one with `data-own-guard` is a part. */
export const unsavedInputHandlers = {
  onInput({ target }: SyntheticEvent) {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form && form.getAttribute("method") !== "get" && !form.hasAttribute("data-own-guard"))
      form.dataset.unsaved = "";
  },
  onSubmitCapture({ target }: SyntheticEvent) {
    submittedForm = target instanceof HTMLFormElement ? target : null;
  },
  onSubmit() {
    submittedForm = null;
  },
};

/** Asked while a form's submit is handled; what it gives says that all of the form is saved. */
export function captureSubmittedForm(): () => void {
  const form = submittedForm;
  return () => form?.removeAttribute("data-unsaved");
}

/** Asked while a form's submit is handled; what it gives does work later as if it were handled then. */
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

/** For what is no form, or knows better. */
export function useUnsavedCheck(say: () => boolean): void {
  const check = useLatestCallback(say);
  useEffect(() => {
    unsavedChecks.add(check);
    return () => {
      unsavedChecks.delete(check);
    };
  }, [check]);
}

import { type SyntheticEvent, useEffect, useRef } from "react";

/** Parts of a page that say themselves whether something in them is not saved. */
const parts = new Set<() => boolean>();
let submitted: HTMLFormElement | null = null;

/** Is there something on the page that was typed and not saved? */
export const isUnsaved = () => document.querySelector("[data-unsaved]") !== null || [...parts].some((say) => say());

/** On a frame around pages. A form with a method only asks, and one with `data-own-guard` is a part. */
export const watching = {
  onInput({ target }: SyntheticEvent) {
    const form = target instanceof Element ? target.closest("form") : null;
    if (form && !form.hasAttribute("method") && !form.hasAttribute("data-own-guard")) form.dataset.unsaved = "";
  },
  onSubmitCapture({ target }: SyntheticEvent) {
    submitted = target instanceof HTMLFormElement ? target : null;
  },
  onSubmit() {
    submitted = null;
  },
};

/** Asked while a form's submit is handled; what it gives says that all of the form is saved. */
export function formAtWork(): () => void {
  const form = submitted;
  return () => form?.removeAttribute("data-unsaved");
}

/** For what is no form, or knows better. */
export function useUnsaved(say: () => boolean): void {
  const current = useRef(say);
  useEffect(() => {
    current.current = say;
  });
  useEffect(() => {
    const part = () => current.current();
    parts.add(part);
    return () => {
      parts.delete(part);
    };
  }, []);
}

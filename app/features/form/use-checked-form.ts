import { useRef, useState } from "react";
import { focusFirstError } from "#app/features/form/focus-first-error.ts";
import { type ActionOptions, type DoneMessage, useAction } from "#app/features/form/use-action.ts";
import type { AppError } from "#worker/contract/kernel/errors.ts";

/** Id of a control to what is wrong there; `form` for what is wrong with none in particular. */
export type FormErrors = Record<string, string>;

export const errorsByField = ({ fields, message }: AppError): FormErrors => fields ?? { form: message };

interface CheckedFormOptions extends Pick<ActionOptions, "reloads" | "askSignin"> {
  /** Where the server's refusal is shown. */
  toErrors?: (failure: AppError) => FormErrors;
}

/** A form that is checked before it is sent: each error stands at its control, and the first takes the focus. */
export function useCheckedForm({ toErrors = errorsByField, reloads = "success", askSignin }: CheckedFormOptions = {}) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FormErrors>({});
  const show = (found: FormErrors) => {
    setErrors(found);
    focusFirstError(form.current, found);
  };
  const { busy, run } = useAction({
    reloads,
    ...(askSignin ? { askSignin } : {}),
    onFailure(failure) {
      show(toErrors(failure));
      return true;
    },
  });
  return {
    form,
    errors,
    setErrors,
    show,
    busy,
    /** Sends unless something was `found` wrong. @returns whether it was done */
    async send<T>(found: FormErrors, work: () => Promise<T>, done: DoneMessage<T>): Promise<boolean> {
      if (busy) return false;
      if (Object.keys(found).length > 0) {
        show(found);
        return false;
      }
      setErrors({});
      return run(work, done);
    },
  };
}

import { useRef, useState } from "react";
import { type ActionOptions, type DoneMessage, useAction } from "#app/features/form/action.tsx";
import type { AppError } from "#worker/contract/kernel/errors.ts";

export type FormErrors = Record<string, string>;

const errorsByField = ({ fields, message }: AppError): FormErrors => fields ?? { form: message };

interface CheckedFormOptions extends Pick<ActionOptions, "reloads" | "askSignin"> {
  /** Maps the server's errors to controls. */
  toErrors?: (failure: AppError) => FormErrors;
}

/** Validates before sending and focuses the first invalid control. */
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
    /** Sends only if `found` is empty. @returns whether it succeeded */
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

function focusFirstError(form: HTMLFormElement | null, errors: Record<string, string>): void {
  const controls = Object.keys(errors)
    .map((id) => document.getElementById(id))
    .filter((element): element is HTMLElement => element !== null && (form === null || form.contains(element)));
  const [first] = controls.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
  first?.scrollIntoView({ block: "center" });
}

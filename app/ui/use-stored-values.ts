import { useLayoutEffect, useRef } from "react";

/** Updates untouched fields when stored values change; React keeps the first defaults. */
export function useStoredValues() {
  const form = useRef<HTMLFormElement>(null);
  const known = useRef(new Map<Element, string | boolean>());
  useLayoutEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
      const tick = field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type);
      const stored = tick ? field.defaultChecked : field.defaultValue;
      const before = known.current.get(field);
      known.current.set(field, stored);
      if (before === undefined || before === stored) continue;
      if (tick && field.checked === before) field.checked = Boolean(stored);
      if (!tick && field.value === before) field.value = String(stored);
    }
  });
  return form;
}

import { fieldsOf, type FieldState, type FormControl, isTicked, type Part } from "./form-fields.ts";

function isKept(field: FormControl, state: FieldState): boolean {
  // A checkbox outside of a form acts at once and shows its result later.
  if (isTicked(field)) return field.checked === state.isChosen || field.form === null;
  const isTyped = "defaultValue" in field && field.value !== "" && field.value !== field.defaultValue;
  return isTyped || field.value === state.value;
}

/** Lets each change render before the next, because grouped checkboxes depend on it. */
export async function fillIn(part: Part, states: readonly FieldState[]): Promise<void> {
  for (const state of states) {
    const found = [...fieldsOf(part)].find(({ key, at }) => key === state.key && at === state.at)?.field;
    if (!found || found.disabled || isKept(found, state)) continue;
    // Checking another radio button unchecks this one.
    if (isTicked(found)) {
      if (found.type === "checkbox" || state.isChosen) found.click();
    } else {
      // Bypasses React's value setter, which would treat the value as known.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(found), "value")?.set?.call(found, state.value);
      found.dispatchEvent(new Event(found instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await new Promise((resolve) => setTimeout(resolve));
  }
}

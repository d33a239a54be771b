import { fieldsOf, type FieldState, type FormControl, isTicked, type Part } from "./form-fields.ts";

/** Whether a field is as it was, or was typed in since. */
function isKept(field: FormControl, state: FieldState): boolean {
  // Outside of a form a tick does something at once, and shows it when it is done.
  if (isTicked(field)) return field.checked === state.isChosen || field.form === null;
  const isTyped = "defaultValue" in field && field.value !== "" && field.value !== field.defaultValue;
  return isTyped || field.value === state.value;
}

/** Fills in one field after the other, so that each change is drawn before the next: a group of ticks knows the one before. */
export async function fillIn(part: Part, states: readonly FieldState[]): Promise<void> {
  for (const state of states) {
    const found = [...fieldsOf(part)].find(({ key, at }) => key === state.key && at === state.at)?.field;
    if (!found || found.disabled || isKept(found, state)) continue;
    // A radio button is left by the choice of another.
    if (isTicked(found)) {
      if (found.type === "checkbox" || state.isChosen) found.click();
    } else {
      // Past React's own setter, which would take the value for known.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(found), "value")?.set?.call(found, state.value);
      found.dispatchEvent(new Event(found instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await new Promise((resolve) => setTimeout(resolve));
  }
}

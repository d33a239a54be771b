import { fieldsOf, type FieldState, type FormControl, isTicked, type Part, readFields } from "./form-fields.ts";

let early: FieldState[] = [];

/** What was typed and ticked before the page listened: hydration may replace the fields, where an extension put something beside them. */
export function noteEarlyInput(part: Part): void {
  early = readFields(part, isTouched);
}

/** Fills in again what the dispatched events did not keep. */
export async function restoreEarlyInput(part: Part): Promise<void> {
  if (early.length > 0) await restoreFields(part, early.splice(0));
}

/** Fills in fields again, by code that few pages ever need. */
export async function restoreFields(part: Part, states: readonly FieldState[]): Promise<void> {
  const restore = await import("./restore-fields.ts").catch(() => null);
  await restore?.fillIn(part, states);
}

/**
 * What stood in the fields before the page listened, from fingers or a password manager: React leaves it there but
 * reports it to no form, and its next rendering would take it away. So each field says again that it changed.
 */
export function dispatchEarlyInput(part: Part): void {
  const replaced = early.filter(
    ({ key, at }) => ![...fieldsOf(part)].some((each) => each.key === key && each.at === at && isTouched(each.field)),
  );
  early = [...replaced, ...readFields(part, isTouched)];
  for (const { field } of fieldsOf(part)) {
    if (!isTouched(field)) continue;
    // React compares with what it knows; to set the value itself would break a syllable that is being composed.
    const { _valueTracker: known } = field as { _valueTracker?: { setValue(value: string): void } };
    if (isTicked(field)) {
      known?.setValue(String(field.defaultChecked));
      // Not a MouseEvent, which would tick it back.
      field.dispatchEvent(new Event("click", { bubbles: true }));
    } else if (field.type === "file") {
      field.dispatchEvent(new Event("change", { bubbles: true }));
    } else {
      known?.setValue("value" in field && "defaultValue" in field ? field.defaultValue : "");
      field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
  }
}

function isTouched(field: FormControl): boolean {
  // Of a group of radio buttons the chosen one alone: what the other says would be taken for the choice.
  if (field instanceof HTMLInputElement && field.type === "radio") return field.checked && !field.defaultChecked;
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLInputElement && field.type === "file") return (field.files?.length ?? 0) > 0;
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.defaultSelected) && !field.selectedOptions[0]?.defaultSelected;
  return field.type !== "hidden" && field.value !== field.defaultValue;
}

import { fieldsOf, type FieldState, type FormControl, isTicked, type Part, readFields } from "./form-fields.ts";

let early: FieldState[] = [];

/** Hydration may replace fields next to which an extension inserted elements. */
export function noteEarlyInput(part: Part): void {
  early = readFields(part, isTouched);
}

export async function restoreEarlyInput(part: Part): Promise<void> {
  if (early.length > 0) await restoreFields(part, early.splice(0));
}

/** Is loaded on demand because few pages need it. */
export async function restoreFields(part: Part, states: readonly FieldState[]): Promise<void> {
  const restore = await import("./restore-fields.ts").catch(() => null);
  await restore?.fillIn(part, states);
}

/** React would overwrite values entered before hydration, so each field fires its change event again. */
export function dispatchEarlyInput(part: Part): void {
  const replaced = early.filter(
    ({ key, at }) => ![...fieldsOf(part)].some((each) => each.key === key && each.at === at && isTouched(each.field)),
  );
  early = [...replaced, ...readFields(part, isTouched)];
  for (const { field } of fieldsOf(part)) {
    if (!isTouched(field)) continue;
    // Resets React's value tracker; setting the value would interrupt IME composition.
    const { _valueTracker: known } = field as { _valueTracker?: { setValue(value: string): void } };
    if (isTicked(field)) {
      known?.setValue(String(field.defaultChecked));
      // A MouseEvent would toggle the checkbox back.
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
  // Records only the checked radio button; the others would be taken as choices.
  if (field instanceof HTMLInputElement && field.type === "radio") return field.checked && !field.defaultChecked;
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (field instanceof HTMLInputElement && field.type === "file") return (field.files?.length ?? 0) > 0;
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.defaultSelected) && !field.selectedOptions[0]?.defaultSelected;
  return field.type !== "hidden" && field.value !== field.defaultValue;
}

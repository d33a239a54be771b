export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
export type Part = Pick<Document, "querySelectorAll">;

/** A field that was filled in, and how it is found again in a page that was drawn anew. */
export interface FieldState {
  key: string;
  at: number;
  value: string;
  isChosen: boolean;
}

const keyOf = (field: FormControl) =>
  `${field.tagName} ${field.type} ${field.name || field.id} ${isTicked(field) ? field.value : ""}`;

export function* fieldsOf(part: Part): Generator<{ field: FormControl; key: string; at: number }> {
  const seen = new Map<string, number>();
  for (const element of part.querySelectorAll("input, textarea, select")) {
    const field = element as unknown as FormControl;
    const key = keyOf(field);
    const at = seen.get(key) ?? 0;
    seen.set(key, at + 1);
    yield { field, key, at };
  }
}

const isChosen = (field: FormControl) => isTicked(field) && field.checked;

export function readFields(part: Part, isWanted: (field: FormControl) => boolean = () => true): FieldState[] {
  return [...fieldsOf(part)]
    .filter(({ field }) => field.type !== "file" && field.type !== "hidden" && isWanted(field))
    .map(({ field, key, at }) => ({ key, at, value: field.value, isChosen: isChosen(field) }));
}

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

export function isTicked(field: FormControl): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");
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

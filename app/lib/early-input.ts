type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * What stood in the fields before the page listened, from fingers or a password manager: React leaves it there but
 * reports it to no form, and its next rendering would take it away. So each field says again that it changed.
 */
export function dispatchEarlyInput(part: { querySelectorAll: Document["querySelectorAll"] }): void {
  for (const element of part.querySelectorAll("input, textarea, select")) {
    const field = element as unknown as FormControl;
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

function isTicked(field: FormControl): field is HTMLInputElement {
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

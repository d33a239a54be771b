export type FormControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
export type Part = Pick<Document, "querySelectorAll">;

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

export function isTicked(field: FormControl): field is HTMLInputElement {
  return field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio");
}

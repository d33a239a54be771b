/** Adds hyphens as far as the number is typed: 010-1234-5678, 02-123-4567. Accepts digits, spaces and +82. */
export function hyphenatePhone(value: string): string {
  const wide = value.normalize("NFKC");
  // Keeps a country code unchanged until its number is complete.
  if (/^\s*\+/.test(wide) && !/^\s*\+\s*82(?:\D*\d){9}/.test(wide)) return value;
  const digits = wide.replace(/^\s*\+\s*82[\s-]*0?/, "0").replace(/\D/g, "");
  const area = digits.startsWith("02") ? 2 : 3;
  const rest = digits.slice(area, area + 8);
  const middle = rest.length > 7 ? 4 : 3;
  return [digits.slice(0, area), rest.slice(0, middle), rest.slice(middle)].filter(Boolean).join("-");
}

/** Hyphenates in place and keeps the caret behind the same digit. */
export function hyphenatePhoneInput(input: HTMLInputElement): void {
  const formatted = hyphenatePhone(input.value);
  if (formatted === input.value) return;
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret >= input.value.length;
  const digitsBefore = input.value.slice(0, caret).replace(/\D/g, "").length;
  input.value = formatted;
  if (atEnd) return;
  let at = 0;
  for (let seen = 0; at < formatted.length && seen < digitsBefore; at++) {
    if (/\d/.test(formatted[at] ?? "")) seen++;
  }
  input.setSelectionRange(at, at);
}

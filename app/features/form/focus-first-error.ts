export function focusFirstError(form: HTMLFormElement | null, errors: Record<string, string>): void {
  const controls = Object.keys(errors)
    .map((id) => document.getElementById(id))
    .filter((element): element is HTMLElement => element !== null && (form === null || form.contains(element)));
  const [first] = controls.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
  first?.scrollIntoView({ block: "center" });
}

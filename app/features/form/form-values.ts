/** The text of a form's field. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

/** One entry a line, empty lines left out. */
export const splitLines = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Line by line beside the Korean ones: an empty line has no English word. */
export const linesBeside = (text: string): string[] =>
  text.trim() === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => line.trim());

export const formText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
};

export const splitLines = (value: string): string[] =>
  value
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** Keeps empty lines so that they match the Korean lines. */
export const neighbourLines = (text: string): string[] =>
  text.trim() === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => line.trim());

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

export const placeholdersOf = (template: string) =>
  [...template.matchAll(PLACEHOLDER)].map((match) => match[1]?.trim() ?? "");

/** Single pass: placeholders within values are not filled in. @param fill undefined leaves the placeholder */
export const fillPlaceholders = (text: string, fill: (name: string) => string | undefined): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => fill(name.trim()) ?? whole);

/** The first unknown or broken placeholder of a text, as an error. */
export function placeholderProblem(text: string, known: readonly string[], where = "여기"): string | undefined {
  const unknown = placeholdersOf(text).find((name) => !known.includes(name));
  if (unknown !== undefined)
    return `${where}에 없는 항목입니다: {{${unknown}}}. 쓸 수 있는 항목: ${known.map((name) => `{{${name}}}`).join(", ")}`;
  return /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ""))
    ? "항목의 괄호가 맞지 않습니다. {{이름}}처럼 두 겹으로 열고 닫아 주십시오."
    : undefined;
}

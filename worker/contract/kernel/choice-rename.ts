/** A renamed choice of a field; stored values follow. Free of zod for the browser. */
export interface ChoiceRename {
  from: string;
  to: string;
}

/** Guesses renames by position, only when the number of choices is unchanged. */
export function guessRenames(before: readonly string[], after: readonly string[]): ChoiceRename[] {
  if (before.length !== after.length) return [];
  return before.flatMap((from, at) => {
    const to = after[at] ?? "";
    return to !== "" && !after.includes(from) && !before.includes(to) ? [{ from, to }] : [];
  });
}

/** A renamed choice needs a new, unused name. */
export function areRenamesFit(
  before: readonly string[],
  choices: readonly string[],
  renames: readonly ChoiceRename[],
): boolean {
  const targets = renames.map(({ to }) => to);
  const isFit = ({ from, to }: ChoiceRename) =>
    before.includes(from) && !choices.includes(from) && choices.includes(to) && !before.includes(to);
  return new Set(targets).size === targets.length && renames.every(isFit);
}

export const RENAMES_UNFIT = "이름을 바꾼 말을 확인해 주십시오. 이미 있던 말로는 바꿀 수 없습니다.";

export const usesLeftMessage = (names: readonly string[]) =>
  `바꾼 말을 따라가지 못하는 곳이 있습니다: ${names.join(", ")}. 그곳을 먼저 고치시거나, ‘그대로 두고 저장’을 고르신 뒤 다시 저장해 주십시오.`;

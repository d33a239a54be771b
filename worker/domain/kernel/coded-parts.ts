import { invalidInput } from "#worker/contract/kernel/errors.ts";

const numberOf = ({ code }: { code: string }) => Number(code.slice(1));

/** Rows of a form with their codes, new ones with the next; a kept code lets answers find its row. @param part their field */
export function codedParts<Part extends { code?: string | undefined }>(
  part: string,
  sent: readonly Part[],
  before: readonly { code: string }[],
): (Omit<Part, "code"> & { code: string })[] {
  const unknown = sent.findIndex(({ code }) => code !== undefined && !before.some((each) => each.code === code));
  if (unknown >= 0) throw invalidInput({ [`${part}.${unknown}.code`]: "이 양식의 것이 아닙니다." });
  const codes = sent.flatMap(({ code }) => code ?? []);
  if (new Set(codes).size < codes.length) throw invalidInput({ [part]: "같은 것이 두 번 있습니다." });
  let last = Math.max(0, ...before.map(numberOf));
  return sent.map(({ code, ...rest }) => ({ code: code ?? `${part[0]}${(last += 1)}`, ...rest }));
}

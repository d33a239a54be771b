import { ownValue } from "#worker/contract/kernel/labels.ts";
import { extensionOf, FILE_TYPES } from "#worker/contract/file/rules.ts";
import { OLD_FILE_EXTENSIONS } from "#worker/contract/moving/rules.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import type { MovingStep } from "./moving-step.server.ts";
import type { OldComment, OldDocument, OldFile } from "./rdx-record.server.ts";

/** Readers of an item see all its comments, so secret comments on public items are left out. */
export const isShownBelow = (item: OldDocument, { state }: OldComment): boolean =>
  state === "public" || (state === "secret" && item.state === "secret");

export const filesOf = (each: OldDocument): OldFile[] => [
  ...each.files,
  ...each.comments.filter((comment) => isShownBelow(each, comment)).flatMap((comment) => comment.files),
];
export const fileKeyOf = (itemKey: string, { id, path }: OldFile) => `${itemKey}/${id || path}`;
export const pictureKeyOf = (itemKey: string, path: string) => `${itemKey}/img/${path}`;
export const fileKeysOf = (itemKey: string, each: OldDocument) =>
  filesOf(each).flatMap((file) => [fileKeyOf(itemKey, file), pictureKeyOf(itemKey, file.path)]);

export function isTakenFile(fileName: string): boolean {
  const extension = extensionOf(fileName);
  return ownValue(FILE_TYPES, extension) !== undefined || OLD_FILE_EXTENSIONS.includes(extension);
}

export async function findStoredPaths(step: MovingStep, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const parts = jsonArrays([...new Set(paths)]);
  const searches = step.archives.flatMap((archive) => parts.map((wanted) => ({ ...archive, wanted })));
  for (const { id, prefix, wanted } of searches) {
    step.spend(1);
    const { results } = await step.d1
      .prepare(
        "SELECT value AS path FROM json_each(?1) WHERE EXISTS (SELECT 1 FROM moving_entry WHERE archive_id = ?2 AND name = ?3 || value)",
      )
      .bind(wanted, id, prefix)
      .all<{ path: string }>();
    for (const { path } of results) found.add(path);
  }
  return found;
}

import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { type Authors, ItemPortion, type ItemRows, type ItemTarget } from "./item-portion.server.ts";
import { storeInlinePictures } from "./commit-files.server.ts";
import { itemStatements } from "./item-statements.server.ts";
import { findAccounts, findMoved, findMovedOrTwice, findSeen } from "./moved-key.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { fileKeysOf, filesOf, findStoredPaths } from "./old-file.server.ts";
import { addressesIn } from "./old-body.server.ts";
import { oldFilePaths } from "./old-link.server.ts";
import type { OldDocument } from "./rdx-record.server.ts";

export async function commitItems(
  step: MovingStep,
  target: ItemTarget,
  documents: readonly OldDocument[],
): Promise<D1PreparedStatement[]> {
  const rows = await prepareItems(step, target, documents);
  return itemStatements(step, target, rows, await storeInlinePictures(step, rows.inline));
}

export async function prepareItems(
  step: MovingStep,
  target: ItemTarget,
  documents: readonly OldDocument[],
): Promise<ItemRows> {
  const keyOf = ({ id }: { id: number }) => `${target.boardKey}/${id}`;
  const { known, twice } = await findMovedOrTwice(step, "item", documents.map(keyOf));
  const authors = await findAuthors(step, documents);
  const paths = documents.flatMap((each) => [
    ...[each.body, ...each.comments.map(({ body }) => body)]
      .flatMap(addressesIn)
      .flatMap((address) => oldFilePaths(address, step.row.oldOrigin)),
    ...filesOf(each).map(({ path }) => path),
  ]);
  const stored = await findStoredPaths(step, paths);
  const fileKeys = documents.flatMap((each) => fileKeysOf(keyOf(each), each));
  const movedFiles = await findMoved(step, "file", fileKeys);
  const portion = new ItemPortion(step, target, authors, stored, movedFiles);
  for (const each of documents) {
    const itemId = known.get(keyOf(each));
    if (itemId === undefined) {
      known.set(keyOf(each), "");
      portion.addItem(keyOf(each), each);
    } else if (itemId === "" || twice.has(keyOf(each))) step.addIssue("item-twice", keyOf(each));
    else portion.addKnownItem(keyOf(each), Number(itemId), each);
  }
  return portion.rows;
}

async function findAuthors(step: MovingStep, documents: readonly OldDocument[]): Promise<Authors> {
  const names = documents.flatMap((each) => [each.author.userId, ...each.comments.map(({ author }) => author.userId)]);
  const ids = [...new Set(names.filter(Boolean).map((name) => normaliseUserKey("Id", name)))];
  return { accounts: await findAccounts(step, ids), left: await findSeen(step, "left", ids) };
}

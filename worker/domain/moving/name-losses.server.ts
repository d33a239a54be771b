import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import type { RdxEntry } from "#worker/contract/moving/state.ts";
import { prepareItems } from "./commit-items.server.ts";
import { commitMembers } from "./commit-members.server.ts";
import { commitNotes, ownerOf } from "./commit-notes.server.ts";
import { findAccounts, findSeen, type SeenKind, seenStatement } from "./moved-key.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import type { OldDocument, OldMember, OldNote } from "./rdx-record.server.ts";

export interface ReadRecords {
  members: OldMember[];
  documents: OldDocument[];
  notes: OldNote[];
}

/** Simulates the commit of a portion for the preview. @returns a function that stores its keys for later portions */
export async function nameLosses(
  step: MovingStep,
  entry: RdxEntry,
  { members, documents, notes }: ReadRecords,
): Promise<D1PreparedStatement[]> {
  const { committed, already } = structuredClone(step.state);
  try {
    if (entry.type === "member") return await nameMemberLosses(step, members);
    if (entry.type === "board") return await nameItemLosses(step, entry, documents);
    const owners = notes.map((note) => normaliseUserKey("Id", ownerOf(note)));
    const left = await findSeen(step, "left", owners);
    const here = [...(await findSeen(step, "member", owners)), ...(await findAccounts(step, owners)).keys()].filter(
      (key) => !left.has(key),
    );
    await commitNotes(step, notes, new Map(here.map((key) => [key, key])));
    return [];
  } finally {
    Object.assign(step.state, { committed, already });
  }
}

async function nameMemberLosses(step: MovingStep, members: OldMember[]): Promise<D1PreparedStatement[]> {
  const keys = members.map(({ userId }) => normaliseUserKey("Id", userId));
  const isFirst = firstOf(keys, await findSeen(step, "member", keys));
  const first = members.filter((_, index) => isFirst[index]);
  for (const [index, key] of keys.entries()) if (!isFirst[index]) step.addIssue("member-twice", key);
  const left = first.filter(({ leftBy }) => leftBy !== "").map(({ userId }) => normaliseUserKey("Id", userId));
  const staying = first.filter(({ leftBy }) => leftBy === "");
  const mails = staying.map(({ email }) => normaliseUserKey("Email", email)).filter(Boolean);
  await commitMembers(step, first, await findSeen(step, "mail", mails));
  return [seenStatement(step, "member", keys), seenStatement(step, "left", left), seenStatement(step, "mail", mails)];
}

async function nameItemLosses(
  step: MovingStep,
  { boardKey }: RdxEntry,
  documents: OldDocument[],
): Promise<D1PreparedStatement[]> {
  const kind: SeenKind = `item ${boardKey}`;
  const keys = documents.map(({ id }) => `${boardKey}/${id}`);
  const isFirst = firstOf(keys, await findSeen(step, kind, keys));
  for (const [index, key] of keys.entries()) if (!isFirst[index]) step.addIssue("item-twice", key);
  // Categories depend on the target board, which is not known yet.
  const categories = new Set(documents.map(({ category }) => category));
  await prepareItems(
    step,
    { boardKey, boardCode: "", categories },
    documents.filter((_, index) => isFirst[index]),
  );
  return [seenStatement(step, kind, keys)];
}

function firstOf(keys: readonly string[], seen: ReadonlySet<string>): boolean[] {
  const known = new Set(seen);
  return keys.map((key) => {
    const isFirst = !known.has(key);
    known.add(key);
    return isFirst;
  });
}

import { peppersOf, readArrivingPassword } from "#worker/adapters/password.server.ts";
import { ADVERTISING_AGREEMENT } from "#worker/contract/mail/mail.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import type { MovingBoard, NamedCount, RdxEntry } from "#worker/contract/moving/moving.ts";
import { isPictureFileName } from "../file/picture.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { leftFields, type OldDocument, type OldMember } from "./rdx-record.server.ts";
import { beginNextList, commitPortions, type Portion } from "./record-stream.server.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { prepareItems } from "./commit-items.server.ts";
import { commitMembers, commitNotes, ownerOf } from "./commit-members.server.ts";
import { findAccounts, findSeen, type SeenKind, seenStatement } from "./moved-key.server.ts";

/** Same portion size as the commit, which the preview simulates. */
const PORTION = { records: 100, bytes: 1024 * 1024 } as const;

export async function countRecords(step: MovingStep): Promise<void> {
  const entry = step.row.entries[step.state.entryIndex];
  if (!entry) {
    step.state.phase = "done";
    step.state.preview.counts.boards = step.state.preview.boards.length;
    await step.commit([], { status: "checked" });
    return;
  }
  const found = await step.findEntry(entry.archiveId, entry.name);
  if (!found) {
    step.addIssue("entry-missing", entry.name);
    beginNextList(step);
    await step.commit();
    return;
  }
  await commitPortions(step, entry, found, PORTION, (portion) => {
    for (const member of portion.members) countMember(step, member);
    for (const document of portion.documents) countDocument(step, boardOf(step, entry), document);
    if (entry.type === "message") step.state.preview.counts.notes += portion.records;
    const arriving = portion.members.filter(({ leftBy }) => leftBy === "");
    for (const { findings } of [...arriving, ...portion.documents, ...portion.notes])
      for (const name of leftFields(findings)) tally(step.state.preview.left, name, "item 그 밖의 항목");
    return nameLosses(step, entry, portion);
  });
}

/** Keeps the first kinds only, and counts the others as `rest`. An array, since a name may equal an Object property. */
function tally(counts: NamedCount[], name: string, rest = ""): void {
  const known = counts.find((each) => each.name === name);
  if (known) known.count += 1;
  else if (counts.length < MOVING_LIMITS.named || name === rest) counts.push({ name, count: 1 });
  else if (rest !== "") tally(counts, rest, rest);
}

function countMember(step: MovingStep, member: OldMember): void {
  const { preview } = step.state;
  preview.counts.members += 1;
  if (member.leftBy !== "") return;
  if (member.doubt !== "") {
    preview.doubtful ??= [];
    if (preview.doubtful.length < MOVING_LIMITS.named)
      preview.doubtful.push({ userId: member.userId, text: member.doubt });
  }
  if (member.status === "active")
    tally(preview.passwords, readArrivingPassword(member.password, peppersOf(step.ctx.config)).kind);
  for (const { code } of member.consents) preview.consents[code === ADVERTISING_AGREEMENT ? "mail" : "text"] += 1;
  for (const group of new Set(member.groups)) tally(preview.groups, group);
  for (const name of Object.keys(member.fields)) tally(preview.fields, name);
}

function boardOf(step: MovingStep, entry: RdxEntry): MovingBoard {
  const known = step.state.preview.boards.find(({ key }) => key === entry.boardKey);
  if (known) return known;
  const board: MovingBoard = {
    key: entry.boardKey,
    title: entry.title || entry.boardKey,
    items: 0,
    comments: 0,
    files: 0,
    notices: 0,
    secrets: 0,
    pictures: 0,
    categories: [],
  };
  // One more than the limit makes the check fail.
  if (step.state.preview.boards.length <= MOVING_LIMITS.boards) step.state.preview.boards.push(board);
  return board;
}

function countDocument(step: MovingStep, board: MovingBoard, read: OldDocument): void {
  const { counts } = step.state.preview;
  const files = [...read.files, ...read.comments.flatMap((comment) => comment.files)];
  board.items += 1;
  board.comments += read.comments.length;
  board.files += files.length;
  if (read.isNotice) board.notices += 1;
  if (read.state === "secret") board.secrets += 1;
  const shows = read.body?.some((piece) => typeof piece !== "string" && piece.kind === "picture");
  if (shows || read.files.some(({ fileName }) => isPictureFileName(fileName))) board.pictures += 1;
  if (read.category !== "") tally(board.categories, read.category);
  counts.items += 1;
  counts.comments += read.comments.length;
  counts.files += files.length;
  step.state.preview.filesBytes += files.reduce((sum, { size }) => sum + size, 0);
}

/** Simulates the commit of a portion for the preview. @returns a function that stores its keys for later portions */
async function nameLosses(step: MovingStep, entry: RdxEntry, { members, documents, notes }: Portion) {
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

async function nameItemLosses(step: MovingStep, { boardKey }: RdxEntry, documents: OldDocument[]) {
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

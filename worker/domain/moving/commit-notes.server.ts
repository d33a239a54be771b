import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { noteTextFindings } from "./old-text-issue.server.ts";
import { MovedBody, ownFiles } from "./moved-body.server.ts";
import { findAccounts, findMoved, findSeen, movedId, type MovedRow, movedStatement } from "./moved-key.server.ts";
import type { OldNote } from "./rdx-record.server.ts";

/** Commits a portion of notes, one per mailbox owner. @param owners accounts by old ID, to skip the lookup */
export async function commitNotes(
  step: MovingStep,
  notes: readonly OldNote[],
  owners?: ReadonlyMap<string, string>,
): Promise<D1PreparedStatement[]> {
  const ownerKeys = notes.map((note) => normaliseUserKey("Id", ownerOf(note)));
  const accounts = owners ?? (await findAccounts(step, ownerKeys));
  const others = notes.map((note) => normaliseUserKey("Id", otherOf(note)));
  const left = await findSeen(step, "left", [...ownerKeys, ...others]);
  const known = await findMoved(step, "note", notes.map(noteKeyOf));
  const rows: Record<string, unknown>[] = [];
  const moved: MovedRow[] = [];
  for (const [index, note] of notes.entries()) {
    const oldKey = noteKeyOf(note);
    const ownerKey = ownerKeys[index] ?? "";
    const userId = left.has(ownerKey) ? undefined : accounts.get(ownerKey);
    if (known.has(oldKey)) {
      step.count("already", "notes");
      continue;
    }
    if (!userId) {
      step.addIssue("note-owner", oldKey);
      continue;
    }
    known.set(oldKey, "");
    const id = movedId(step.ctx, step.row.site, "note", oldKey);
    rows.push({
      id,
      userId,
      folder: note.folder,
      otherName: left.has(others[index] ?? "") ? UI_MESSAGES.retiredUser : otherOf(note) || "알 수 없음",
      title: note.title,
      content: textOf(step, oldKey, note),
      sentDate: note.sentDate?.getTime() ?? null,
      readDate: note.readDate?.getTime() ?? null,
    });
    moved.push({ oldKey, targetId: id });
    step.count("committed", "notes");
    if (note.hasFiles) step.addIssue("note-files", `쪽지 ${oldKey}`);
    noteTextFindings(step, `쪽지 ${oldKey}`, note.findings);
  }
  return [
    step.d1
      .prepare(
        `INSERT OR IGNORE INTO old_note (id, user_id, folder, other_name, title, content, sent_date, read_date)
         SELECT value ->> 'id', value ->> 'userId', value ->> 'folder', value ->> 'otherName', value ->> 'title', value ->> 'content', value ->> 'sentDate', value ->> 'readDate'
         FROM json_each(?1)`,
      )
      .bind(JSON.stringify(rows)),
    movedStatement(step, "note", moved),
  ];
}

const NOTE_LETTERS = 100_000;

function textOf(step: MovingStep, oldKey: string, { body, title, findings }: OldNote): string {
  const subject = `쪽지 ${oldKey}`;
  const moved = new MovedBody(step, { itemKey: subject, title, stored: new Set(), files: ownFiles([]), isText: true });
  const text = moved.renderText(body, NOTE_LETTERS, findings);
  moved.nameIssues();
  return text;
}

export const ownerOf = ({ folder, senderId, recipientId }: OldNote) => (folder === "sent" ? senderId : recipientId);
const otherOf = ({ folder, senderId, recipientId }: OldNote) => (folder === "sent" ? recipientId : senderId);
const noteKeyOf = ({ folder, id }: OldNote) => `${folder}/${id}`;

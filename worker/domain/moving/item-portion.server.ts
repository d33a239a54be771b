import type { movingFile } from "#db/schema/moving.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { MOVING_LIMITS } from "#worker/contract/moving/rules.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { isPictureFileName } from "../file/picture.server.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { movedId, type MovedRow } from "./moved-key.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { fileKeyOf, filesOf, isShownBelow, isTakenFile, pictureKeyOf } from "./old-file.server.ts";
import { type InlinePicture, MovedBody, noteTextFindings, type OwnFiles, ownFiles } from "./moved-body.server.ts";
import { escapeHtml } from "./old-text.server.ts";
import type { OldAuthor, OldComment, OldDocument } from "./rdx-record.server.ts";

/** Owner of content by guests and departed members; no one can sign in with it. */
const NOBODY = "moved-in";
/** D1 limits values to 2,000,000 bytes, shared with the portion's other columns. */
const CONTENT_BYTES_MAX = 1_200_000;
/** Used when neither the item nor its change has a valid date. */
const FALLBACK_DATE = Date.UTC(2000, 0, 1);

export interface Authors {
  accounts: ReadonlyMap<string, string>;
  left: ReadonlySet<string>;
}

export interface ItemTarget {
  boardKey: string;
  boardCode: string;
  categories: ReadonlySet<string>;
}

type FileRow = typeof movingFile.$inferSelect;

interface ItemFileToCommit extends Omit<FileRow, "movingId" | "boardCode" | "itemId" | "createdDate"> {
  createdDate: number;
  index: number | null;
  itemId: number | null;
}

export interface ItemRows {
  items: Record<string, unknown>[];
  itemKeys: { oldKey: string; oldNumber: number }[];
  comments: Record<string, unknown>[];
  movedComments: MovedRow[];
  files: ItemFileToCommit[];
  inline: InlineFile[];
}

export interface InlineFile extends InlinePicture {
  index: number;
  purpose: "board" | "image";
  ownerUserId: string;
  createdDate: number;
}

export class ItemPortion {
  readonly rows: ItemRows = { items: [], itemKeys: [], comments: [], movedComments: [], files: [], inline: [] };
  #step: MovingStep;
  #target: ItemTarget;
  #authors: Authors;
  #stored: Set<string>;
  #movedFiles: Map<string, string>;

  constructor(
    step: MovingStep,
    target: ItemTarget,
    authors: Authors,
    stored: Set<string>,
    movedFiles: Map<string, string>,
  ) {
    this.#step = step;
    this.#target = target;
    this.#authors = authors;
    this.#stored = stored;
    this.#movedFiles = movedFiles;
  }

  /** Adds only files that an earlier import could not read. */
  addKnownItem(oldKey: string, itemId: number, old: OldDocument): void {
    this.#step.count("already", "items");
    this.#step.count("already", "comments", old.comments.length);
    this.#addFiles(oldKey, old, new Set(), { index: null, itemId });
  }

  addItem(oldKey: string, old: OldDocument): void {
    const step = this.#step;
    const files = ownFiles(filesOf(old));
    const body = this.#bodyOf(oldKey, files, old.title, false);
    const content = this.#cleanContent(oldKey, old, body);
    if (content === null) return;
    body.nameIssues();
    const index = this.rows.items.length;
    const shown = new Set(imageFileIds(content));
    const inText = new Map([...body.pictures].filter(([, id]) => shown.has(id)));
    const comments = this.#addComments(oldKey, index, old, files);
    const date = this.#dateOf(oldKey, old);
    if (old.state === "hidden") step.addIssue("item-hidden", oldKey, old.title);
    if (old.parentId !== null) step.addIssue("item-reply", oldKey, old.title);
    noteTextFindings(step, oldKey, old.findings, old.title);
    for (const [path, id] of inText) this.#addBodyFile(oldKey, old, files, { path, id, index, purpose: "image" });
    for (const path of inText.keys()) body.attached.delete(path);
    this.#addAttached(oldKey, old, files, body, index);
    this.#addFiles(oldKey, old, new Set([...inText.keys(), ...body.attached.keys()]), { index, itemId: null });
    this.rows.itemKeys.push({ oldKey, oldNumber: old.id });
    this.rows.items.push({
      title: old.title,
      content,
      category: this.#categoryOf(oldKey, old),
      isPinned: old.isNotice ? 1 : 0,
      isSecret: old.state === "secret" ? 1 : 0,
      isCommentClosed: old.isCommentClosed ? 1 : 0,
      deletedDate: old.state === "hidden" ? step.ctx.now().getTime() : null,
      ...this.#authorOf(old.author),
      createdDate: date,
      modifiedDate: Math.max(date, old.modifiedDate?.getTime() ?? 0),
      viewCount: old.viewCount,
      commentCount: comments,
      thumbnailFileId: imageFileIds(content)[0] ?? null,
    });
    step.count("committed", "items");
  }

  #bodyOf(itemKey: string, files: OwnFiles, title: string, isText: boolean): MovedBody {
    return new MovedBody(this.#step, { itemKey, title, stored: this.#stored, files, isText });
  }

  #cleanContent(oldKey: string, old: OldDocument, body: MovedBody): string | null {
    try {
      if (old.body === null) throw new AppError("PAYLOAD_TOO_LARGE");
      const cleaned = cleanHtml(body.render(old.body) + this.#appendix(old));
      if (new TextEncoder().encode(cleaned).byteLength > CONTENT_BYTES_MAX) {
        this.#step.addIssue("item-long", oldKey, old.title);
        return null;
      }
      if (!isBlankHtml(cleaned)) return cleaned;
      if (body.lost.length > 0) return `<p>${escapeHtml(body.remains())}</p>`;
      this.#step.addIssue("item-empty", oldKey, old.title);
      return "<p>(내용 없음)</p>";
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      this.#step.addIssue("item-long", oldKey, old.title);
      return null;
    }
  }

  #appendix({ links, tags, fields }: OldDocument): string {
    const tagLine = tags.length === 0 ? "" : `<p>${tags.map((tag) => `#${escapeHtml(tag)}`).join(" ")}</p>`;
    const lines =
      links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join("") + tagLine;
    const entries = this.#step.row.mapping?.keepItemFields === false ? [] : Object.entries(fields);
    if (entries.length === 0) return lines;
    const rows = entries.map(
      ([name, text]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`,
    );
    return `${lines}<table><tbody>${rows.join("")}</tbody></table>`;
  }

  #dateOf(oldKey: string, old: { date: Date | null; modifiedDate?: Date | null }): number {
    if (!old.date) this.#step.addIssue("item-date", oldKey);
    return (old.date ?? old.modifiedDate)?.getTime() ?? FALLBACK_DATE;
  }

  #categoryOf(oldKey: string, { category, title }: OldDocument): string {
    if (category === "" || this.#target.categories.has(category)) return category;
    this.#step.addIssue("item-category", oldKey, `${category}: ${title}`);
    return "";
  }

  #authorOf({ userId, name }: OldAuthor): { createdUserId: string; createdUserName: string } {
    const key = userId === "" ? "" : normaliseUserKey("Id", userId);
    if (this.#authors.left.has(key)) return { createdUserId: NOBODY, createdUserName: UI_MESSAGES.retiredUser };
    return { createdUserId: this.#authors.accounts.get(key) ?? NOBODY, createdUserName: name };
  }

  /** @returns the number of comments moved */
  #addComments(itemKey: string, index: number, old: OldDocument, files: OwnFiles): number {
    const step = this.#step;
    const firstOf = threadFirsts(old.comments);
    const keyOf = (id: number) => `${this.#target.boardKey}/${id}`;
    let committed = 0;
    for (const comment of old.comments) {
      if (!isShownBelow(old, comment)) {
        step.addIssue(comment.state === "secret" ? "comment-secret" : "comment-hidden", keyOf(comment.id), itemKey);
        continue;
      }
      const first = firstOf.get(comment);
      const parent = first === comment ? null : first;
      if (!parent && comment.parentId !== null) step.addIssue("comment-parent", keyOf(comment.id), itemKey);
      const date = this.#dateOf(keyOf(comment.id), { date: comment.date, modifiedDate: old.date });
      const id = movedId(step.ctx, step.row.site, "comment", keyOf(comment.id));
      this.rows.comments.push({
        id,
        index,
        parentCommentId:
          parent && isShownBelow(old, parent) ? movedId(step.ctx, step.row.site, "comment", keyOf(parent.id)) : null,
        content: this.#commentText(itemKey, index, old, files, comment),
        ...this.#authorOf(comment.author),
        createdDate: date,
      });
      this.rows.movedComments.push({ oldKey: keyOf(comment.id), oldNumber: comment.id, targetId: id });
      committed += 1;
    }
    step.count("committed", "comments", committed);
    return committed;
  }

  #commentText(itemKey: string, index: number, old: OldDocument, files: OwnFiles, comment: OldComment): string {
    const body = this.#bodyOf(`${itemKey}#${comment.id}`, files, "댓글", true);
    const text = body.renderText(comment.body, MOVING_LIMITS.commentLetters, old.findings);
    body.nameIssues();
    this.#addAttached(itemKey, old, files, body, index);
    return text || "(내용 없음)";
  }

  #addAttached(itemKey: string, old: OldDocument, files: OwnFiles, body: MovedBody, index: number): void {
    for (const [path, id] of body.attached)
      this.#addBodyFile(itemKey, old, files, { path, id, index, purpose: "board" });
    const { createdUserId } = this.#authorOf(old.author);
    const createdDate = (old.date ?? this.#step.ctx.now()).getTime();
    const purpose = body.isText ? "board" : "image";
    this.rows.inline.push(
      ...body.inline.map((each) => ({ ...each, index, purpose, ownerUserId: createdUserId, createdDate }) as const),
    );
    this.#step.count("committed", "files", body.inline.length);
  }

  #addBodyFile(
    itemKey: string,
    old: OldDocument,
    files: OwnFiles,
    place: { path: string; id: string; index: number; purpose: "board" | "image" },
  ): void {
    const { path, id, index, purpose } = place;
    const listed = files.byPath.get(path);
    const fileName = cleanFileName(listed?.fileName ?? path);
    this.rows.files.push({
      id,
      oldKey: pictureKeyOf(itemKey, path),
      oldNumber: listed?.id || null,
      path,
      fileName: purpose === "board" || isPictureFileName(fileName) ? fileName : cleanFileName(path),
      purpose,
      sortOrder: 0,
      ownerUserId: this.#authorOf(old.author).createdUserId,
      createdDate: (listed?.date ?? old.date ?? this.#step.ctx.now()).getTime(),
      index,
      itemId: null,
    });
  }

  #addFiles(
    itemKey: string,
    old: OldDocument,
    inText: ReadonlySet<string>,
    place: { index: number | null; itemId: number | null },
  ): void {
    const step = this.#step;
    for (const [sortOrder, file] of filesOf(old).entries()) {
      const oldKey = fileKeyOf(itemKey, file);
      if (this.#movedFiles.has(oldKey) || this.#movedFiles.has(pictureKeyOf(itemKey, file.path))) {
        step.count("already", "files");
        continue;
      }
      if (inText.has(file.path)) continue;
      const fileName = cleanFileName(file.fileName);
      if (!this.#stored.has(file.path)) step.addIssue("file-missing", oldKey, fileName);
      else if (!isTakenFile(fileName)) step.addIssue("file-type", oldKey, fileName);
      else {
        this.rows.files.push({
          id: movedId(step.ctx, step.row.site, "file", oldKey),
          oldKey,
          oldNumber: file.id || null,
          path: file.path,
          fileName,
          purpose: "board",
          sortOrder,
          ownerUserId: this.#authorOf(old.author).createdUserId,
          createdDate: (file.date ?? old.date ?? step.ctx.now()).getTime(),
          ...place,
        });
      }
    }
  }
}

/** Replies are one level deep here. Visits each comment once. */
export function threadFirsts(comments: readonly OldComment[]): Map<OldComment, OldComment> {
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const firsts = new Map<OldComment, OldComment>();
  for (const comment of comments) {
    const passed: OldComment[] = [];
    let last = comment;
    for (let at: OldComment | undefined = comment; at; at = at.parentId === null ? undefined : byId.get(at.parentId)) {
      last = at;
      if (firsts.has(at)) break;
      firsts.set(at, at);
      passed.push(at);
    }
    const first = firsts.get(last) ?? last;
    for (const each of passed) firsts.set(each, first);
  }
  return firsts;
}

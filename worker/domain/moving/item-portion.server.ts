import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { isPictureFileName } from "../file/thumbnail.server.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { movedId, type MovedRow } from "./moved-key.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { fileKeyOf, filesOf, isShownBelow, isTakenFile, pictureKeyOf } from "./old-file.server.ts";
import { rewriteAddresses } from "./old-link.server.ts";
import { noteTextFindings } from "./old-text-issue.server.ts";
import { escapeHtml } from "./old-text.server.ts";
import type { OldAuthor, OldComment, OldDocument, OldFile } from "./rdx-record.server.ts";

/** Whose account is not here: a guest of the old site, or a member who had left it. Nobody signs in as it. */
export const NOBODY = "moved-in";
/** D1 takes values below 2,000,000 bytes, and the portion's other columns stand beside the text. */
const CONTENT_BYTES_MAX = 1_200_000;
/** Where neither the item nor its change has a date that can be. */
const FALLBACK_DATE = Date.UTC(2000, 0, 1);

export interface Authors {
  /** Accounts here by the IDs of the old site. */
  accounts: ReadonlyMap<string, string>;
  /** IDs of people who left the old site. */
  left: ReadonlySet<string>;
}

export interface ItemTarget {
  boardKey: string;
  boardCode: string;
  categories: ReadonlySet<string>;
}

export interface ItemFileToCommit {
  id: string;
  oldKey: string;
  oldNumber: number | null;
  path: string;
  fileName: string;
  purpose: "board" | "image";
  sortOrder: number;
  ownerUserId: string;
  createdDate: number;
  /** Place of its item in the portion, or the item itself where it is here already. */
  index: number | null;
  itemId: number | null;
}

/** Rows to be written; `index` is the place of their item in the portion. */
export interface ItemRows {
  items: Record<string, unknown>[];
  itemKeys: { oldKey: string; oldNumber: number }[];
  comments: Record<string, unknown>[];
  movedComments: MovedRow[];
  files: ItemFileToCommit[];
}

/** What a portion of old items becomes here, with what of it does not come and why. */
export class ItemPortion {
  readonly rows: ItemRows = { items: [], itemKeys: [], comments: [], movedComments: [], files: [] };
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

  /** What had come with an earlier import: files alone that were not to be had then. */
  addKnownItem(oldKey: string, itemId: number, old: OldDocument): void {
    this.#step.count("already", "items");
    this.#step.count("already", "comments", old.comments.length);
    this.#addFiles(oldKey, old, new Set(), { index: null, itemId });
  }

  addItem(oldKey: string, old: OldDocument): void {
    const step = this.#step;
    const pictures = new Map<string, string>();
    const pictureId = (path: string) => {
      if (!this.#stored.has(path)) {
        step.addIssue("file-missing", `${oldKey} ${path}`, "본문 그림");
        return null;
      }
      if (!isPictureFileName(path)) return null;
      const id = movedId(step.ctx, step.row.site, "file", pictureKeyOf(oldKey, path));
      pictures.set(path, id);
      return id;
    };
    const content = this.#cleanContent(oldKey, old, pictureId);
    if (content === null) return;
    const index = this.rows.items.length;
    const shown = new Set(imageFileIds(content));
    const inText = new Map([...pictures].filter(([, id]) => shown.has(id)));
    const comments = this.#addComments(oldKey, index, old);
    const date = this.#dateOf(oldKey, old);
    if (old.state === "hidden") step.addIssue("item-hidden", oldKey, old.title);
    if (old.parentId !== null) step.addIssue("item-reply", oldKey, old.title);
    noteTextFindings(step, oldKey, old.findings, old.title);
    const listed = new Map(
      filesOf(old)
        .toReversed()
        .map((file) => [file.path, file]),
    );
    for (const [path, id] of inText) this.#addPicture(oldKey, old, { path, id, listed: listed.get(path) }, index);
    this.#addFiles(oldKey, old, new Set(inText.keys()), { index, itemId: null });
    this.rows.itemKeys.push({ oldKey, oldNumber: old.id });
    this.rows.items.push({
      title: old.title,
      content,
      category: this.#categoryOf(oldKey, old),
      isPinned: old.isNotice ? 1 : 0,
      isSecret: old.state === "secret" ? 1 : 0,
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

  #cleanContent(oldKey: string, old: OldDocument, pictureId: (path: string) => string | null): string | null {
    const html = rewriteAddresses(old.html + this.#appendix(old), this.#step.row.oldOrigin, pictureId);
    try {
      const cleaned = cleanHtml(html);
      if (new TextEncoder().encode(cleaned).byteLength > CONTENT_BYTES_MAX) {
        this.#step.addIssue("item-long", oldKey, old.title);
        return null;
      }
      if (!isBlankHtml(cleaned)) return cleaned;
      this.#step.addIssue("item-empty", oldKey, old.title);
      return "<p>(내용 없음)</p>";
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      this.#step.addIssue("item-long", oldKey, old.title);
      return null;
    }
  }

  /** Links, tags and further fields, which an item here has no place of their own for. */
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

  /** @returns how many came */
  #addComments(itemKey: string, index: number, old: OldDocument): number {
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
          parent && isShownBelow(old, parent)
            ? movedId(step.ctx, step.row.site, "comment", keyOf(parent.id))
            : null,
        content: comment.text || "(내용 없음)",
        ...this.#authorOf(comment.author),
        createdDate: date,
      });
      this.rows.movedComments.push({ oldKey: keyOf(comment.id), oldNumber: comment.id, targetId: id });
      committed += 1;
    }
    step.count("committed", "comments", committed);
    return committed;
  }

  #addPicture(itemKey: string, old: OldDocument, picture: ListedPicture, index: number): void {
    const { path, id, listed } = picture;
    const fileName = cleanFileName(listed?.fileName ?? path);
    this.rows.files.push({
      id,
      oldKey: pictureKeyOf(itemKey, path),
      oldNumber: listed?.id || null,
      path,
      fileName: isPictureFileName(fileName) ? fileName : cleanFileName(path),
      purpose: "image",
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

interface ListedPicture {
  path: string;
  id: string;
  listed: OldFile | undefined;
}

/** The first comment of each one's thread: here answers are one level deep. Each comment is visited once. */
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

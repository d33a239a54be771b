import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import { normaliseUserKey } from "#worker/contract/account/rules.ts";
import { extensionOf, FILE_TYPES, cleanFileName } from "#worker/contract/file/rules.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { imageFileIds } from "#worker/contract/kernel/rich-text.ts";
import { OLD_FILE_EXTENSIONS } from "#worker/contract/moving/rules.ts";
import { isBlankHtml } from "../kernel/html-text.server.ts";
import { jsonArrays } from "../kernel/json-arrays.ts";
import { isPictureFileName } from "../file/thumbnail.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { findMoved, movedId, type MovedRow, movedStatement } from "./moved-key.server.ts";
import { picturePaths, rewriteAddresses } from "./old-link.server.ts";
import { escapeHtml } from "./old-text.server.ts";
import type { OldAuthor, OldComment, OldDocument, OldFile } from "./rdx-record.server.ts";

/** Whose account is not here: a guest of the old site, or a member who had left it. Nobody signs in as it. */
export const NOBODY = "moved-in";
/** D1 takes values below 2,000,000 bytes, and the portion's other columns stand beside the text. */
const CONTENT_BYTES_MAX = 1_200_000;
/** Where neither the item nor its change has a date that can be. */
const FALLBACK_DATE = Date.UTC(2000, 0, 1);

interface Target {
  boardKey: string;
  boardCode: string;
  categories: ReadonlySet<string>;
}

interface FileToLand {
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

/** A portion of a board's items with their comments; the bytes of their files come later, one by one. */
export async function landItems(
  step: MovingStep,
  target: Target,
  documents: readonly OldDocument[],
): Promise<D1PreparedStatement[]> {
  const keyOf = ({ id }: { id: number }) => `${target.boardKey}/${id}`;
  const known = await findMoved(step, "item", documents.map(keyOf));
  const authors = await findAuthors(step, documents);
  const paths = documents.flatMap((each) => [
    ...picturePaths(each.html, step.row.oldOrigin),
    ...filesOf(each).map(({ path }) => path),
  ]);
  const stored = await findStoredPaths(step, paths);
  const fileKeys = documents.flatMap((each) => fileKeysOf(keyOf(each), each, step.row.oldOrigin));
  const movedFiles = await findMoved(step, "file", fileKeys);
  const portion = new ItemPortion(step, target, authors, stored, movedFiles);
  for (const each of documents) {
    const itemId = known.get(keyOf(each));
    if (itemId === undefined) {
      known.set(keyOf(each), "");
      portion.addItem(keyOf(each), each);
    } else if (itemId === "") step.addIssue("item-twice", keyOf(each));
    else portion.addKnownItem(keyOf(each), Number(itemId), each);
  }
  return portion.statements();
}

const filesOf = (each: OldDocument): OldFile[] => [
  ...each.files,
  ...each.comments.filter((comment) => !comment.isSecret).flatMap((comment) => comment.files),
];
const fileKeyOf = (itemKey: string, { id, path }: OldFile) => `${itemKey}/${id || path}`;
const pictureKeyOf = (itemKey: string, path: string) => `${itemKey}/img/${path}`;
const fileKeysOf = (itemKey: string, each: OldDocument, oldOrigin: string) => [
  ...filesOf(each).map((file) => fileKeyOf(itemKey, file)),
  ...picturePaths(each.html, oldOrigin).map((path) => pictureKeyOf(itemKey, path)),
];

/** Ids of members of the old site whose account is here. */
async function findAuthors(step: MovingStep, documents: readonly OldDocument[]): Promise<Map<string, string>> {
  const names = documents.flatMap((each) => [each.author.userId, ...each.comments.map(({ author }) => author.userId)]);
  const ids = [...new Set(names.filter(Boolean).map((name) => normaliseUserKey("Id", name)))];
  return findMoved(step, "member", ids);
}

/** Which of these paths an archive holds; pictures in texts may lie below either. */
async function findStoredPaths(step: MovingStep, paths: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const wanted = JSON.stringify([...new Set(paths)]);
  if (paths.length === 0) return found;
  for (const { id, prefix } of step.archives) {
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

class ItemPortion {
  #step: MovingStep;
  #target: Target;
  #authors: Map<string, string>;
  #stored: Set<string>;
  #movedFiles: Map<string, string>;
  #items: Record<string, unknown>[] = [];
  #itemKeys: { oldKey: string; oldNumber: number }[] = [];
  #comments: Record<string, unknown>[] = [];
  #movedComments: MovedRow[] = [];
  #files: FileToLand[] = [];

  constructor(
    step: MovingStep,
    target: Target,
    authors: Map<string, string>,
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
    const index = this.#items.length;
    const shown = new Set(imageFileIds(content));
    const inText = new Map([...pictures].filter(([, id]) => shown.has(id)));
    const comments = this.#addComments(oldKey, index, old);
    const date = this.#dateOf(oldKey, old);
    this.#noteFindings(oldKey, old);
    for (const [path, id] of inText) this.#addPicture(oldKey, old, path, id, index);
    this.#addFiles(oldKey, old, new Set(inText.keys()), { index, itemId: null });
    this.#itemKeys.push({ oldKey, oldNumber: old.id });
    this.#items.push({
      title: old.title,
      content,
      category: this.#categoryOf(oldKey, old),
      isPinned: old.isNotice ? 1 : 0,
      isSecret: old.isSecret ? 1 : 0,
      createdUserId: this.#authorId(old.author),
      createdUserName: old.author.name,
      createdDate: date,
      modifiedDate: Math.max(date, old.modifiedDate?.getTime() ?? 0),
      viewCount: old.viewCount,
      commentCount: comments,
      thumbnailFileId: imageFileIds(content)[0] ?? null,
    });
    step.count("landed", "items");
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

  /** Links and further fields, which an item here has no place of their own for. */
  #appendix({ links, fields }: OldDocument): string {
    const lines = links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join("");
    const entries = this.#step.row.mapping?.keepItemFields === false ? [] : Object.entries(fields);
    if (entries.length === 0) return lines;
    const rows = entries.map(
      ([name, text]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`,
    );
    return `${lines}<table><tbody>${rows.join("")}</tbody></table>`;
  }

  #noteFindings(oldKey: string, old: OldDocument): void {
    const step = this.#step;
    if (old.parentId !== null) step.addIssue("item-reply", oldKey, old.title);
    if (old.findings.hasResidentNumber) step.addIssue("item-resident", oldKey, old.title);
    if (old.findings.isRepaired) step.addIssue("text-repaired", oldKey, old.title);
    if (old.findings.isBroken) step.addIssue("text-broken", oldKey, old.title);
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

  #authorId({ userId }: OldAuthor): string {
    const id = userId === "" ? undefined : this.#authors.get(normaliseUserKey("Id", userId));
    return id ?? NOBODY;
  }

  /** @returns how many came */
  #addComments(itemKey: string, index: number, old: OldDocument): number {
    const step = this.#step;
    const byId = new Map(old.comments.map((comment) => [comment.id, comment]));
    const keyOf = (id: number) => `${this.#target.boardKey}/${id}`;
    let landed = 0;
    for (const comment of old.comments) {
      // Here whoever reads an item reads its comments: what was said to one person is not told to all.
      if (comment.isSecret && !old.isSecret) {
        step.addIssue("comment-secret", keyOf(comment.id), itemKey);
        continue;
      }
      const parent = topOf(comment, byId);
      if (parent === "unknown") step.addIssue("comment-parent", keyOf(comment.id), itemKey);
      const date = this.#dateOf(keyOf(comment.id), { date: comment.date, modifiedDate: old.date });
      const id = movedId(step.ctx, step.row.site, "comment", keyOf(comment.id));
      const isParentHere = parent !== "unknown" && parent !== null && !(parent.isSecret && !old.isSecret);
      this.#comments.push({
        id,
        index,
        parentCommentId: isParentHere ? movedId(step.ctx, step.row.site, "comment", keyOf(parent.id)) : null,
        content: comment.text || "(내용 없음)",
        createdUserId: this.#authorId(comment.author),
        createdUserName: comment.author.name,
        createdDate: date,
      });
      this.#movedComments.push({ oldKey: keyOf(comment.id), oldNumber: comment.id, targetId: id });
      landed += 1;
    }
    step.count("landed", "comments", landed);
    return landed;
  }

  #addPicture(itemKey: string, old: OldDocument, path: string, id: string, index: number): void {
    const listed = filesOf(old).find((file) => file.path === path);
    const fileName = cleanFileName(listed?.fileName ?? path);
    this.#files.push({
      id,
      oldKey: pictureKeyOf(itemKey, path),
      oldNumber: listed?.id || null,
      path,
      fileName: isPictureFileName(fileName) ? fileName : cleanFileName(path),
      purpose: "image",
      sortOrder: 0,
      ownerUserId: this.#authorId(old.author),
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
      const extension = extensionOf(fileName);
      if (!this.#stored.has(file.path)) step.addIssue("file-missing", oldKey, fileName);
      else if (!FILE_TYPES[extension] && !OLD_FILE_EXTENSIONS.includes(extension))
        step.addIssue("file-type", oldKey, fileName);
      else {
        this.#files.push({
          id: movedId(step.ctx, step.row.site, "file", oldKey),
          oldKey,
          oldNumber: file.id || null,
          path: file.path,
          fileName,
          purpose: "board",
          sortOrder,
          ownerUserId: this.#authorId(old.author),
          createdDate: (file.date ?? old.date ?? step.ctx.now()).getTime(),
          ...place,
        });
      }
    }
  }

  statements(): D1PreparedStatement[] {
    const { d1, row } = this.#step;
    const { boardCode } = this.#target;
    const count = this.#items.length;
    /** Of the item at a place of the portion, whose numbers were taken by the first statement. */
    const itemIdAt = (index: string) =>
      `(SELECT id FROM board_item WHERE board_code = ?1 AND item_no = (SELECT last_item_no FROM board WHERE board_code = ?1) - ?2 + 1 + ${index})`;
    const arrays = (sql: string, rows: readonly unknown[], ...more: unknown[]) =>
      jsonArrays(rows).map((json) => d1.prepare(sql).bind(boardCode, count, json, ...more));
    const items = this.#items.map((item, index) => ({ ...item, index }));
    const keys = this.#itemKeys.map((key, index) => ({ ...key, index }));
    const numbers =
      count === 0
        ? []
        : [
            d1
              .prepare("UPDATE board SET last_item_no = last_item_no + ?2 WHERE board_code = ?1")
              .bind(boardCode, count),
          ];
    return [
      ...numbers,
      ...arrays(
        `INSERT INTO board_item (board_code, item_no, title, content, category, is_pinned, is_secret, created_user_id, created_user_name,
           created_date, modified_date, view_count, comment_count, thumbnail_file_id)
         SELECT ?1, (SELECT last_item_no FROM board WHERE board_code = ?1) - ?2 + 1 + (value ->> 'index'), value ->> 'title', value ->> 'content',
           value ->> 'category', value ->> 'isPinned', value ->> 'isSecret', value ->> 'createdUserId', value ->> 'createdUserName',
           value ->> 'createdDate', value ->> 'modifiedDate', value ->> 'viewCount', value ->> 'commentCount', value ->> 'thumbnailFileId'
         FROM json_each(?3)`,
        items,
      ),
      ...arrays(
        `INSERT INTO moved_thing (site, kind, old_key, old_number, target_id, moving_id)
         SELECT ?4, 'item', value ->> 'oldKey', value ->> 'oldNumber', ${itemIdAt("(value ->> 'index')")}, ?5 FROM json_each(?3)`,
        keys,
        row.site,
        row.id,
      ),
      ...arrays(
        `INSERT OR IGNORE INTO board_item_comment (id, item_id, parent_comment_id, content, created_user_id, created_user_name, created_date, modified_date)
         SELECT value ->> 'id', ${itemIdAt("(value ->> 'index')")}, value ->> 'parentCommentId', value ->> 'content',
           value ->> 'createdUserId', value ->> 'createdUserName', value ->> 'createdDate', value ->> 'createdDate' FROM json_each(?3)`,
        this.#comments,
      ),
      movedStatement(this.#step, "comment", this.#movedComments),
      ...arrays(
        `INSERT OR IGNORE INTO moving_file (id, moving_id, item_id, board_code, owner_user_id, old_key, old_number, path, file_name, purpose, sort_order, created_date)
         SELECT value ->> 'id', ?4, coalesce(value ->> 'itemId', ${itemIdAt("(value ->> 'index')")}), ?1, value ->> 'ownerUserId', value ->> 'oldKey', value ->> 'oldNumber',
           value ->> 'path', value ->> 'fileName', value ->> 'purpose', value ->> 'sortOrder', value ->> 'createdDate' FROM json_each(?3)`,
        this.#files,
        row.id,
      ),
    ];
  }
}

/** The comment that a thread hangs on: here an answer to an answer stands below the first. */
function topOf(comment: OldComment, byId: ReadonlyMap<number, OldComment>): OldComment | "unknown" | null {
  if (comment.parentId === null) return null;
  let found = byId.get(comment.parentId);
  const passed = new Set([comment.id]);
  while (found?.parentId && byId.has(found.parentId) && !passed.has(found.id)) {
    passed.add(found.id);
    found = byId.get(found.parentId);
  }
  return found && found !== comment ? found : "unknown";
}

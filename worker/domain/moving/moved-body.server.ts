import { Buffer } from "node:buffer";
import { contentMatchesExtension, FILE_TYPE_BYTES } from "#worker/adapters/file-type.server.ts";
import { cleanPicture } from "#worker/adapters/picture-metadata/clean.server.ts";
import { cleanFileName } from "#worker/contract/file/rules.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { safeHref } from "#worker/contract/kernel/rich-text.ts";
import type { MovingIssueCode } from "#worker/contract/moving/rules.ts";
import { htmlLines } from "../kernel/html-text.server.ts";
import { isPictureFileName } from "../file/picture.server.ts";
import { movedId } from "./moved-key.server.ts";
import type { MovingStep } from "./moving-step.server.ts";
import { type OldElement, type OldPiece, videoAddress } from "./old-body.server.ts";
import { isOutside, isTakenFile, isUploadPath, localAddress, oldFilePaths, pictureKeyOf } from "./old-file.server.ts";
import { cutTo, escapeHtml, type TextFindings } from "./old-text.server.ts";
import type { OldFile } from "./rdx-record.server.ts";

export interface InlinePicture {
  id: string;
  oldKey: string;
  fileName: string;
  bytes: Uint8Array<ArrayBuffer>;
  width: number;
  height: number;
}

export const ownFiles = (all: readonly OldFile[]) => ({
  all,
  byPath: new Map(all.toReversed().map((file) => [file.path, file])),
  byNumber: new Map(all.toReversed().map((file) => [file.id, file])),
});

export type OwnFiles = ReturnType<typeof ownFiles>;

interface Surroundings {
  itemKey: string;
  title: string;
  stored: ReadonlySet<string>;
  files: OwnFiles;
  /** Comments and notes are plain text: media become attachments or addresses. */
  isText: boolean;
}

const INLINE = /^data:image\/[\w.+-]+;base64,/i;
const INLINE_TYPES = ["png", "jpg", "gif", "webp"];
const TOO_COMPLEX = "(서식이 지나치게 복잡하여 옮기지 않았습니다)";
const HTTP = /^(?:https?:)?\/\//i;

export class MovedBody {
  readonly pictures = new Map<string, string>();
  readonly attached = new Map<string, string>();
  readonly inline: InlinePicture[] = [];
  readonly lost: string[] = [];
  #step: MovingStep;
  #around: Surroundings;
  #named = new Map<string, { code: MovingIssueCode; subject: string; detail: string; count: number }>();
  #links: { isKept: boolean; from: number }[] = [];
  #html: string[] = [];

  constructor(step: MovingStep, around: Surroundings) {
    this.#step = step;
    this.#around = around;
  }

  render(pieces: readonly OldPiece[]): string {
    this.#html = [];
    for (const piece of pieces) this.#html.push(typeof piece === "string" ? piece : this.#element(piece));
    return this.#html.join("");
  }

  renderText(pieces: readonly OldPiece[] | null, max: number, findings: TextFindings): string {
    if (pieces === null) {
      findings.isCut = true;
      return TOO_COMPLEX;
    }
    const text = cutTo(max, htmlLines(this.render(pieces)).join("\n"), findings);
    return text || this.remains();
  }

  remains(): string {
    return this.lost.length === 0 ? "" : `(옮기지 못한 내용: ${this.lost.join(", ").slice(0, 1000)})`;
  }

  get isText(): boolean {
    return this.#around.isText;
  }

  nameIssues(): void {
    const { title } = this.#around;
    for (const { code, subject, detail, count } of this.#named.values())
      this.#step.addIssue(
        code,
        subject,
        [detail, count > 1 ? `${count}개` : "", title].filter(Boolean).join(" · "),
        count,
      );
  }

  #name(code: MovingIssueCode, what: string, detail = ""): void {
    const subject = `${this.#around.itemKey} ${what}`.trim();
    const known = this.#named.get(`${code} ${subject}`);
    if (known) known.count += 1;
    else this.#named.set(`${code} ${subject}`, { code, subject, detail, count: 1 });
  }

  #element(piece: OldElement): string {
    switch (piece.kind) {
      case "picture":
        return this.#picture(piece.addresses, piece.alt);
      case "media":
        return piece.addresses.map((address) => this.#media(piece.tag, address, piece.title)).join("");
      case "link":
        return this.#openLink(piece.address);
      case "link-end":
        return this.#closeLink(piece.address);
      case "gallery":
        return this.#gallery(piece.ids);
      case "dropped":
        return this.#drop(piece.tag, piece.address);
    }
  }

  #drop(tag: string, address: string): string {
    const what = `${tag} ${address.slice(0, 300)}`.trim();
    this.#name("element-dropped", what);
    this.lost.push(what);
    return "";
  }

  #lose(path: string, detail: string): string {
    this.#name("file-missing", path, detail);
    this.lost.push(path);
    return "";
  }

  #findStored(addresses: readonly string[], isTaken: (path: string) => boolean): string | undefined {
    const paths = addresses.flatMap((address) => oldFilePaths(address, this.#step.row.oldOrigin));
    return paths.find((path) => this.#around.stored.has(path) && isTaken(path));
  }

  #picture(addresses: readonly string[], alt: string): string {
    const path = this.#findStored(addresses, isPictureFileName);
    if (path !== undefined) return this.#show(path, alt);
    const outside = addresses.find((each) => HTTP.test(each) && isOutside(each, this.#step.row.oldOrigin));
    if (outside !== undefined) {
      this.#name("picture-outside", outside);
      return this.#address(outside, alt);
    }
    const inline = addresses.find((each) => INLINE.test(each));
    if (inline !== undefined) return this.#showInline(inline, alt);
    const [address = ""] = addresses.filter((each) => !/^data:/i.test(each));
    const [missing] = oldFilePaths(address, this.#step.row.oldOrigin);
    return missing === undefined
      ? this.#drop("img", address || (addresses[0] ?? "").slice(0, 60))
      : this.#lose(missing, "본문 그림");
  }

  #show(path: string, alt: string): string {
    if (this.#around.isText) return this.#attach(path, alt, "그림");
    const { itemKey } = this.#around;
    const id = movedId(this.#step.ctx, this.#step.row.site, "file", pictureKeyOf(itemKey, path));
    this.pictures.set(path, id);
    return imageTag(id, alt);
  }

  #showInline(address: string, alt: string): string {
    const { itemKey, isText } = this.#around;
    const number = this.inline.length + 1;
    const bytes = new Uint8Array(Buffer.from(address.slice(address.indexOf(",") + 1), "base64"));
    const head = bytes.subarray(0, FILE_TYPE_BYTES);
    const type = INLINE_TYPES.find((each) => contentMatchesExtension(`x.${each}`, head));
    const fileName = `본문 그림 ${number}.${type ?? ""}`;
    const picture = type && bytes.byteLength <= SIZE_LIMITS.imageBytes ? cleanPicture(fileName, bytes) : null;
    if (!picture || picture.width * picture.height > SIZE_LIMITS.imagePixels)
      return this.#drop("img", `${address.slice(0, address.indexOf(","))} (${bytes.byteLength}바이트) ${alt}`);
    const oldKey = `${itemKey}/data/${number}`;
    const id = movedId(this.#step.ctx, this.#step.row.site, "file", oldKey);
    this.inline.push({ id, oldKey, fileName, ...picture });
    this.#name("picture-inline", fileName, alt);
    return isText ? ` [그림: ${escapeHtml(alt || fileName)}] ` : imageTag(id, alt);
  }

  #fileId(path: string): string {
    const id = movedId(this.#step.ctx, this.#step.row.site, "file", pictureKeyOf(this.#around.itemKey, path));
    this.attached.set(path, id);
    return id;
  }

  #attach(path: string, title: string, noun: string): string {
    const { files, isText } = this.#around;
    const listed = files.byPath.get(path);
    const name = title || listed?.fileName || cleanFileName(path);
    if (!isText) return this.#address(`/api/file/${this.#fileId(path)}`, name);
    if (!listed) this.#fileId(path);
    return ` [${noun}: ${escapeHtml(name)}] `;
  }

  #isTaken = (path: string): boolean => isTakenFile(this.#around.files.byPath.get(path)?.fileName ?? path);

  #media(tag: string, address: string, title: string): string {
    const video = videoAddress(address);
    if (video !== null) {
      this.#name("element-link", `${tag} ${address}`);
      return this.#address(video, title);
    }
    const path = this.#findStored([address], this.#isTaken);
    if (path !== undefined) {
      this.#name("element-link", `${tag} ${address}`);
      return this.#attach(path, title, "첨부");
    }
    if (HTTP.test(address) && isOutside(address, this.#step.row.oldOrigin)) {
      this.#name("element-link", `${tag} ${address}`);
      return this.#address(address, title);
    }
    const [missing] = oldFilePaths(address, this.#step.row.oldOrigin);
    return missing !== undefined && isUploadPath(missing)
      ? this.#lose(missing, `본문의 ${tag}`)
      : this.#drop(tag, address);
  }

  #address(address: string, title: string): string {
    const href = localAddress(address, "");
    const text = title.trim();
    if (this.#around.isText || this.#links.some(({ isKept }) => isKept))
      return ` ${escapeHtml(text && text !== href ? `${text} (${href})` : href)} `;
    return ` <a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a> `;
  }

  #openLink(address: string): string {
    const { oldOrigin } = this.#step.row;
    const [wanted] = oldFilePaths(address, oldOrigin);
    const isUpload = wanted !== undefined && isUploadPath(wanted) && !/^(?:data\/file|files\/attach)\//i.test(wanted);
    const path = isUpload ? this.#findStored([address], this.#isTaken) : undefined;
    if (isUpload && path === undefined && !isOutside(address, oldOrigin))
      this.#name("file-missing", wanted, "본문 링크");
    const href = path === undefined ? safeHref(localAddress(address, oldOrigin)) : `/api/file/${this.#fileId(path)}`;
    if (href === null && address.trim() !== "") this.#name("element-dropped", `a ${address.slice(0, 300)}`);
    this.#links.push({ isKept: href !== null, from: this.#html.length });
    return href === null || this.#around.isText ? "" : `<a href="${escapeHtml(href)}">`;
  }

  #closeLink(address: string): string {
    const { isKept, from } = this.#links.pop() ?? { isKept: false, from: 0 };
    if (!isKept) return "";
    if (!this.#around.isText) return "</a>";
    const href = localAddress(address, this.#step.row.oldOrigin);
    return this.#html.slice(from).join("").includes(escapeHtml(href)) ? "" : ` (${escapeHtml(href)})`;
  }

  #gallery(ids: readonly number[] | null): string {
    const { files, stored } = this.#around;
    const isShown = ({ path }: OldFile) => stored.has(path) && isPictureFileName(path);
    if (ids === null) {
      const pictures = files.all.filter(({ path }) => isPictureFileName(path));
      return pictures.length === 0
        ? this.#drop("[gallery]", "")
        : pictures
            .map((file) => (isShown(file) ? this.#show(file.path, "") : this.#lose(file.path, "[gallery]")))
            .join("");
    }
    return ids
      .map((id) => {
        const file = files.byNumber.get(id);
        if (file && isShown(file)) return this.#show(file.path, "");
        return file ? this.#lose(file.path, "[gallery]") : this.#drop("[gallery]", `첨부 ${id}번`);
      })
      .join("");
  }
}

const imageTag = (id: string, alt: string): string =>
  `<img src="/api/file/${id}" alt="${escapeHtml(alt.slice(0, SIZE_LIMITS.imageAltLength))}">`;

export function noteTextFindings(step: MovingStep, subject: string, findings: TextFindings, detail = ""): void {
  if (findings.hasResidentNumber) step.addIssue("item-resident", subject, detail);
  if (findings.isRepaired) step.addIssue("text-repaired", subject, detail);
  if (findings.isCut) step.addIssue("text-cut", subject, detail);
  if (findings.isBroken) step.addIssue("text-broken", subject, detail);
}

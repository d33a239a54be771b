import type { Editor } from "@tiptap/core";
import { focusedCommands } from "#app/features/editor/focused-commands.ts";
import { isAbortError, firstErrorMessage, sendWithProgress } from "#app/features/form/send-with-progress.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

export const PICTURE_TYPES = "image/png,image/jpeg,image/gif,image/webp";

export interface PictureProgress {
  /** Counted from 1. */
  index: number;
  total: number;
  percent: number;
}
interface PictureListeners {
  onProgress(progress: PictureProgress | null): void;
  onProblem(text: string): void;
  onSignedOut(): void;
}
interface PictureJob {
  token: string;
  file: File;
}

/** Uploads one picture at a time and replaces its placeholder. */
export class PictureInserter {
  readonly #editor: Editor;
  readonly #listeners: PictureListeners;
  readonly #queue: PictureJob[] = [];
  readonly #stopped = new AbortController();
  #sent = 0;
  #running = false;

  constructor(editor: Editor, listeners: PictureListeners) {
    this.#editor = editor;
    this.#listeners = listeners;
  }

  insert(files: readonly File[], at?: number): void {
    const jobs = files.map((file) => ({ token: newPictureToken(), file }));
    if (jobs.length === 0) return;
    const content = jobs.map(({ token }) => ({ type: "pendingImage", attrs: { token } }));
    if (at === undefined) focusedCommands(this.#editor).insertContent(content).run();
    else focusedCommands(this.#editor).insertContentAt(at, content).run();
    this.send(jobs);
  }

  /** Uploads pictures whose placeholders are already in the text. */
  send(jobs: readonly PictureJob[]): void {
    this.#queue.push(...jobs);
    if (!this.#running) void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let job = this.#queue.shift(); job && !this.#stopped.signal.aborted; job = this.#queue.shift()) {
      this.#sent += 1;
      await this.#one(job);
    }
    this.#running = false;
    this.#sent = 0;
    if (!this.#stopped.signal.aborted) this.#listeners.onProgress(null);
  }

  async #one({ token, file }: PictureJob): Promise<void> {
    const progress = (percent: number) =>
      this.#listeners.onProgress({ index: this.#sent, total: this.#sent + this.#queue.length, percent });
    progress(0);
    try {
      checkInsertedPicture(file);
      const body = new FormData();
      body.append("file", file, file.name.normalize("NFC"));
      const { url } = await sendWithProgress<{ url: string }>({
        method: "PUT",
        url: "/api/board-item/images",
        body,
        signal: this.#stopped.signal,
        onProgress: progress,
      });
      const size = await readPixelSize(file);
      await this.#settle(token, { type: "image", attrs: { src: url, alt: "", ...size } });
    } catch (error) {
      if (isAbortError(error)) return;
      await this.#settle(token, null);
      this.#listeners.onProblem(`${file.name.normalize("NFC")}: ${firstErrorMessage(error)}`);
      if (error instanceof AppError && error.code === "UNAUTHORIZED") this.#listeners.onSignedOut();
    }
  }

  /** Waits for the end of IME composition: a document change would interrupt it. */
  async #settle(token: string, content: { type: string; attrs: object } | null): Promise<void> {
    const editor = this.#editor;
    while (!editor.isDestroyed && editor.view.composing) await new Promise((resolve) => setTimeout(resolve, 100));
    if (editor.isDestroyed) return;
    const { state, view } = editor;
    let place: { from: number; to: number } | null = null;
    state.doc.descendants((node, pos) => {
      if (node.type.name === "pendingImage" && node.attrs.token === token)
        place = { from: pos, to: pos + node.nodeSize };
      return place === null;
    });
    if (place === null) return;
    const { from, to } = place as { from: number; to: number };
    const tr = content ? state.tr.replaceWith(from, to, state.schema.nodeFromJSON(content)) : state.tr.delete(from, to);
    view.dispatch(tr.setMeta("addToHistory", false));
  }
}

export const newPictureToken = (): string => Math.random().toString(36).slice(2);

function checkInsertedPicture(file: File): void {
  if (!PICTURE_TYPES.split(",").includes(file.type))
    throw new AppError("UNSUPPORTED_FILE", { message: "그림은 png, jpg, gif, webp 형식만 넣을 수 있습니다." });
  if (file.size > SIZE_LIMITS.imageBytes)
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: `그림이 너무 큽니다. ${formatBytes(SIZE_LIMITS.imageBytes)}까지 넣을 수 있습니다.`,
    });
}

/** Reads the size so that the layout does not shift while the picture loads. */
async function readPixelSize(file: File): Promise<{ width?: number; height?: number }> {
  try {
    const { width, height } = await createImageBitmap(file);
    return { width, height };
  } catch {
    return {};
  }
}

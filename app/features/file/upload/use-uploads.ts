import { useEffect, useReducer, useRef } from "react";
import { isAbortError, firstErrorMessage, sendWithProgress } from "#app/features/form/send-with-progress.ts";
import { sendFileText } from "#app/features/file/upload/file-text.ts";
import { api, callApi } from "#app/lib/api.ts";
import type { StoredFile } from "#worker/contract/file/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

export interface UploadItem {
  key: string;
  fileName: string;
  /** In bytes. */
  size: number;
  state: "waiting" | "sending" | "done" | "failed";
  percent: number;
  error: string | null;
  fileId: string | null;
}
export interface UploadLimits {
  maxCount: number;
  maxSize: number;
  extensions: readonly string[];
  /** Files of a page are searched as those of a board. */
  isSearched?: true;
}

type UploadAction =
  | { type: "add"; items: UploadItem[] }
  | { type: "change"; key: string; part: Partial<UploadItem> }
  | { type: "remove"; key: string }
  | { type: "move"; key: string; by: -1 | 1 };

function reduceUploads(items: UploadItem[], action: UploadAction): UploadItem[] {
  switch (action.type) {
    case "add":
      return [...items, ...action.items];
    case "change":
      return items.map((item) => (item.key === action.key ? { ...item, ...action.part } : item));
    case "remove":
      return items.filter((item) => item.key !== action.key);
    case "move": {
      const from = items.findIndex((item) => item.key === action.key);
      const to = from + action.by;
      const [a, b] = [items[from], items[to]];
      if (!a || !b) return items;
      return items.with(from, b).with(to, a);
    }
  }
}

const toUploadItem = ({ fileId, fileName, size }: StoredFile): UploadItem => ({
  key: fileId,
  fileId,
  fileName,
  size,
  state: "done",
  percent: 100,
  error: null,
});
const UPLOADS_AT_ONCE = 2;
let serial = 0;

export interface UploadList {
  items: UploadItem[];
  fileIds: string[];
  busy: boolean;
  /** @returns a sentence for each refused file */
  add(files: Iterable<File>): string[];
  /** Replaces the only file; refused files leave it unchanged. */
  replace(files: Iterable<File>): string[];
  retry(key: string): void;
  remove(key: string): void;
  move(key: string, by: -1 | 1): void;
}

/** Uploads files as they are chosen, two at a time. @param boardCode null for files of a page */
export function useUploads(
  boardCode: string | null,
  limits: UploadLimits,
  initial: readonly StoredFile[],
  onSignedOut: () => void,
): UploadList {
  const isSearched = boardCode !== null || limits.isSearched === true;
  const [items, dispatch] = useReducer(reduceUploads, initial, (stored) => stored.map(toUploadItem));
  const sources = useRef(new Map<string, File>());
  const running = useRef(new Map<string, AbortController>());
  const signedOutListener = useRef(onSignedOut);
  useEffect(() => {
    signedOutListener.current = onSignedOut;
  });
  useEffect(() => {
    const controllers = running.current;
    return () => controllers.forEach((controller) => controller.abort());
  }, []);

  useEffect(() => {
    const free = UPLOADS_AT_ONCE - running.current.size;
    const next = items.filter((item) => item.state === "waiting" && !running.current.has(item.key)).slice(0, free);
    for (const { key } of next) void start(key);
    async function start(key: string) {
      const file = sources.current.get(key);
      if (!file) return;
      const controller = new AbortController();
      running.current.set(key, controller);
      const change = (part: Partial<UploadItem>) => dispatch({ type: "change", key, part });
      change({ state: "sending", percent: 0, error: null });
      try {
        const query = { fileName: file.name.normalize("NFC"), size: String(file.size) };
        const { fileId, uploadUrl } = await (boardCode === null
          ? callApi(api.file["upload-url"].$get({ query }))
          : callApi(api["board-item-file"]["upload-url"].$get({ query: { ...query, boardCode } })));
        const transfer = { url: uploadUrl, body: file, signal: controller.signal };
        await sendWithProgress({ ...transfer, method: "PUT", onProgress: (percent) => change({ percent }) });
        // The text for the search is sent in the background; a failure does not matter.
        if (isSearched) void sendFileText(fileId, file);
        sources.current.delete(key);
        running.current.delete(key);
        change({ state: "done", percent: 100, fileId });
      } catch (error) {
        running.current.delete(key);
        if (isAbortError(error)) return;
        change({ state: "failed", error: firstErrorMessage(error) });
        if (error instanceof AppError && error.code === "UNAUTHORIZED") signedOutListener.current();
      }
    }
  }, [items, boardCode, isSearched]);

  const remove = (key: string) => {
    running.current.get(key)?.abort();
    running.current.delete(key);
    sources.current.delete(key);
    dispatch({ type: "remove", key });
  };
  const takeFiles = (files: Iterable<File>, count: number) => {
    const refusals: string[] = [];
    const taken: UploadItem[] = [];
    for (const file of files) {
      const fileName = file.name.normalize("NFC");
      const problem = findFileProblem(file, limits, count + taken.length);
      if (problem) {
        refusals.push(`${fileName}: ${problem}`);
        continue;
      }
      const key = `upload-${++serial}`;
      sources.current.set(key, file);
      const { size } = file;
      taken.push({ key, fileName, size, state: "waiting", percent: 0, error: null, fileId: null });
    }
    return { refusals, taken };
  };

  return {
    items,
    fileIds: items.flatMap((item) => item.fileId ?? []),
    busy: items.some((item) => item.state === "waiting" || item.state === "sending"),
    add(files) {
      const { refusals, taken } = takeFiles(files, items.length);
      if (taken.length > 0) dispatch({ type: "add", items: taken });
      return refusals;
    },
    replace(files) {
      const { refusals, taken } = takeFiles(files, 0);
      if (taken.length === 0) return refusals;
      for (const { key } of items) remove(key);
      dispatch({ type: "add", items: taken });
      return refusals;
    },
    retry: (key) => dispatch({ type: "change", key, part: { state: "waiting", error: null } }),
    remove,
    move: (key, by) => dispatch({ type: "move", key, by }),
  };
}

function findFileProblem(file: File, limits: UploadLimits, count: number): string | null {
  const extension = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "";
  if (count >= limits.maxCount) return `파일은 ${limits.maxCount}개까지 첨부할 수 있습니다.`;
  if (!limits.extensions.includes(extension)) return "첨부할 수 없는 파일 형식입니다.";
  if (file.size === 0) return "빈 파일은 첨부할 수 없습니다.";
  if (file.size > limits.maxSize) return `파일이 너무 큽니다. ${formatBytes(limits.maxSize)}까지 첨부할 수 있습니다.`;
  return null;
}

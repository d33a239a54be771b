// The only access to browser storage. Never throws if storage is forbidden, full or missing.

const listeners = new Set<() => void>();
let isRefused = false;
function noteRefusal(): void {
  if (isRefused) return;
  isRefused = true;
  for (const listener of listeners) listener();
}

export interface BrowserStore {
  read(key: string): string | null;
  /** @returns null for a missing key or invalid JSON */
  readJson(key: string): unknown;
  /** @returns false if the value lasts only as long as this page */
  write(key: string, text: string): boolean;
  writeJson(key: string, value: unknown): boolean;
  remove(key: string): void;
  keys(): string[];
}

function browserStore(kind: "localStorage" | "sessionStorage"): BrowserStore {
  // Holds values that the browser refused to store.
  const memory = new Map<string, string>();
  const attempt = <T>(work: (store: Storage) => T, otherwise: T): T => {
    try {
      // The getter itself throws if storage is forbidden.
      return work(globalThis[kind]);
    } catch {
      noteRefusal();
      return otherwise;
    }
  };
  const store: BrowserStore = {
    read: (key) => memory.get(key) ?? attempt((kept) => kept.getItem(key), null),
    readJson(key) {
      try {
        return JSON.parse(store.read(key) ?? "null");
      } catch {
        return null;
      }
    },
    write(key, text) {
      memory.set(key, text);
      const isKept = attempt((kept) => {
        kept.setItem(key, text);
        return true;
      }, false);
      if (isKept) memory.delete(key);
      return isKept;
    },
    writeJson: (key, value) => store.write(key, JSON.stringify(value)),
    remove(key) {
      memory.delete(key);
      attempt((kept) => kept.removeItem(key), undefined);
    },
    keys: () => [...new Set([...attempt((kept) => Object.keys(kept), []), ...memory.keys()])],
  };
  return store;
}

export const localStore = browserStore("localStorage");
export const tabStore = browserStore("sessionStorage");

export const DRAFT_PREFIX = "draft:";

const PROBE_KEY = "probe";

export function subscribeToRefusal(listener: () => void): () => void {
  listeners.add(listener);
  for (const store of [localStore, tabStore]) {
    store.write(PROBE_KEY, "");
    store.remove(PROBE_KEY);
  }
  return () => listeners.delete(listener);
}
export const hasRefused = () => isRefused;

/** React Router uses sessionStorage unguarded; a stub replaces it if the browser refuses access. */
export const TAB_STORAGE_GUARD = `try{sessionStorage.getItem("")}catch{Object.defineProperty(window,"sessionStorage",{value:{getItem:()=>null,removeItem(){},setItem(){throw Error("refused")}}})}`;

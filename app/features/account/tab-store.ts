import { useSyncExternalStore } from "react";
import { tabStore } from "#app/lib/browser-store.ts";

interface TabStore<T extends object> {
  /** Is empty on the server and before hydration. */
  use(): T;
  update(part: Partial<T>): void;
  clear(): void;
}

/** Keeps typed values across reloads while the tab is open. Never use it for passwords. */
export function createTabStore<T extends object>(key: string, empty: T): TabStore<T> {
  let current: T | null = null;
  const listeners = new Set<() => void>();

  function read(): T {
    if (current) return current;
    const kept = tabStore.readJson(key);
    current = typeof kept === "object" && kept !== null ? { ...empty, ...kept } : empty;
    return current;
  }
  function write(next: T): void {
    current = next;
    if (next === empty) tabStore.remove(key);
    else tabStore.writeJson(key, next);
    for (const listener of listeners) listener();
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return {
    use: () => useSyncExternalStore(subscribe, read, () => empty),
    update: (part) => write({ ...read(), ...part }),
    clear: () => write(empty),
  };
}

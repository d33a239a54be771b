import { useSyncExternalStore } from "react";

/** A text that the browser keeps under a name, the same in all parts of a page; empty where nothing is kept. */
export function keptText(key: string): { useText: () => string; store: (text: string) => void } {
  const listeners = new Set<() => void>();
  const read = () => {
    try {
      return localStorage.getItem(key) ?? "";
    } catch {
      // A browser that keeps nothing shows what the server sent.
      return "";
    }
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    useText: () => useSyncExternalStore(subscribe, read, () => ""),
    store: (text) => {
      try {
        localStorage.setItem(key, text);
      } catch {
        return;
      }
      for (const listener of listeners) listener();
    },
  };
}

import { useSyncExternalStore } from "react";
import { localStore } from "./browser-store.ts";

export function keptText(key: string): { useText: () => string; store: (text: string) => void } {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    useText: () =>
      useSyncExternalStore(
        subscribe,
        () => localStore.read(key) ?? "",
        () => "",
      ),
    store: (text) => {
      localStore.write(key, text);
      for (const listener of listeners) listener();
    },
  };
}

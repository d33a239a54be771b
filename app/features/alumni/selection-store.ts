import { useSyncExternalStore } from "react";
import { tabStore } from "#app/lib/browser-store.ts";
import type { AlumniSelection } from "#worker/contract/alumni/selection.ts";

/** Ids and what was looked for alone, for as long as the tab is open. */
const STORE = "alumni-selection";

const NOBODY: AlumniSelection = { ids: [] };

let kept: AlumniSelection | null = null;

const listeners = new Set<() => void>();

function readStored(): AlumniSelection {
  const stored = tabStore.readJson(STORE) as AlumniSelection | null;
  return stored && (("ids" in stored && Array.isArray(stored.ids)) || "filter" in stored) ? stored : NOBODY;
}

const currentSelection = () => (kept ??= readStored());

export function keepSelection(selection: AlumniSelection): void {
  kept = selection;
  tabStore.writeJson(STORE, selection);
  for (const listener of listeners) listener();
}

export const clearSelection = () => keepSelection(NOBODY);

/** Who was deleted or merged is selected no more. */
export function dropFromSelection(ids: readonly string[]): void {
  const selection = currentSelection();
  if ("ids" in selection) keepSelection({ ids: selection.ids.filter((id) => !ids.includes(id)) });
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The server and the first look of the browser know of nobody. */
export const useKeptSelection = () => useSyncExternalStore(subscribe, currentSelection, () => NOBODY);

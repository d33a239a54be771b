import { useSyncExternalStore } from "react";
import { tabStore } from "#app/lib/browser-store.ts";
import type { AlumniSelection } from "#worker/contract/alumni/conditions.ts";

/** Session storage holds only ids and the filter. */
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

export function dropFromSelection(ids: readonly string[]): void {
  const selection = currentSelection();
  if ("ids" in selection) keepSelection({ ids: selection.ids.filter((id) => !ids.includes(id)) });
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Hydration starts with an empty selection, as on the server. */
export const useKeptSelection = () => useSyncExternalStore(subscribe, currentSelection, () => NOBODY);

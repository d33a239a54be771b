import { useSyncExternalStore } from "react";
import type { Verification } from "#app/features/account/verification.ts";
import type { ProfileInput } from "#worker/contract/user-rules.ts";

/** What was typed, without passwords. */
export interface Draft {
  /** `code@version` of each text that was agreed to. */
  agreed: string[];
  email: string;
  mobile: string;
  verification: Verification | null;
  userId: string;
  /** The ID that was found free, normalised. */
  checkedId: string | null;
  userName: string;
  profile: ProfileInput;
}

const KEY = "signupDraft";
const EMPTY: Draft = {
  agreed: [],
  email: "",
  mobile: "",
  verification: null,
  userId: "",
  checkedId: null,
  userName: "",
  profile: {},
};

let current: Draft | null = null;
const listeners = new Set<() => void>();

/** Lives as long as the tab: a reload or a look at another page loses nothing. */
function read(): Draft {
  if (current) return current;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    current = typeof kept === "object" && kept !== null ? { ...EMPTY, ...kept } : EMPTY;
  } catch {
    current = EMPTY;
  }
  return current;
}

function write(next: Draft): void {
  current = next;
  try {
    if (next === EMPTY) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // A full or forbidden storage costs the draft after a reload, not the sign-up.
  }
  for (const listener of listeners) listener();
}

export const updateDraft = (part: Partial<Draft>) => write({ ...read(), ...part });
export const clearDraft = () => write(EMPTY);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDraft(): Draft {
  return useSyncExternalStore(subscribe, read, () => EMPTY);
}

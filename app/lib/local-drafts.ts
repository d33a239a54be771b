/** Drafts in the browser's own store, each under its writer and place: kept when the server cannot be reached. */
const PREFIX = "draft:";

export interface LocalDraftPlace {
  userId: string;
  boardCode: string;
  itemNo: number | null;
  /** One of several beside the draft itself: what was typed while an older one waited for its writer's decision. */
  slot?: string;
}
const localDraftKey = ({ userId, boardCode, itemNo, slot }: LocalDraftPlace) =>
  `${PREFIX}${userId}:${boardCode}:${itemNo ?? "new"}${slot ? `:${slot}` : ""}`;

/** @returns whether it is kept: the store may be full or closed */
export function keepLocalDraft(place: LocalDraftPlace, value: object): boolean {
  try {
    localStorage.setItem(localDraftKey(place), JSON.stringify({ value, date: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}

export function readLocalDraft<T>(place: LocalDraftPlace): { value: T; date: string } | null {
  try {
    return JSON.parse(localStorage.getItem(localDraftKey(place)) ?? "null") as { value: T; date: string } | null;
  } catch {
    return null;
  }
}

export function dropLocalDraft(place: LocalDraftPlace): void {
  localStorage.removeItem(localDraftKey(place));
}

/** The texts beside the draft of a place, newest first. */
export function readDraftSlots<T>(place: LocalDraftPlace): { slot: string; value: T; date: string }[] {
  const start = `${localDraftKey(place)}:`;
  const found = Object.keys(localStorage).flatMap((key) => {
    const slot = key.startsWith(start) ? key.slice(start.length) : "";
    const draft = slot && readLocalDraft<T>({ ...place, slot });
    return draft ? [{ slot, ...draft }] : [];
  });
  return found.toSorted((a, b) => b.date.localeCompare(a.date));
}

/** At sign-out: the next person at this machine finds none; the server still has them. */
export function dropAllLocalDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

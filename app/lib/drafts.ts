/** Drafts in the browser's own store, each under its writer and place: kept when the server cannot be reached. */
const PREFIX = "draft:";

export interface Place {
  userId: string;
  boardCode: string;
  itemNo: number | null;
}
const keyOf = ({ userId, boardCode, itemNo }: Place) => `${PREFIX}${userId}:${boardCode}:${itemNo ?? "new"}`;

/** @returns whether it is kept: the store may be full or closed */
export function keepDraft(place: Place, value: object): boolean {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify({ value, date: new Date().toISOString() }));
    return true;
  } catch {
    return false;
  }
}

export function keptDraft<T>(place: Place): { value: T; date: string } | null {
  try {
    return JSON.parse(localStorage.getItem(keyOf(place)) ?? "null") as { value: T; date: string } | null;
  } catch {
    return null;
  }
}

export function dropDraft(place: Place): void {
  localStorage.removeItem(keyOf(place));
}

/** At sign-out: the next person at this machine finds none; the server still has them. */
export function dropAllDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}

import { DRAFT_PREFIX, localStore } from "./browser-store.ts";
import { nowIso } from "./clock.ts";

export interface LocalDraftPlace {
  userId: string;
  boardCode: string;
  itemNo: number | null;
}
export interface LocalDraft<T> {
  /** Identifies one writing; two tabs at the same place have two slots. */
  slot: string;
  value: T;
  date: string;
}
const placeKey = ({ userId, boardCode, itemNo }: LocalDraftPlace) =>
  `${DRAFT_PREFIX}${userId}:${boardCode}:${itemNo ?? "new"}:`;

/** @returns false if the store is full or closed */
export const keepLocalDraft = (place: LocalDraftPlace, slot: string, value: object, date = nowIso()): boolean =>
  localStore.writeJson(placeKey(place) + slot, { value, date });

export const dropLocalDraft = (place: LocalDraftPlace, slot: string): void => localStore.remove(placeKey(place) + slot);

export function readLocalDrafts<T>(place: LocalDraftPlace): LocalDraft<T>[] {
  const start = placeKey(place);
  const found = localStore.keys().flatMap((key) => {
    const draft = key.startsWith(start) ? (localStore.readJson(key) as { value: T; date: string } | null) : null;
    return draft ? [{ slot: key.slice(start.length), ...draft }] : [];
  });
  return found.toSorted((a, b) => b.date.localeCompare(a.date));
}

/** Holds the draft by a web lock until it is released or the page closes. */
export function lockDraft(place: LocalDraftPlace, slot: string): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  void navigator.locks?.request(placeKey(place) + slot, () => held);
  return () => release();
}

/** @returns a test whether an open page holds the slot */
export async function readHeldSlots(place: LocalDraftPlace): Promise<(slot: string) => boolean> {
  // Without web locks, as over plain HTTP, every draft counts as left.
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  return (slot) => names.has(placeKey(place) + slot);
}

export async function readLeftDrafts<T>(place: LocalDraftPlace): Promise<LocalDraft<T>[]> {
  const isHeld = await readHeldSlots(place);
  return readLocalDrafts<T>(place).filter(({ slot }) => !isHeld(slot));
}

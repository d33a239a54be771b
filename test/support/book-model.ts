/** Columns of a person that the model knows; moments are numbers of steps. */
export interface Entry {
  affiliation: string;
  department: string;
  position: string;
  own1: string;
  deleted: number | null;
  mergedInto: string | null;
  modified: number;
}

export const MODEL_FIELDS = ["affiliation", "department", "position", "own1"] as const;
export type ModelField = (typeof MODEL_FIELDS)[number];

type Change = { before: Entry; after: Entry };

interface ModelDeed {
  changes: Map<string, Change>;
  added: Set<string>;
}

/** The address book with deeds that can be undone, as the rule says: values that the deed wrote are put back. */
export class BookModel {
  readonly people = new Map<string, Entry>();
  readonly deeds = new Map<string, ModelDeed>();
  /** Deeds that are merges. */
  readonly merges = new Set<string>();
  private readonly created = new Map<string, number>();

  live(): string[] {
    return [...this.people].flatMap(([id, { deleted }]) => (deleted === null ? [id] : []));
  }

  /** Those merged into the people, however often. */
  absorbed(people: readonly string[]): string[] {
    const lost = [...this.people].flatMap(([id, { deleted, mergedInto }]) =>
      deleted !== null && people.includes(mergedInto ?? "") ? [id] : [],
    );
    return lost.length === 0 ? [] : [...lost, ...this.absorbed(lost)];
  }

  entry(id: string): Entry {
    const found = this.people.get(id);
    if (!found) throw new Error(`no person ${id}`);
    return found;
  }

  edit(id: string, values: Partial<Entry>): void {
    this.people.set(id, { ...this.entry(id), ...values });
  }

  /** @param changes the next values of people @param added new people */
  act(deedId: string, changes: ReadonlyMap<string, Partial<Entry>>, added: ReadonlyMap<string, Entry>): void {
    const stored = new Map<string, Change>();
    for (const [id, values] of changes) {
      const before = this.entry(id);
      this.edit(id, values);
      stored.set(id, { before, after: this.entry(id) });
    }
    for (const [id, entry] of added) this.add(id, entry);
    this.deeds.set(deedId, { changes: stored, added: new Set(added.keys()) });
  }

  add(id: string, entry: Entry): void {
    this.people.set(id, entry);
    this.created.set(id, entry.modified);
  }

  /** @returns the people whom it leaves */
  undo(deedId: string, step: number): string[] {
    const deed = this.deeds.get(deedId);
    if (!deed) throw new Error(`no deed ${deedId}`);
    for (const id of deed.added) {
      const { mergedInto, modified } = this.entry(id);
      if (mergedInto !== null || modified !== this.created.get(id)) continue;
      this.people.delete(id);
      deed.added.delete(id);
      for (const each of this.deeds.values()) each.changes.delete(id);
    }
    for (const [id, { before, after }] of deed.changes) {
      const is = this.entry(id);
      const keys = (Object.keys(before) as (keyof Entry)[]).filter(
        (key) => key !== "modified" && before[key] !== after[key],
      );
      if (!keys.every((key) => is[key] === after[key] || is[key] === before[key])) continue;
      const values = Object.fromEntries(keys.map((key) => [key, before[key]]));
      this.edit(id, { ...values, modified: is.modified === after.modified ? before.modified : step });
      deed.changes.delete(id);
    }
    for (const [id, { changes, added }] of this.deeds) if (changes.size + added.size === 0) this.deeds.delete(id);
    return [...deed.changes.keys(), ...deed.added];
  }
}

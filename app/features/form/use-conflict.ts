import { type SyntheticEvent, useState } from "react";

export type ShownValues = Record<string, string>;

export type ConflictSide = "mine" | "stored";

interface ConflictOptions<T> {
  latest: T;
  describe: (value: T) => ShownValues;
  isConflict: boolean;
  /** Untouched fields take stored values at once; otherwise the form keeps its values. */
  follows?: boolean;
}

const isOverwriting = ({ nativeEvent }: SyntheticEvent) =>
  (nativeEvent as SubmitEvent).submitter?.hasAttribute("data-overwrites") ?? false;

/** Sends the form's own version until the user resolves the conflict. */
export function useConflict<T extends { version: number }>(options: ConflictOptions<T>) {
  const { latest, describe, isConflict, follows = false } = options;
  const [filled, setFilled] = useState(latest);
  const [own, setOwn] = useState(latest.version);
  const [sent, setSent] = useState<{ from: T; mine: ShownValues } | null>(null);
  const [generation, setGeneration] = useState(0);
  const [chosen, setChosen] = useState<{ version: number; sides: Record<string, ConflictSide> } | null>(null);
  if (!follows && filled !== latest && latest.version === own) setFilled(latest);
  const base = follows ? latest : filled;
  const conflict = isConflict && sent && latest.version !== sent.from.version ? compare(sent, latest) : null;

  function compare({ from, mine }: { from: T; mine: ShownValues }, theirs: T) {
    const [was, stored] = [describe(from), describe(theirs)];
    const changed = Object.keys({ ...was, ...stored }).filter((label) => was[label] !== stored[label]);
    const isMerged = (label: string) => mine[label] === stored[label] || (follows && mine[label] === was[label]);
    const sides = chosen?.version === theirs.version ? chosen.sides : {};
    return {
      rows: changed
        .filter((label) => !isMerged(label))
        .map((label) => ({
          label,
          mine: mine[label] ?? "",
          stored: stored[label] ?? "",
          /** Fields untouched here default to the stored value. */
          side: sides[label] ?? ((mine[label] === was[label] ? "stored" : "mine") as ConflictSide),
        })),
      /** Fields changed only by the other editor; the form already shows their values. */
      merged: follows ? changed.filter(isMerged) : [],
      isDecided: follows && changed.every(isMerged),
    };
  }

  return {
    base,
    conflict,
    /** A key for the form; it changes after `take`. */
    generation,
    /** Returns the version to send. @param mine all of the form's fields */
    versionToSend(event: SyntheticEvent, mine: ShownValues): number {
      const overwrites = isOverwriting(event);
      const from = conflict && sent && !overwrites && !conflict.isDecided ? sent.from : base;
      setSent({ from, mine });
      return conflict && overwrites ? latest.version : from.version;
    },
    choose: (label: string, side: ConflictSide) =>
      setChosen({
        version: latest.version,
        sides: { ...(chosen?.version === latest.version ? chosen.sides : {}), [label]: side },
      }),
    /** Returns whether the form's own value of a field is sent. */
    isMine(event: SyntheticEvent, label: string): boolean {
      if (!isOverwriting(event)) return true;
      return conflict?.rows.find((row) => row.label === label)?.side !== "stored";
    },
    keep: setOwn,
    /** Resets the form to the stored values. */
    take() {
      setFilled(latest);
      setOwn(latest.version);
      setGeneration(generation + 1);
    },
  };
}
export type FormConflict = ReturnType<typeof useConflict>["conflict"];

import { type SyntheticEvent, useState } from "react";

/** A form's fields by their labels, as people read them. */
export type ShownValues = Record<string, string>;

export type ConflictSide = "mine" | "stored";

interface ConflictOptions<T> {
  /** What the page has loaded last. */
  latest: T;
  describe: (value: T) => ShownValues;
  /** The last try met somebody else's version. */
  isConflict: boolean;
  /** Fields that nobody touched take what is stored by themselves; else the form stays as it was filled. */
  follows?: boolean;
}

const isOverwriting = ({ nativeEvent }: SyntheticEvent) =>
  (nativeEvent as SubmitEvent).submitter?.hasAttribute("data-overwrites") ?? false;

/**
 * What a form began with, what was typed and what somebody else has stored meanwhile. The form's own version is sent until
 * the person has seen both values and chosen: saving again overwrites nobody.
 */
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
          /** What is written where each field is decided by itself: what nobody touched here stays the other's. */
          side: sides[label] ?? ((mine[label] === was[label] ? "stored" : "mine") as ConflictSide),
        })),
      /** Changed by somebody else alone, and in the form already. */
      merged: follows ? changed.filter(isMerged) : [],
      isDecided: follows && changed.every(isMerged),
    };
  }

  return {
    /** What the fields are filled with. */
    base,
    conflict,
    /** For the form's key: another after `take`. */
    generation,
    /** The version that goes with what is sent. @param mine all of the form's fields */
    versionToSend(event: SyntheticEvent, mine: ShownValues): number {
      const overwrites = isOverwriting(event);
      const from = conflict && sent && !overwrites && !conflict.isDecided ? sent.from : base;
      setSent({ from, mine });
      return conflict && overwrites ? latest.version : from.version;
    },
    /** Decides one field. */
    choose: (label: string, side: ConflictSide) =>
      setChosen({
        version: latest.version,
        sides: { ...(chosen?.version === latest.version ? chosen.sides : {}), [label]: side },
      }),
    /** Whether a field is sent as it stands in the form, where each is decided by itself. */
    isMine(event: SyntheticEvent, label: string): boolean {
      if (!isOverwriting(event)) return true;
      return conflict?.rows.find((row) => row.label === label)?.side !== "stored";
    },
    /** The form's own save made this version. */
    keep: setOwn,
    /** Fills the form with what is stored. */
    take() {
      setFilled(latest);
      setOwn(latest.version);
      setGeneration(generation + 1);
    },
  };
}
export type FormConflict = ReturnType<typeof useConflict>["conflict"];

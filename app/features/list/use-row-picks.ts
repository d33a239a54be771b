import { useState } from "react";

export type RowKey = string | number;

/** Which rows of a page are ticked; what is no longer on it counts no more. */
export function useRowPicks<K extends RowKey>(all: readonly K[]) {
  const [chosen, setChosen] = useState<readonly K[]>([]);
  const picked = chosen.filter((key) => all.includes(key));
  return {
    picked,
    isAll: picked.length === all.length,
    pickAll: (on: boolean) => setChosen(on ? all : []),
    pick: (key: K, on: boolean) => setChosen(on ? [...picked, key] : picked.filter((each) => each !== key)),
    clear: () => setChosen([]),
  };
}

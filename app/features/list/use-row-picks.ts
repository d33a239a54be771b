import { useState } from "react";

export type RowKey = string | number;

/** Drops picks of rows that left the page. */
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

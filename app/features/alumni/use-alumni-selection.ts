import { useState } from "react";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";

/** Who is ticked, over all pages of the list; whoever stands on this page is as it shows them. */
export function useAlumniSelection(page: readonly AlumniRow[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, AlumniRow>>(new Map());
  const shown = new Map(page.map((person) => [person.id, person]));
  const chosen = [...selected.values()].map((person) => shown.get(person.id) ?? person);
  return {
    selected,
    chosen,
    elsewhere: chosen.filter(({ id }) => !shown.has(id)).length,
    select: (ids: readonly string[], on: boolean) => {
      const next = new Map(selected);
      for (const id of ids) {
        const person = shown.get(id);
        if (!on) next.delete(id);
        else if (person) next.set(id, person);
      }
      setSelected(next);
    },
    selectAll: (people: readonly AlumniRow[]) => setSelected(new Map(people.map((person) => [person.id, person]))),
    clear: () => setSelected(new Map()),
  };
}

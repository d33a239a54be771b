import { createContext, type ReactNode, use, useEffect, useRef } from "react";
import type { AlumniListChoice } from "#app/features/alumni/list-choice.ts";
import type { AlumniRow } from "#worker/contract/alumni/view.ts";
import { clearSelection, keepSelection, useKeptSelection } from "#app/features/alumni/selection-store.ts";
import { api, callApi } from "#app/lib/api.ts";
import { type AlumniSelection, selectionCount } from "#worker/contract/alumni/conditions.ts";
import { SELECTION_LIMITS } from "#worker/contract/alumni/list.ts";
import type { AlumniListPage } from "#worker/domain/alumni/list.server.ts";

const SelectionContext = createContext<AlumniSelectionState | null>(null);

interface AlumniSelectionProviderProps extends Pick<AlumniListPage, "people"> {
  choice: AlumniListChoice;
  children: ReactNode;
}

/** Uses its own context so that a tick does not render every row again. */
export function AlumniSelectionProvider({ choice, people, children }: AlumniSelectionProviderProps) {
  const selected = useAlumniSelection(choice, people.content, people.totalElements);
  return <SelectionContext value={selected}>{children}</SelectionContext>;
}

/** Is empty outside of a provider's list. */
export function useSelectedAlumni(): AlumniSelectionState {
  const selected = use(SelectionContext);
  if (!selected) throw new Error("no list of the address book around");
  return selected;
}

const NOBODY: AlumniSelection = { ids: [] };

const filterKey = (filter: object) => JSON.stringify(Object.entries(filter).toSorted(([a], [b]) => (a < b ? -1 : 1)));

interface AlumniSelectionState {
  selection: AlumniSelection | null;
  count: number;
  /** Selected people who are not on the current page. */
  elsewhere: number;
  isAll: boolean;
  has: (id: string) => boolean;
  /** @returns false if the selection would be too large */
  select: (ids: readonly string[], on: boolean) => boolean;
  selectAll: () => void;
  clear: () => void;
  /** Loads the entries that no page has shown yet. @throws AppError */
  people: () => Promise<AlumniRow[]>;
}

/** Keeps the selection across pages and reloads. A selection of all matches applies only to its filter. */
function useAlumniSelection(choice: AlumniListChoice, page: readonly AlumniRow[], total: number): AlumniSelectionState {
  const kept = useKeptSelection();
  const known = useRef(new Map<string, AlumniRow>());
  useEffect(() => {
    for (const person of page) known.current.set(person.id, person);
  }, [page]);
  const { filter } = choice;
  const isOther = "filter" in kept && filterKey(kept.filter) !== filterKey(filter);
  const selection = isOther ? NOBODY : kept;
  const except = "filter" in selection ? (selection.except ?? []) : [];
  const named = new Set("ids" in selection ? selection.ids : except);
  const isAll = "filter" in selection;
  const has = (id: string) => named.has(id) !== isAll;
  const count = selectionCount(selection, total);
  return {
    selection: count > 0 ? selection : null,
    count,
    elsewhere: Math.max(count - page.filter(({ id }) => has(id)).length, 0),
    isAll,
    has,
    select: (ids, on) => {
      const next = new Set(named);
      for (const id of ids) {
        if (on === isAll) next.delete(id);
        else next.add(id);
      }
      if (next.size > (isAll ? SELECTION_LIMITS.except : SELECTION_LIMITS.ids)) return false;
      keepSelection("filter" in selection ? { filter: selection.filter, except: [...next] } : { ids: [...next] });
      return true;
    },
    selectAll: () => keepSelection({ filter, except: [] }),
    clear: clearSelection,
    people: async () => {
      const rows = "ids" in selection ? selection.ids.map((id) => known.current.get(id)) : [undefined];
      if (rows.every((row) => row !== undefined)) return rows;
      const { people } = await callApi(api.alumni.selected.$post({ json: { ...selection, count } }));
      return people;
    },
  };
}

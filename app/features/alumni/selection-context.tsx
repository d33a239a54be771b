import { createContext, type ReactNode, use } from "react";
import type { AlumniListChoice } from "#app/features/alumni/list-choice.ts";
import { type AlumniSelectionState, useAlumniSelection } from "#app/features/alumni/use-alumni-selection.ts";
import type { AlumniListPage } from "#worker/contract/alumni/view.ts";

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

import { createContext, type ReactNode, use } from "react";
import type { AlumniListChoice } from "#app/features/alumni/list-choice.ts";
import { type AlumniSelectionState, useAlumniSelection } from "#app/features/alumni/use-alumni-selection.ts";
import type { AlumniListPage } from "#worker/contract/alumni/view.ts";

const SelectionContext = createContext<AlumniSelectionState | null>(null);

interface AlumniSelectionProviderProps extends Pick<AlumniListPage, "people"> {
  choice: AlumniListChoice;
  children: ReactNode;
}

/** Apart from the page, so that a tick paints the boxes and the bar alone and not every row again. */
export function AlumniSelectionProvider({ choice, people, children }: AlumniSelectionProviderProps) {
  const selected = useAlumniSelection(choice, people.content, people.totalElements);
  return <SelectionContext value={selected}>{children}</SelectionContext>;
}

/** Who is selected in the list around; outside of one nobody can be. */
export function useSelectedAlumni(): AlumniSelectionState {
  const selected = use(SelectionContext);
  if (!selected) throw new Error("no list of the address book around");
  return selected;
}

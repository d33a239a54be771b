import { createContext, type ReactNode, useContext } from "react";
import { type BookColumn, columnLabel, type OwnField } from "#worker/contract/alumni/own-fields.ts";

const OwnFields = createContext<readonly OwnField[]>([]);

/** Makes the names of the office's own fields known to all that shows columns. */
export function OwnFieldsProvider({ own, children }: { own: readonly OwnField[]; children: ReactNode }) {
  return <OwnFields value={own}>{children}</OwnFields>;
}

/** What a column of either sort is called. */
export function useColumnLabel(): (column: BookColumn) => string {
  const own = useContext(OwnFields);
  return (column) => columnLabel(column, own);
}

import { createContext, type ReactNode, useContext } from "react";
import { type BookColumn, columnLabel, type OwnField } from "#worker/contract/alumni/own-fields.ts";

const OwnFields = createContext<readonly OwnField[]>([]);

export function OwnFieldsProvider({ own, children }: { own: readonly OwnField[]; children: ReactNode }) {
  return <OwnFields value={own}>{children}</OwnFields>;
}

export function useColumnLabel(): (column: BookColumn) => string {
  const own = useContext(OwnFields);
  return (column) => columnLabel(column, own);
}

import { ALUMNI_FIELDS, type AlumniValues } from "#worker/contract/alumni/columns.ts";
import type { OwnValues } from "#worker/contract/alumni/own-fields.ts";
import type { OpenField } from "#worker/contract/alumni/view.ts";
import { derivedColumns } from "./row.server.ts";

export const filledOwnValues = (own: OwnValues): OwnValues =>
  Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ""));

export const stagedRowOf = (
  id: string,
  values: AlumniValues & { own: OwnValues },
  openFields: readonly OpenField[],
) => {
  const { initials, searchAll, searchOpen } = derivedColumns(values, openFields);
  return [
    id,
    ...ALUMNI_FIELDS.map((field) => values[field]),
    JSON.stringify(values.own),
    initials,
    searchAll,
    searchOpen,
  ];
};

import type { ResidenceTexts } from "#app/lib/texts/korean-residence.ts";

export const ENGLISH_RESIDENCE_TEXTS: ResidenceTexts = {
  stale: "The latest figures could not be loaded. The last ones received are shown.",
  registered: "Patients registered",
  total: (count) => `${count} in total`,
  asOf: { before: "As of ", after: "" },
  map: "Map",
  mapLabel: "Map of registrations by province. The table below gives the same figures.",
  legend: "Key",
  count: (count) => count,
  range: (from, to) => `${from} to ${to}`,
  hidden: "withheld",
  noData: "no data",
  bars: "Chart",
  barsLabel: "Bar chart of registrations by province. The table below gives the same figures.",
  table: "Table",
  tableLabel: "Registrations by province, number and share",
  region: "Province",
  countName: "Registered",
  share: "Share",
  sum: "Total",
  problem: () => "The figures cannot be loaded at the moment. Please try again later.",
};

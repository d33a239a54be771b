export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const SAMPLES: Record<string, string> = {
  boardCode: "notice",
  itemNo: "1",
  revision: "1",
  ticket: "none.none",
  code: "about",
  regionCode: "seoul",
  versionNo: "1",
  name: "search",
  rule: "drafts",
  auditId: "1",
  partNo: "1",
  picture: "light",
};

/** What stands in the place of a parameter of a route. */
export const samplePlace = (name: string): string => SAMPLES[name] ?? UNKNOWN_ID;

/** The path of a route of the table of calls (`calls.ts`), with something in the place of each parameter. */
export const samplePath = (route: string): string => route.replace(/:(\w+)/g, (_, name: string) => samplePlace(name));

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

/** The thing that each screen of a single thing shows, where a test has stored it. */
export const CONSOLE_SAMPLE_ID = "00000000-0000-4000-8000-00000000000c";

/** The address of a screen of the console, with something in the place of its parameter. */
export function consoleAddress(path: string, memberId: string | null): string {
  const samples: Record<string, string | null> = {
    "members/:id": memberId,
    ":id": CONSOLE_SAMPLE_ID,
    ":auditId": "1",
    ":boardCode": "notice",
    ":rule": "drafts",
    ":kind": "newItem",
    "agreements/:code": "terms",
    ":code": "about",
    ":regionCode": "seoul",
  };
  return `/Admin/${path.replace(/:\w+/g, (name) => samples[path] ?? samples[name] ?? "1")}`.replace(/\/$/, "");
}

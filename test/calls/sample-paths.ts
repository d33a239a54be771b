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

export const samplePlace = (name: string): string => SAMPLES[name] ?? UNKNOWN_ID;

export const samplePath = (route: string): string => route.replace(/:(\w+)/g, (_, name: string) => samplePlace(name));

export const CONSOLE_SAMPLE_ID = "00000000-0000-4000-8000-00000000000c";

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

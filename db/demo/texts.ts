import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DemoFileKind } from "./files.ts";
import centers from "./texts/centers.json" with { type: "json" };
import members from "./texts/members.json" with { type: "json" };
import site from "./texts/site.json" with { type: "json" };

export interface DemoItem {
  title: string;
  category: string;
  content: string;
  hoursAgo: number;
  isPinned?: boolean;
  showItemToMain?: boolean;
  /** Korean time: 2026-12-11T09:30, or 2026-12-11 for whole days. */
  event?: { start: string; end: string; place: string; deadline?: string; isCancelled?: boolean };
  /** Of the event: the people beyond its places wait. */
  registration?: {
    /** Korean time. */
    open: string;
    close: string;
    cancelUntil: string;
    places: number;
    people: number;
    confirmation: string;
    fees?: { name: string; amount: number; roleCodes?: string[] }[];
    takesGuests?: boolean;
    /** The fees of the people in turn, by their place in the list. */
    chosen?: number[];
    feeDays?: number;
    questions: { name: string; inputType: string; detail: string[]; required: boolean }[];
  };
  viewCount: number;
  writer: "admin" | number;
  files?: { fileName: string; kind: DemoFileKind }[];
  /** The text of the chart of registrations below the content. */
  picture?: string;
  comments?: {
    by: number;
    content: string;
    hoursAfter: number;
    replies?: { by: number | "admin"; content: string }[];
  }[];
}

interface DemoAgreement {
  code: string;
  title: string;
  required: boolean;
  version: string;
  content: string;
  /** 2026-01-02 */
  effectiveDate: string;
}

interface DemoPage {
  code: string;
  title: string;
  content: string;
}

/** Reads an HTML file of texts; the comment before each holds its other fields. */
function readTexts<T extends { content: string }>(name: string): T[] {
  const file = readFileSync(fileURLToPath(new URL(`texts/${name}.html`, import.meta.url)), "utf8");
  return file
    .split(/^<!--\n/m)
    .slice(1)
    .map((text) => {
      const [fields = "", content = ""] = text.slice(0, -1).split("\n-->\n");
      return { ...(JSON.parse(fields) as Omit<T, "content">), content } as T;
    });
}

export const readDemoItems = (boardCode: string) => readTexts<DemoItem>(`board-${boardCode}`);

export const demoPages = readTexts<DemoPage>("page");
export const [demoCenters, demoMembers, demoSite] = [centers, members, site];

const ofCode = <T extends { code: string }>(texts: readonly T[], code: string): T => {
  const text = texts.find((each) => each.code === code);
  if (!text) throw new Error(`The demo has no such text: ${code}`);
  return text;
};
const englishPages = readTexts<DemoPage>("page-english");

export function englishText(code: string, texts = englishPages): { englishTitle: string; englishContent: string } {
  const { title, content } = ofCode(texts, code);
  return { englishTitle: title, englishContent: content };
}

const englishAgreements = [...readTexts<DemoPage>("agreement-english"), ofCode(englishPages, "terms")];
export const demoAgreements = readTexts<DemoAgreement>("agreement").map((row) => ({
  ...row,
  ...englishText(row.code, englishAgreements),
}));
export const demoPrivacyPolicy = ofCode(demoPages, "privacy").content;
export const demoTerms = ofCode(demoAgreements, "terms").content;

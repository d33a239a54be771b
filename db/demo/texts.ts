import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DemoAgreement, DemoItem, DemoPage, DemoPageCode } from "./types.ts";

/** Reads HTML files whose leading comment holds the other fields. */
function readTexts<T extends { content: string }>(folder: string): Map<string, T> {
  const path = fileURLToPath(new URL(`texts/${folder}/`, import.meta.url));
  return new Map(
    readdirSync(path)
      .toSorted()
      .map((file) => {
        const [, fields, content] = /^<!--\n(.*?)\n-->\n(.*)\n$/s.exec(readFileSync(path + file, "utf8")) ?? [];
        if (!fields || !content) throw new Error(`A text of the demo has no heading or no content: ${path}${file}`);
        return [file.replace(".html", ""), { ...(JSON.parse(fields) as Omit<T, "content">), content } as T];
      }),
  );
}

export const readDemoItems = (boardCode: "notice" | "reference" | "free") => [
  ...readTexts<DemoItem>(`board-${boardCode}`).values(),
];

export const demoAgreements: DemoAgreement[] = [...readTexts<DemoAgreement>("agreement").values()];

const { privacy, ...pages } = Object.fromEntries(readTexts<DemoPage>("page")) as Record<
  DemoPageCode | "privacy",
  DemoPage
>;
export const demoPages: Record<DemoPageCode, DemoPage> = pages;
const englishPages = readTexts<DemoPage>("page-english");

export function englishText(code: string): { englishTitle: string; englishContent: string } {
  const page = englishPages.get(code);
  if (!page) throw new Error(`The demo's page has no English text: ${code}`);
  return { englishTitle: page.title, englishContent: page.content };
}

export const demoPrivacyPolicy = privacy.content;
export const demoTerms = demoAgreements.find(({ code }) => code === "terms")?.content ?? "";

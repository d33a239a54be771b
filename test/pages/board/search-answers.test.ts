import { expect } from "vitest";
import { type AskedQuestion, CONTROL_QUESTIONS, KNOWN_QUESTIONS } from "../../samples/search-questions.ts";
import { test } from "../fixtures.ts";

/** Addresses of the results, in the order of the page. */
function resultPaths(html: string): string[] {
  const results = html.slice(html.indexOf('role="search"')).split("<footer")[0] ?? "";
  const paths = [...results.matchAll(/<a [^>]*href="(\/[^"?#]*)[^"]*"[^>]*>/g)].map((found) => found[1] ?? "");
  return [...new Set(paths.filter((path) => path !== "/search"))];
}

async function rankOf({ question, answers }: AskedQuestion, get: (path: string) => Promise<{ text: string }>) {
  const { text } = await get(`/search?keyword=${encodeURIComponent(question)}`);
  const paths = resultPaths(text);
  const rank = paths.findIndex((path) => answers.includes(path));
  return { rank: rank < 0 ? Infinity : rank, line: `${question} → ${rank}: ${paths.slice(0, 3).join(" ")}` };
}

test.for([
  { kind: "known", questions: KNOWN_QUESTIONS, first: 24, third: 28 },
  { kind: "control", questions: CONTROL_QUESTIONS, first: 14, third: 18 },
])(
  "$kind questions: at least $first answered first, $third among the first three",
  async ({ questions, first, third }, { db, get }) => {
    const ranks: Awaited<ReturnType<typeof rankOf>>[] = [];
    for (const asked of questions) {
      await db.exec("DELETE FROM rate_limit");
      ranks.push(await rankOf(asked, get));
    }
    const counted = (places: number) => ranks.filter(({ rank }) => rank < places).length;
    const missed = ranks.filter(({ rank }) => rank > 0).map(({ line }) => line);
    expect([counted(1) >= first, counted(3) >= third], `${counted(1)}, ${counted(3)}\n${missed.join("\n")}`).toEqual([
      true,
      true,
    ]);
  },
);

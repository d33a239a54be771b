import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { content, contentVersion } from "#db/schema/content.ts";
import { isVersionInForce } from "./draft-version.server.ts";

const englishTitle = sql<string>`coalesce(json_extract(${contentVersion.value}, '$.englishTitle'), '')`;

/** The published pages that are written in English too, as they are called there. */
export const englishTitlesStatement = (db: Db, now: Date) =>
  db
    .select({ code: content.code, title: englishTitle })
    .from(content)
    .innerJoin(contentVersion, isVersionInForce(now))
    .where(and(eq(content.status, "published"), sql`${englishTitle} <> ''`));

export type EnglishTitles = readonly { code: string; title: string }[];

/** Which of the legal pages stand beside the Korean texts of a sign-up in the reader's language; public. */
export async function listLegalPages(scope: RequestScope, language: Language): Promise<("terms" | "privacy")[]> {
  if (language === "ko") return [];
  const { rows } = await scope.read([englishTitlesStatement(scope.db, scope.now())]);
  return (["terms", "privacy"] as const).filter((code) => rows[0].some((page) => page.code === code));
}

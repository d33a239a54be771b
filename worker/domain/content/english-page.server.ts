import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { content, contentVersion } from "#db/schema/content.ts";
import { isVersionInForce } from "./draft-version.server.ts";

const englishTitle = sql<string>`coalesce(json_extract(${contentVersion.value}, '$.englishTitle'), '')`;

export const englishTitlesStatement = (db: Db, now: Date) =>
  db
    .select({ code: content.code, title: englishTitle })
    .from(content)
    .innerJoin(contentVersion, isVersionInForce(now))
    .where(and(eq(content.status, "published"), sql`${englishTitle} <> ''`));

export type EnglishTitles = readonly { code: string; title: string }[];

export async function listLegalPages(scope: RequestScope, language: Language): Promise<("terms" | "privacy")[]> {
  if (language === "ko") return [];
  const { rows } = await scope.read([englishTitlesStatement(scope.db, scope.now())]);
  return (["terms", "privacy"] as const).filter((code) => rows[0].some((page) => page.code === code));
}

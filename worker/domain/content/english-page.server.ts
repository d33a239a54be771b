import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { content, contentVersion } from "#db/schema/content.ts";

const englishTitle = sql<string>`coalesce(json_extract(${contentVersion.value}, '$.englishTitle'), '')`;

/** The published pages that are written in English too, as they are called there. */
export const englishTitlesStatement = (db: Db, now: Date) =>
  db
    .select({ code: content.code, title: englishTitle })
    .from(content)
    .innerJoin(
      contentVersion,
      and(
        eq(contentVersion.code, content.code),
        sql`${contentVersion.versionNo} = (SELECT version_no FROM content_version AS v WHERE v.code = ${content.code}
          AND v.effective_date <= ${now.getTime()} ORDER BY v.effective_date DESC, v.version_no DESC LIMIT 1)`,
      ),
    )
    .where(and(eq(content.status, "published"), sql`${englishTitle} <> ''`));

export type EnglishTitles = readonly { code: string; title: string }[];

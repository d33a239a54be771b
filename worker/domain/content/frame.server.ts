import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareSiteRead } from "#db/site-reads.ts";
import { agreement, center, content, contentVersion } from "#db/schema/content.ts";
import { columnsOf } from "#db/sql.ts";
import type { AnnouncedAgreement, CenterLink } from "#worker/contract/content/view.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { englishRegionName } from "#worker/contract/kernel/provinces.ts";
import { isVersionInForce } from "./draft-version.server.ts";

// Content in the frame of every page, apart from the code that changes it: a new isolate starts quicker.

export const announcedAgreementsRow = (db: Db) =>
  db
    .select({
      key: sql<string>`'announced'`,
      value: sql<unknown>`json_group_array(json_object('code', ${agreement.code}, 'title', ${agreement.title}, 'effectiveDate', ${agreement.effectiveDate}))`,
    })
    .from(agreement)
    .where(sql`${agreement.isAnnounced} = 1`);

export const announcedAgreementsOf = (value: unknown): AnnouncedAgreement[] =>
  ((value ?? []) as { code: string; title: string; effectiveDate: number }[])
    .toSorted((one, other) => one.effectiveDate - other.effectiveDate)
    .map(({ effectiveDate, ...rest }) => ({ ...rest, effectiveDate: new Date(effectiveDate).toISOString() }));

export const CENTER_LINK_COLUMNS = {
  ...columnsOf(center, "regionCode", "regionName", "centerName", "address", "phone", "englishName", "englishAddress"),
};

export const centerLinksStatement = prepareSiteRead((db) =>
  db.select(CENTER_LINK_COLUMNS).from(center).orderBy(asc(center.sortOrder), asc(center.regionCode)),
);

type CenterLinkRow = Omit<CenterLink, "isKorean"> & { englishName: string; englishAddress: string };

export function centerLinkView({ englishName, englishAddress, ...row }: CenterLinkRow, language: Language): CenterLink {
  if (language === "ko") return row;
  const english = { ...row, regionName: englishRegionName(row.regionCode), address: englishAddress };
  return englishName === "" ? { ...english, isKorean: true } : { ...english, centerName: englishName };
}

const englishTitle = sql<string>`coalesce(json_extract(${contentVersion.value}, '$.englishTitle'), '')`;

export const englishTitlesStatement = (db: Db, now: Date) =>
  db
    .select({ code: content.code, title: englishTitle })
    .from(content)
    .innerJoin(contentVersion, isVersionInForce(now))
    .where(and(eq(content.status, "published"), sql`${englishTitle} <> ''`));

export type EnglishTitles = readonly { code: string; title: string }[];

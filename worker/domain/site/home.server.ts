import { and, asc, eq, gt, lte } from "drizzle-orm";
import { popup, quickLink } from "#db/schema/site.ts";
import type { Door } from "#worker/domain/kernel/context.ts";
import type { HomeExtras } from "#worker/contract/site/view.ts";
import { POPUPS_SHOWN, QUICK_LINKS_MAX } from "#worker/contract/site/rules.ts";
import { keptTotal, refreshCounts } from "../case-report/counts.server.ts";
import { centerLinkStatement } from "../content/center.server.ts";
import { contentStatements, contentView } from "../content/page.server.ts";
import { picturesOfKind, placesIn, placesOf } from "../file/picture-place.server.ts";
import { readableLines } from "../content/text.server.ts";

/** Banner, ways on, centres and popups of the home page; public. The figure is the last one known: nothing is waited for. */
export async function homeExtras(door: Door): Promise<HomeExtras> {
  const now = door.now();
  const read = await door
    .read([
      ...contentStatements(door.db, "banner", now),
      door.db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)).limit(QUICK_LINKS_MAX),
      door.db
        .select()
        .from(popup)
        .where(and(eq(popup.isClosed, false), lte(popup.startDate, now), gt(popup.endDate, now)))
        .orderBy(asc(popup.sortOrder), asc(popup.id))
        .limit(POPUPS_SHOWN),
      centerLinkStatement(door.db),
      picturesOfKind(door.db, "popup"),
    ])
    .catch(() => null);
  // What stands around the boards, and cannot be read just now, hides none of them.
  if (!read) return { banner: null, quickLinks: [], popups: [], centers: [], subjects: null };
  const { ctx, rows } = read;
  const [[row], [version], files, links, popups, centers, pictures] = rows;
  const banner = contentView(ctx, "banner", row, version, files, false);
  const subjects = ctx.config.CASE_REPORT_URL === "" ? null : await keptTotal(ctx.kv);
  if (!subjects && ctx.config.CASE_REPORT_URL !== "") ctx.defer(refreshCounts(ctx).catch(() => undefined));
  return {
    banner: banner.title && version ? { title: banner.title, text: readableLines(banner.content).join(" ") } : null,
    quickLinks: links.map(({ label, note, href }) => ({ label, note, href })),
    popups: popups.map(({ id, title, content, linkUrl, position, size }) => ({
      id,
      title,
      content,
      pictures: placesIn(content, placesOf(pictures)),
      linkUrl,
      position,
      size,
    })),
    centers,
    subjects,
  };
}

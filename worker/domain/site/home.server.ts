import { and, asc, eq, gt, lte } from "drizzle-orm";
import { popup, quickLink } from "#db/schema/site.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import type { HomeExtras } from "#worker/contract/site/view.ts";
import { POPUPS_SHOWN_MAX, QUICK_LINKS_MAX } from "#worker/contract/site/rules.ts";
import { readStoredTotal, refreshSubjectCounts } from "../case-report/counts.server.ts";
import { comingEventStatements, comingEventViews } from "../board/calendar.server.ts";
import { centerLinksStatement } from "../content/center.server.ts";
import { contentStatements, contentPageView } from "../content/page.server.ts";
import { picturesOfKindStatement, picturePlacesIn, picturePlacesOf } from "../file/picture-place.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";

/** Banner, ways on, centres and popups of the home page; public. The figure is the last one known: nothing is waited for. */
export async function getHomeExtras(scope: RequestScope): Promise<HomeExtras> {
  const now = scope.now();
  const read = await scope
    .read([
      ...contentStatements(scope.db, "banner", now),
      scope.db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)).limit(QUICK_LINKS_MAX),
      scope.db
        .select()
        .from(popup)
        .where(and(eq(popup.isClosed, false), lte(popup.startDate, now), gt(popup.endDate, now)))
        .orderBy(asc(popup.sortOrder), asc(popup.id))
        .limit(POPUPS_SHOWN_MAX),
      centerLinksStatement(scope.db),
      picturesOfKindStatement(scope.db, "popup"),
      ...comingEventStatements(scope.db, now),
    ])
    .catch(() => null);
  // What stands around the boards, and cannot be read just now, hides none of them.
  if (!read) return { banner: null, quickLinks: [], popups: [], centers: [], events: [], subjects: null };
  const { ctx, rows } = read;
  const [[row], [version], files, links, popups, centers, pictures, eventBoards, events] = rows;
  const banner = contentPageView(ctx, "banner", row, version, files, false);
  const subjects = ctx.config.CASE_REPORT_URL === "" ? null : await readStoredTotal(ctx.kv);
  if (!subjects && ctx.config.CASE_REPORT_URL !== "") ctx.defer(refreshSubjectCounts(ctx).catch(() => undefined));
  return {
    banner: banner.title && version ? { title: banner.title, text: htmlToText(banner.content) } : null,
    quickLinks: links.map(({ label, note, href }) => ({ label, note, href })),
    popups: popups.map(({ id, title, content, linkUrl, position, size }) => ({
      id,
      title,
      content,
      pictures: picturePlacesIn(content, picturePlacesOf(pictures)),
      linkUrl,
      position,
      size,
    })),
    centers,
    events: comingEventViews(ctx, eventBoards, events),
    subjects,
  };
}

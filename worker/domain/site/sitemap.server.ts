import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import { board, boardItem } from "#db/schema/board.ts";
import { center, content } from "#db/schema/content.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import {
  centerPath,
  INFO_PAGES,
  type InfoPageCode,
  infoPath,
  LEGAL_PAGES,
} from "#worker/contract/content/info-pages.ts";
import { can } from "../kernel/authorize.server.ts";

const ITEMS_MAX = 5000;
const GUEST_ROLE = sql`(SELECT coalesce(json_extract(value, '$.roleCodeForGuest'), 'guest') FROM site_setting WHERE key = 'authentication')`;

export interface SitemapEntry {
  path: string;
  modifiedDate?: string;
}

/** Every page that a guest may read and a search engine should know, whoever asks: it is passed on. */
export async function listSitemapEntries(scope: RequestScope): Promise<SitemapEntry[]> {
  const now = scope.now();
  const { ctx, rows } = await scope.read([
    scope.db.select().from(board),
    scope.db
      .select({ boardCode: boardItem.boardCode, itemNo: boardItem.itemNo, modifiedDate: boardItem.modifiedDate })
      .from(boardItem)
      .where(
        and(
          isNull(boardItem.deletedDate),
          eq(boardItem.isSecret, false),
          lte(boardItem.createdDate, now),
          // A board that guests may not read must not use up the places of those they may.
          sql`EXISTS (SELECT 1 FROM role, json_each(role.permissions) WHERE role.role_code = ${GUEST_ROLE}
            AND json_each.value IN ('Board_' || ${boardItem.boardCode} || '_View', 'Board_' || ${boardItem.boardCode} || '_Manage'))`,
        ),
      )
      .orderBy(desc(boardItem.createdDate))
      .limit(ITEMS_MAX),
    scope.db.select({ regionCode: center.regionCode }).from(center),
    scope.db
      .select({ code: content.code, modifiedDate: content.modifiedDate })
      .from(content)
      .where(eq(content.status, "published")),
  ]);
  const [boards, items, centers, contents] = rows;
  const product = ctx.config.PRODUCT_CODE;
  const listed = boards.filter((row) => can(ctx.guest, { action: "Board.List", board: row }));
  const viewed = new Set(
    boards.filter((row) => can(ctx.guest, { action: "Board.View", board: row })).map((row) => row.boardCode),
  );
  const pages = {
    ...Object.fromEntries(Object.keys(INFO_PAGES).map((code) => [code, infoPath(product, code as InfoPageCode)])),
    terms: LEGAL_PAGES.terms.path,
    privacy: LEGAL_PAGES.privacy.path,
  } as Record<string, string>;
  return [
    { path: "/" },
    ...contents.flatMap(({ code, modifiedDate }) =>
      pages[code] ? [{ path: pages[code], modifiedDate: modifiedDate.toISOString() }] : [],
    ),
    ...centers.map(({ regionCode }) => ({ path: centerPath(product, regionCode) })),
    ...listed.map(({ boardCode }) => ({ path: `/board/${boardCode}/List/` })),
    ...(listed.some((row) => row.useEvents && !row.isClosed) ? [{ path: "/calendar" }] : []),
    ...items
      .filter(({ boardCode }) => viewed.has(boardCode))
      .map(({ boardCode, itemNo, modifiedDate }) => ({
        path: `/board/${boardCode}/View/${itemNo}`,
        modifiedDate: modifiedDate.toISOString(),
      })),
  ];
}

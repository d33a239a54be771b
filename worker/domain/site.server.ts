import { asc, eq } from "drizzle-orm";
import { board, center, siteSetting } from "#db/schema.ts";
import type { AppContext, Door } from "#worker/context.server.ts";
import { holds } from "#worker/contract/permissions.ts";
import { type BoardLink, type Frame, type SiteInfo, siteSettings } from "#worker/contract/site.ts";
import { can } from "./access.server.ts";

const frameStatements = (db: Door["db"]) =>
  [
    db.select({ value: siteSetting.value }).from(siteSetting).where(eq(siteSetting.key, "site")),
    db
      .select({ boardCode: board.boardCode, boardName: board.boardName, isClosed: board.isClosed })
      .from(board)
      .orderBy(asc(board.sortOrder)),
  ] as const;

const boardLinks = (ctx: AppContext, rows: (BoardLink & { isClosed: boolean })[]): BoardLink[] =>
  rows
    .filter((row) => !row.isClosed && can(ctx.actor, { action: "Board.List", board: row }))
    .map(({ boardCode, boardName }) => ({ boardCode, boardName }));

/** What every page's shell shows, to everybody. */
export async function siteFrame(door: Door): Promise<Frame> {
  const { ctx, rows } = await door.read(frameStatements(door.db));
  const [settings, boards] = rows;
  const actor = ctx.actor;
  return {
    site: { ...siteSettings.parse(settings[0]?.value ?? {}), productCode: ctx.config.PRODUCT_CODE },
    boards: boardLinks(ctx, boards),
    user:
      actor.kind === "guest"
        ? null
        : { id: actor.userId, userName: actor.userName, isAdministrator: holds(actor.permissions, "ADMIN_Access") },
    alumni: can(actor, { action: "Alumni_Read" }),
  };
}

/** GET site-setting/info; public. */
export async function siteInfo(door: Door): Promise<SiteInfo> {
  const { ctx, rows } = await door.read([
    ...frameStatements(door.db),
    door.db
      .select({
        regionCode: center.regionCode,
        regionName: center.regionName,
        centerName: center.centerName,
        address: center.address,
        phone: center.phone,
        url: center.url,
      })
      .from(center)
      .orderBy(asc(center.sortOrder)),
  ]);
  const [settings, boards, centers] = rows;
  return {
    ...siteSettings.parse(settings[0]?.value ?? {}),
    productCode: ctx.config.PRODUCT_CODE,
    boards: boardLinks(ctx, boards),
    centers,
    caseReport: { enabled: ctx.config.CASE_REPORT_URL !== "" },
  };
}

import { sql } from "drizzle-orm";
import { center, content, contentVersion } from "#db/schema/content.ts";
import type { CenterDocument } from "#worker/contract/content/center-input.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { lastPlace } from "../kernel/ordered-rows.server.ts";

type CenterRow = typeof center.$inferSelect;

/** Without its picture, which is a file of this site. */
export const centerDocumentOf = ({
  imageFileId: _picture,
  imageAlt: _alt,
  englishImageAlt: _englishAlt,
  sortOrder: _order,
  version: _version,
  ...document
}: CenterRow) => document;

/** Shown at once, with a version in its history; a picture that it has here and a draft of somebody's stay. */
export function importCenterStatements(
  ctx: AppContext,
  { regionCode, ...document }: CenterDocument,
  stored: CenterRow | undefined,
) {
  const code = `center.${regionCode}`;
  const me = requireSignedIn(ctx);
  const now = ctx.now();
  const { imageFileId = "", imageAlt = "", englishImageAlt = "" } = stored ?? {};
  const value = { ...document, imageFileId, imageAlt, englishImageAlt };
  const shown = {
    status: "published" as const,
    modifiedDate: now,
    modifiedUserId: me.userId,
    modifiedUserName: me.userName,
  };
  const version = sql<number>`(SELECT version FROM content WHERE code = ${code})`;
  return [
    ctx.db
      .insert(content)
      .values({ code, ...shown })
      .onConflictDoUpdate({ target: content.code, set: { ...shown, version: sql`${content.version} + 1` } }),
    ctx.db.insert(contentVersion).values({
      code,
      versionNo: sql`(SELECT coalesce(max(version_no), 0) + 1 FROM content_version WHERE code = ${code})`,
      value,
      effectiveDate: now,
      createdDate: now,
      createdUserId: me.userId,
      createdUserName: me.userName,
      note: "설정 파일에서 불러옴",
    }),
    ctx.db
      .insert(center)
      .values({ regionCode, ...value, sortOrder: lastPlace(center), version })
      .onConflictDoUpdate({ target: center.regionCode, set: { ...value, version } }),
  ];
}

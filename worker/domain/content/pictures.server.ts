import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { file } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { signedIn } from "../access.server.ts";

const among = (fileIds: string[]) => sql`${file.id} IN (SELECT value FROM json_each(${JSON.stringify(fileIds)}))`;

/** The pictures of a draft are kept, but stay its writers' own. */
export const keepPictures = (ctx: AppContext, fileIds: string[]) =>
  ctx.db
    .update(file)
    .set({ status: "attached" })
    .where(
      sql`${among(fileIds)} AND ${file.purpose} = 'image' AND ${file.status} = 'ready' AND ${file.ownerUserId} = ${signedIn(ctx).userId}`,
    );

/** With the text that shows them, everybody may see them. */
export const publishPictures = (ctx: AppContext, fileIds: string[], when: SQL) =>
  ctx.db
    .update(file)
    .set({ status: "attached", purpose: "content" })
    .where(
      sql`${among(fileIds)} AND ${file.purpose} = 'image' AND ${file.itemId} IS NULL AND ${file.status} IN ('ready', 'attached') AND ${when}`,
    );

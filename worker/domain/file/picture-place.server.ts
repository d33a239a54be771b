import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { contentFile } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";

export type FileRow = typeof file.$inferSelect;
type MeasuredFile = Pick<FileRow, "id" | "pixelWidth" | "pixelHeight" | "contentType">;

/** What a page needs to keep the places of a text's pictures and to ask for them in the right size. */
export function picturePlacesOf(files: readonly MeasuredFile[]): PicturePlace[] {
  return files.flatMap(({ id, pixelWidth: width, pixelHeight: height, contentType }) =>
    width && height ? [{ fileId: id, width, height, isAnimated: contentType === "image/gif" }] : [],
  );
}

export const PICTURE_PLACE_COLUMNS = {
  id: file.id,
  pixelWidth: file.pixelWidth,
  pixelHeight: file.pixelHeight,
  contentType: file.contentType,
};

/** The pictures of all things of a kind, as `popup` or `agreement`, and those of a page. */
export const picturesOfKindStatement = (db: Db, kind: string, page = "") =>
  // From the dot to the sign after it: a stretch of the primary key.
  preparedPictures(db, { first: `${kind}.`, end: `${kind}/`, page });

const preparedPictures = prepareOnce((db) =>
  db
    .select(PICTURE_PLACE_COLUMNS)
    .from(file)
    .where(
      sql`${file.id} IN (SELECT file_id FROM ${contentFile} WHERE code > ${sql.placeholder("first")} AND code < ${sql.placeholder("end")}
        UNION SELECT file_id FROM ${contentFile} WHERE code = ${sql.placeholder("page")})`,
    ),
);

/** Those that a text shows. */
export const picturePlacesIn = (html: string, places: readonly PicturePlace[]): PicturePlace[] =>
  html.includes("<img") ? places.filter(({ fileId }) => html.includes(fileId)) : [];

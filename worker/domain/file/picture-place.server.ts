import { sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { contentFile } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import type { PicturePlace } from "#worker/contract/file/view.ts";

export type FileRow = typeof file.$inferSelect;
type MeasuredFile = Pick<FileRow, "id" | "pixelWidth" | "pixelHeight" | "contentType">;

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

/** Pictures of a kind, such as `popup` or `agreement`, and of one page. */
export const picturesOfKindStatement = (db: Db, kind: string, page = "") =>
  // Prefix range on the primary key: "/" follows "." in ASCII.
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

export const picturePlacesIn = (html: string, places: readonly PicturePlace[]): PicturePlace[] =>
  html.includes("<img") ? places.filter(({ fileId }) => html.includes(fileId)) : [];

export interface ItemFile {
  fileId: string;
  fileName: string;
  size: number;
  contentType: string;
  url: string;
}

/** A stored file as forms need it. */
export type StoredFile = Pick<ItemFile, "fileId" | "fileName" | "size">;

/** Displayed size in pixels. */
export interface PicturePlace {
  fileId: string;
  width: number;
  height: number;
  isAnimated: boolean;
}

export interface UploadTicket {
  fileId: string;
  uploadUrl: string;
  expiresDate: string;
}

// Kept apart from the upload rules, so that readers' pages do not load zod.

/** Stored widths; other widths are rounded up, or down to the last. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1280] as const;

export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

export const thumbnailUrl = (fileId: string, width: ThumbnailWidth) =>
  `/api/file/${fileId}?thumbnail=true&width=${width}`;

/** Widths below the original's, and the original; empty when there is no choice. */
export function thumbnailSourceSet(fileId: string, original: { width: number; isAnimated: boolean }) {
  if (original.isAnimated || original.width <= 320) return undefined;
  const small = THUMBNAIL_WIDTHS.filter((width) => width >= 320 && width < original.width);
  const sources = small.map((width) => `${thumbnailUrl(fileId, width)} ${width}w`);
  return [...sources, `/api/file/${fileId} ${original.width}w`].join(", ");
}

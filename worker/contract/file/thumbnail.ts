// Apart from the rules of uploads: readers' pages need these, and not zod with them.

// Apart from the rules of uploads: readers' pages need these, and not zod with them.

/** The sizes in which pictures are kept beside the original: any other is rounded up to the next, or down to the last. */
export const THUMBNAIL_WIDTHS = [160, 320, 640, 1280] as const;

export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

export const thumbnailUrl = (fileId: string, width: ThumbnailWidth) =>
  `/api/file/${fileId}?thumbnail=true&width=${width}`;

/** What a browser chooses from: the sizes below the original's, and the original; nothing where there is no choice. */
export function thumbnailSourceSet(
  fileId: string,
  original: { width: number; isAnimated: boolean },
): string | undefined {
  if (original.isAnimated || original.width <= 320) return undefined;
  const small = THUMBNAIL_WIDTHS.filter((width) => width >= 320 && width < original.width);
  const sources = small.map((width) => `${thumbnailUrl(fileId, width)} ${width}w`);
  return [...sources, `/api/file/${fileId} ${original.width}w`].join(", ");
}

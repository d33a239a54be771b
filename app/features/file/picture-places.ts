import type { PicturePlace } from "#worker/contract/file/view.ts";
import { thumbnailSourceSet, thumbnailUrl } from "#worker/contract/file/thumbnail.ts";

/** As wide as the text's column gets. */
const COLUMN_PX = 960;

/** Pictures keep their places while they load, and come in the size in which they are shown. */
export function reservePicturePlaces(html: string, pictures: readonly PicturePlace[]): string {
  return html.replace(/<img [^<>]*>/g, (tag) => {
    const fileId = / src="\/api\/file\/([0-9a-f-]{36})"/.exec(tag)?.[1] ?? "";
    const picture = pictures.find((each) => each.fileId === fileId);
    if (!picture) return tag;
    const image = tag.replace("<img ", `<img ${sizeAttributes(tag, picture)} `);
    return picture.isAnimated ? offerStillPicture(fileId, image) : image;
  });
}

/** A small version holds the first frame alone: whoever asked for less motion gets that. */
const offerStillPicture = (fileId: string, image: string) =>
  `<picture><source media="(prefers-reduced-motion:reduce)" srcset="${thumbnailUrl(fileId, 1280).replace("&", "&amp;")}">${image}</picture>`;

function sizeAttributes(tag: string, picture: PicturePlace): string {
  const { fileId, width, height } = picture;
  const shown = Number(/ width="(\d{1,5})"/.exec(tag)?.[1] ?? width);
  const places = / (?:width|height)="/.test(tag) ? "" : `width="${width}" height="${height}"`;
  const sources = thumbnailSourceSet(fileId, picture);
  if (!sources) return places;
  return `${places} srcset="${sources.replaceAll("&", "&amp;")}" sizes="min(100vw, ${Math.min(shown, COLUMN_PX)}px)"`;
}

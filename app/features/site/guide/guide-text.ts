import guide from "./guide.json" with { type: "json" };

/** Screens in the guide; `npm run guide` takes their pictures into app/public/guide. */
export const GUIDE_PICTURES = guide.pictures;

type GuidePicture = keyof typeof GUIDE_PICTURES;

export const GUIDE_PICTURE_SIZE = { width: 1100, height: 620 } as const;

export const guidePictureAddress = (name: GuidePicture): string => `/guide/${name}.jpg`;

export interface GuidePart {
  title: string;
  text: string;
  /** Left out of the guide of a site without them. */
  needs?: "proposals";
  steps: { title: string; text: string; href: string; picture?: GuidePicture }[];
}

/** The printed guide for administrators. */
export const GUIDE = guide.parts as GuidePart[];

export interface ImageShrinker {
  /**
   * A picture as WebP at most so many pixels wide, upright and in its proportions, never enlarged; of an animation the first frame.
   * @throws whatever the service says of a picture that it cannot read, or of itself
   */
  shrink(picture: ReadableStream<Uint8Array>, width: number): Promise<Uint8Array<ArrayBuffer>>;
}

const QUALITY = 82;
export const SHRUNK_IMAGE_TYPE = "image/webp";

/** Cloudflare Images decodes outside the isolate: 40 million pixels would not fit into its memory. Locally sharp stands in. */
export function createImageShrinker(binding: ImagesBinding): ImageShrinker {
  return {
    async shrink(picture, width) {
      const result = await binding
        .input(picture)
        .transform({ width, fit: "scale-down" })
        .output({ format: SHRUNK_IMAGE_TYPE, quality: QUALITY, anim: false });
      return new Uint8Array(await result.response().arrayBuffer());
    },
  };
}

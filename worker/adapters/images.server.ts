export interface ImageShrinker {
  /**
   * Converts to an upright WebP of at most `width` pixels, never enlarged; first frame only. @throws the service's
   * errors
   */
  shrink(picture: ReadableStream<Uint8Array>, width: number): Promise<Uint8Array<ArrayBuffer>>;
}

const QUALITY = 82;
export const SHRUNK_IMAGE_TYPE = "image/webp";

/**
 * Cloudflare Images decodes outside the isolate, whose memory cannot hold 40 million pixels. Locally sharp replaces it.
 */
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

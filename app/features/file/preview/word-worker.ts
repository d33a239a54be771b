import "#app/lib/floor.js";
import { readWordBlocks, type WordAnswer } from "#app/features/file/preview/word-blocks.ts";

addEventListener("message", ({ data }: MessageEvent<{ bytes: ArrayBuffer }>) => {
  try {
    postMessage({ blocks: readWordBlocks(data.bytes) } satisfies WordAnswer);
  } catch {
    postMessage({ problem: true } satisfies WordAnswer);
  }
});

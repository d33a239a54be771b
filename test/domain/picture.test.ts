import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanPicture } from "#worker/adapters/picture/clean.server.ts";
import { joined, latin } from "#worker/adapters/picture/picture.server.ts";
import { JPEG, png, PNG_PHOTO, pngChunk, PROGRESSIVE, WEBP } from "../pictures.ts";

const SECRET = /GEHEIM|GPS|Seoul/;
const text = (bytes: Uint8Array) => latin(bytes, 0, bytes.length);
const clean = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const picture = cleanPicture(name, bytes);
  if (!picture) throw new Error(`${name} was refused`);
  return picture;
};
/** What an independent reader decodes: its size, upright. */
async function decoded(bytes: Uint8Array<ArrayBuffer>) {
  const upright = await env.IMAGES.input(new Blob([bytes]).stream())
    .transform({ width: 500, fit: "scale-down" })
    .output({ format: "image/png" });
  const info = await env.IMAGES.info(new Blob([await upright.response().arrayBuffer()]).stream());
  return "width" in info ? [info.width, info.height] : [];
}

test.each([
  ["a.jpg", JPEG, [16, 24]],
  ["a.jpeg", PROGRESSIVE, [24, 16]],
  ["a.png", PNG_PHOTO, [16, 24]],
  ["a.webp", WEBP, [24, 16]],
] as const)("%s loses place, camera and XMP, keeps its turn and its picture", async (name, bytes, size) => {
  expect(text(bytes)).toMatch(SECRET);
  const picture = clean(name, bytes);
  expect(text(picture.bytes)).not.toMatch(SECRET);
  // The directory of the GPS tags, in either byte order.
  expect(text(picture.bytes)).not.toMatch(/\x88\x25\x00\x04|\x25\x88\x04\x00/);
  expect([picture.width, picture.height]).toEqual(size);
  expect(await decoded(picture.bytes)).toEqual(size);
  expect(await decoded(bytes)).toEqual(size);
  // Once clean it stays as it is, to the byte.
  expect(clean(name, picture.bytes).bytes).toEqual(picture.bytes);
});

test("comments, IPTC, embedded previews and what follows the end of a JPEG go; its colour profile stays", () => {
  const segment = (marker: number, content: string) =>
    joined([Uint8Array.from([0xff, marker, 0, content.length + 2]), new TextEncoder().encode(content)]);
  const extra = [
    segment(0xfe, "GEHEIM comment"),
    segment(0xed, "Photoshop 3.0\0GEHEIM"),
    segment(0xe2, "MPF\0GEHEIM"),
    segment(0xe0, "JFXX\0GEHEIM"),
  ];
  const bytes = joined([JPEG.subarray(0, 2), ...extra, JPEG.subarray(2), new TextEncoder().encode("GEHEIM video")]);
  const picture = clean("a.jpg", bytes);
  expect(text(picture.bytes)).not.toMatch(SECRET);
  expect(text(picture.bytes)).toContain("ICC_PROFILE");
  expect(text(picture.bytes)).toMatch(/\xff\xd9$/);
});

test("texts, times and unknown chunks of a PNG go, with what follows its end", () => {
  const plain = png(3, 2);
  const head = 33;
  const extra = ["tEXt", "zTXt", "iTXt", "tIME", "prVW"].map((type) =>
    pngChunk(type, new TextEncoder().encode("GEHEIM")),
  );
  const bytes = joined([
    plain.subarray(0, head),
    ...extra,
    plain.subarray(head),
    new TextEncoder().encode("<script>GEHEIM"),
  ]);
  expect(clean("a.png", bytes).bytes).toEqual(plain);
});

test("a GIF stays as it is, and gives its size", () => {
  const gif = Uint8Array.from([...new TextEncoder().encode("GIF89a"), 3, 0, 2, 0, 0, 0, 0, 0x3b]);
  expect(clean("a.gif", gif)).toEqual({ bytes: gif, width: 3, height: 2 });
});

test("a picture that is cut off anywhere, or that claims nonsense, is refused and never read beyond its end", () => {
  for (const [name, bytes] of [
    ["a.jpg", JPEG],
    ["a.png", PNG_PHOTO],
    ["a.webp", WEBP],
  ] as const) {
    for (let length = 0; length < bytes.length; length += 7)
      expect(cleanPicture(name, bytes.slice(0, length)), `${name} ${length}`).toBeNull();
    for (let at = 2; at < 400; at++) {
      const broken = bytes.slice();
      broken[at] = 0xff;
      expect(() => cleanPicture(name, broken), `${name} ${at}`).not.toThrow();
    }
  }
  expect(cleanPicture("a.png", png(0, 5))).toBeNull();
});

import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanPicture } from "#worker/adapters/picture-metadata/clean.server.ts";
import { concatBytes, readLatin1 } from "#worker/adapters/picture-metadata/bytes.server.ts";
import {
  JPEG_WITH_METADATA,
  makePng,
  PNG_PHOTO,
  makePngChunk,
  PROGRESSIVE_JPEG,
  WEBP_WITH_METADATA,
} from "../../samples/picture-samples.ts";

const SECRET = /GEHEIM|GPS|Seoul/;
const text = (bytes: Uint8Array) => readLatin1(bytes, 0, bytes.length);
const clean = (name: string, bytes: Uint8Array<ArrayBuffer>) => {
  const picture = cleanPicture(name, bytes);
  if (!picture) throw new Error(`${name} was refused`);
  return picture;
};
async function decoded(bytes: Uint8Array<ArrayBuffer>) {
  const upright = await env.IMAGES.input(new Blob([bytes]).stream())
    .transform({ width: 500, fit: "scale-down" })
    .output({ format: "image/png" });
  const info = await env.IMAGES.info(new Blob([await upright.response().arrayBuffer()]).stream());
  return "width" in info ? [info.width, info.height] : [];
}

test.each([
  ["a.jpg", JPEG_WITH_METADATA, [16, 24]],
  ["a.jpeg", PROGRESSIVE_JPEG, [24, 16]],
  ["a.png", PNG_PHOTO, [16, 24]],
  ["a.webp", WEBP_WITH_METADATA, [24, 16]],
] as const)("%s loses place, camera and XMP, and keeps its orientation and pixels", async (name, bytes, size) => {
  expect(text(bytes)).toMatch(SECRET);
  const picture = clean(name, bytes);
  expect(text(picture.bytes)).not.toMatch(SECRET);
  // Searches the GPS directory tag in either byte order.
  expect(text(picture.bytes)).not.toMatch(/\x88\x25\x00\x04|\x25\x88\x04\x00/);
  expect([picture.width, picture.height]).toEqual(size);
  expect(await decoded(picture.bytes)).toEqual(size);
  expect(await decoded(bytes)).toEqual(size);
  expect(clean(name, picture.bytes).bytes).toEqual(picture.bytes);
});

test("a JPEG loses comments, IPTC, previews and trailing data, and keeps its colour profile", () => {
  const segment = (marker: number, content: string) =>
    concatBytes([Uint8Array.from([0xff, marker, 0, content.length + 2]), new TextEncoder().encode(content)]);
  const extra = [
    segment(0xfe, "GEHEIM comment"),
    segment(0xed, "Photoshop 3.0\0GEHEIM"),
    segment(0xe2, "MPF\0GEHEIM"),
    segment(0xe0, "JFXX\0GEHEIM"),
  ];
  const bytes = concatBytes([
    JPEG_WITH_METADATA.subarray(0, 2),
    ...extra,
    JPEG_WITH_METADATA.subarray(2),
    new TextEncoder().encode("GEHEIM video"),
  ]);
  const picture = clean("a.jpg", bytes);
  expect(text(picture.bytes)).not.toMatch(SECRET);
  expect(text(picture.bytes)).toContain("ICC_PROFILE");
  expect(text(picture.bytes)).toMatch(/\xff\xd9$/);
});

test("a PNG loses texts, times, unknown chunks and trailing data", () => {
  const plain = makePng(3, 2);
  const head = 33;
  const extra = ["tEXt", "zTXt", "iTXt", "tIME", "prVW"].map((type) =>
    makePngChunk(type, new TextEncoder().encode("GEHEIM")),
  );
  const bytes = concatBytes([
    plain.subarray(0, head),
    ...extra,
    plain.subarray(head),
    new TextEncoder().encode("<script>GEHEIM"),
  ]);
  expect(clean("a.png", bytes).bytes).toEqual(plain);
});

const gifExtension = (label: number, ...blocks: string[]) =>
  Uint8Array.from([0x21, label, ...blocks.flatMap((block) => [block.length, ...new TextEncoder().encode(block)]), 0]);
const GIF_HEADER = Uint8Array.from([
  ...new TextEncoder().encode("GIF89a"),
  3,
  0,
  2,
  0,
  0x80,
  0,
  0,
  0,
  0,
  0,
  255,
  255,
  255,
]);
const GIF_FRAME = Uint8Array.from([0x2c, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x44, 1, 0]);
const GIF_MOVES = [
  gifExtension(0xff, "NETSCAPE2.0", "\u0001\u0000\u0000"),
  gifExtension(0xf9, "\u0000\u0005\u0000\u0000"),
];
const GIF = concatBytes([GIF_HEADER, ...GIF_MOVES, GIF_FRAME, Uint8Array.of(0x3b)]);

test("a GIF keeps its frames and animation, and loses comments, XMP and trailing data", () => {
  const told = [gifExtension(0xfe, "GEHEIM"), gifExtension(0xff, "XMP DataXMP", "GEHEIM"), gifExtension(1, "GEHEIM")];
  const script = new TextEncoder().encode("<script>GEHEIM");
  const given = concatBytes([GIF_HEADER, ...told, ...GIF_MOVES, GIF_FRAME, ...told, Uint8Array.of(0x3b), script]);
  expect(clean("a.gif", given)).toEqual({ bytes: GIF, width: 3, height: 2 });
  expect(cleanPicture("a.gif", concatBytes([GIF_HEADER, Uint8Array.of(0x3b)]))).toBeNull();
});

test("a truncated or malformed picture is refused and never read beyond its end", () => {
  for (const [name, bytes] of [
    ["a.jpg", JPEG_WITH_METADATA],
    ["a.png", PNG_PHOTO],
    ["a.webp", WEBP_WITH_METADATA],
    ["a.gif", GIF],
  ] as const) {
    for (let length = 0; length < bytes.length; length += 3)
      expect(cleanPicture(name, bytes.slice(0, length)), `${name} ${length}`).toBeNull();
    for (let at = 2; at < 400; at++) {
      const broken = bytes.slice();
      broken[at] = 0xff;
      expect(() => cleanPicture(name, broken), `${name} ${at}`).not.toThrow();
    }
  }
  expect(cleanPicture("a.png", makePng(0, 5))).toBeNull();
});

import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { cleanPicture } from "#worker/adapters/picture-metadata/clean.server.ts";
import { concatBytes, readLatin1, PICTURE_PARTS_MAX } from "#worker/adapters/picture-metadata/bytes.server.ts";
import {
  JPEG_WITH_METADATA,
  makePng,
  PNG_PHOTO,
  makePngChunk,
  PROGRESSIVE_JPEG,
  WEBP_WITH_METADATA,
} from "../../samples/picture-samples.ts";
import { requirePresent } from "../../support/require-present.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

const SECRET = /GEHEIM|GPS|Seoul/;
const latin = (bytes: Uint8Array) => readLatin1(bytes, 0, bytes.length);
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
] as const)("%s keeps its pixels without place or camera", async (name, bytes, size) => {
  expect(latin(bytes)).toMatch(SECRET);
  const picture = clean(name, bytes);
  expect(latin(picture.bytes)).not.toMatch(SECRET);
  // Searches the GPS directory tag in either byte order.
  expect(latin(picture.bytes)).not.toMatch(/\x88\x25\x00\x04|\x25\x88\x04\x00/);
  expect([picture.width, picture.height]).toEqual(size);
  expect(await decoded(picture.bytes)).toEqual(size);
  expect(await decoded(bytes)).toEqual(size);
  expect(clean(name, picture.bytes).bytes).toEqual(picture.bytes);
});

test("a JPEG loses its metadata except the colour profile", () => {
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
  expect(latin(picture.bytes)).not.toMatch(SECRET);
  expect(latin(picture.bytes)).toContain("ICC_PROFILE");
  expect(latin(picture.bytes)).toMatch(/\xff\xd9$/);
});

test("a PNG loses its metadata", () => {
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

test("a GIF keeps its frames without comments", () => {
  const told = [gifExtension(0xfe, "GEHEIM"), gifExtension(0xff, "XMP DataXMP", "GEHEIM"), gifExtension(1, "GEHEIM")];
  const script = new TextEncoder().encode("<script>GEHEIM");
  const given = concatBytes([GIF_HEADER, ...told, ...GIF_MOVES, GIF_FRAME, ...told, Uint8Array.of(0x3b), script]);
  expect(clean("a.gif", given)).toEqual({ bytes: GIF, width: 3, height: 2 });
  expect(cleanPicture("a.gif", concatBytes([GIF_HEADER, Uint8Array.of(0x3b)]))).toBeNull();
});

test("a malformed picture is never read beyond its end", () => {
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

const bytesOf = (...numbers: number[]) => Uint8Array.from(numbers);
const ascii = (text: string) => new TextEncoder().encode(text);
const little32 = (value: number) => bytesOf(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >> 24);
const little24 = (value: number) => little32(value).subarray(0, 3);

function filledWith(head: Uint8Array, part: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SIZE_LIMITS.imageBytes);
  bytes.set(head);
  const end = bytes.length - tail.length;
  let at = head.length;
  for (; at + part.length <= end; at += part.length) bytes.set(part, at);
  bytes.set(tail, at);
  return bytes.slice(0, at + tail.length);
}

const GIF_HEAD = concatBytes([ascii("GIF89a"), bytesOf(1, 0, 1, 0, 0, 0, 0)]);
const GIF_PIXEL = bytesOf(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0);
const GIF_END = bytesOf(0x3b);
const webp = (...chunks: Uint8Array[]) => {
  const body = concatBytes([ascii("WEBP"), ...chunks]);
  return concatBytes([ascii("RIFF"), little32(body.length), body]);
};
const webpChunk = (type: string, body: Uint8Array) => concatBytes([ascii(type), little32(body.length), body]);
const vp8x = (width: number, height: number) =>
  webpChunk("VP8X", concatBytes([bytesOf(0, 0, 0, 0), little24(width - 1), little24(height - 1)]));
const vp8l = (width: number, height: number) =>
  webpChunk("VP8L", concatBytes([bytesOf(0x2f), little32((width - 1) | ((height - 1) << 14)), bytesOf(0)]));
const anmf = (width: number, height: number, inner: Uint8Array) =>
  webpChunk(
    "ANMF",
    concatBytes([
      little24(0),
      little24(0),
      little24(width - 1),
      little24(height - 1),
      little24(100),
      bytesOf(0),
      inner,
    ]),
  );
const png = makePng(4, 4);

const SMALLEST_PARTS: [name: string, bytes: Uint8Array<ArrayBuffer>][] = [
  ["extensions.gif", filledWith(GIF_HEAD, bytesOf(0x21, 0xf9, 0), concatBytes([GIF_PIXEL, GIF_END]))],
  ["comments.gif", filledWith(GIF_HEAD, bytesOf(0x21, 0xfe, 0), concatBytes([GIF_PIXEL, GIF_END]))],
  ["blocks.gif", filledWith(concatBytes([GIF_HEAD, GIF_PIXEL.subarray(0, 11)]), bytesOf(1, 0x44), bytesOf(0, 0x3b))],
  ["frames.gif", filledWith(GIF_HEAD, GIF_PIXEL, GIF_END)],
  [
    "segments.jpg",
    filledWith(JPEG_WITH_METADATA.subarray(0, 2), bytesOf(0xff, 0xfe, 0, 2), JPEG_WITH_METADATA.subarray(2)),
  ],
  [
    "kept.jpg",
    filledWith(JPEG_WITH_METADATA.subarray(0, 2), bytesOf(0xff, 0xdd, 0, 2), JPEG_WITH_METADATA.subarray(2)),
  ],
  ["chunks.png", filledWith(png.subarray(0, 33), makePngChunk("IDAT", new Uint8Array()), png.subarray(33))],
  ["texts.png", filledWith(png.subarray(0, 33), makePngChunk("tEXt", new Uint8Array()), png.subarray(33))],
  [
    "chunks.webp",
    webp(vp8x(4, 4), filledWith(new Uint8Array(), webpChunk("ICCP", new Uint8Array()), vp8l(4, 4)).slice(64)),
  ],
];

/** Counts created views and bytes of new buffers. */
function allocations(act: () => void): { views: number; bytes: number } {
  const taken = { views: 0, bytes: 0 };
  const subarray = Uint8Array.prototype.subarray;
  vi.spyOn(Uint8Array.prototype, "subarray").mockImplementation(function (this: Uint8Array, from, to) {
    taken.views += 1;
    return subarray.call(this, from, to) as Uint8Array<ArrayBuffer>;
  });
  const Plain = Uint8Array;
  vi.stubGlobal(
    "Uint8Array",
    new Proxy(Plain, {
      construct(target, given: [number]) {
        if (typeof given[0] === "number") taken.bytes += given[0];
        return Reflect.construct(target, given) as object;
      },
    }),
  );
  try {
    act();
  } finally {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
  return taken;
}

test.each(SMALLEST_PARTS)("10 MB of the smallest parts need few views: %s", (name, bytes) => {
  expect(bytes.length).toBeGreaterThan(9_900_000);
  const { views, bytes: buffers } = allocations(() => cleanPicture(name, bytes));
  expect(buffers).toBeLessThan(bytes.length + 1024);
  expect(buffers).toBeGreaterThan(0);
  expect(views).toBeLessThanOrEqual(3 * PICTURE_PARTS_MAX + 10);
});

test("the allocation counter works", () => {
  expect(allocations(() => void new Uint8Array(1000).subarray(1))).toEqual({ views: 1, bytes: 1000 });
});

test("a GIF made of many small blocks is accepted unchanged", () => {
  const [, bytes] = requirePresent(SMALLEST_PARTS[2]);
  expect(cleanPicture("a.gif", bytes)?.bytes.length).toBe(bytes.length);
});

const FRAME_AT = JPEG_WITH_METADATA.findIndex(
  (byte, at) => byte === 0xff && JPEG_WITH_METADATA[at + 1] === 0xc0 && JPEG_WITH_METADATA[at + 2] === 0,
);
const frame = JPEG_WITH_METADATA.slice(FRAME_AT, FRAME_AT + 19);
const largeFrame = frame.slice();
largeFrame.set([0xff, 0xff, 0xff, 0xff], 5);
const insertAt = (bytes: Uint8Array, at: number, part: Uint8Array) =>
  concatBytes([bytes.subarray(0, at), part, bytes.subarray(at)]);
const pngHead = makePng(4, 4).slice(8, 33);
const frameControl = (width: number, left: number) => {
  const body = new Uint8Array(26);
  const view = new DataView(body.buffer);
  view.setUint32(4, width);
  view.setUint32(8, 1);
  view.setUint32(12, left);
  return makePngChunk("fcTL", body);
};

test.each<[name: string, what: string, bytes: Uint8Array<ArrayBuffer>]>([
  ["a.jpg", "a second frame behind the first", insertAt(JPEG_WITH_METADATA, FRAME_AT + frame.length, largeFrame)],
  ["a.jpg", "a second frame of the same size", insertAt(JPEG_WITH_METADATA, FRAME_AT, frame)],
  [
    "a.jpg",
    "a number of lines after all",
    insertAt(JPEG_WITH_METADATA, FRAME_AT + 19, bytesOf(0xff, 0xdc, 0, 4, 255, 255)),
  ],
  ["a.png", "a second header", insertAt(png, 33, pngHead)],
  ["a.png", "a frame beyond the picture", insertAt(png, 33, frameControl(5, 0))],
  ["a.png", "a frame that is moved out of the picture", insertAt(png, 33, frameControl(4, 1))],
  ["a.webp", "a second extended header", webp(vp8x(4, 4), vp8x(16_000, 16_000), vp8l(4, 4))],
  ["a.webp", "a picture larger than the header says", webp(vp8x(4, 4), vp8l(16_000, 16_000))],
  ["a.webp", "two pictures", webp(vp8l(4, 4), vp8l(4, 4))],
  ["a.webp", "a frame beyond the picture", webp(vp8x(4, 4), anmf(5, 4, vp8l(5, 4)))],
  ["a.webp", "a picture larger than its frame", webp(vp8x(4, 4), anmf(4, 4, vp8l(16_000, 16_000)))],
])("%s with %s is refused", (name, _what, bytes) => {
  expect(cleanPicture(name, bytes)).toBeNull();
});

test("frames within the canvas are accepted", () => {
  expect(cleanPicture("a.jpg", JPEG_WITH_METADATA)).not.toBeNull();
  expect(cleanPicture("a.png", insertAt(png, 33, frameControl(4, 0)))).not.toBeNull();
  expect(cleanPicture("a.webp", webp(vp8x(4, 4), anmf(4, 4, vp8l(4, 4)), anmf(4, 4, vp8l(4, 4))))).not.toBeNull();
  expect(cleanPicture("a.webp", WEBP_WITH_METADATA)).not.toBeNull();
});

test("a GIF frame larger than the canvas counts with its own size", () => {
  const wide = GIF_PIXEL.slice();
  wide.set([0xff, 0xff, 0xff, 0xff], 5);
  const picture = cleanPicture("a.gif", concatBytes([GIF_HEAD, wide, GIF_END]));
  expect([picture?.width, picture?.height]).toEqual([65_535, 65_535]);
});

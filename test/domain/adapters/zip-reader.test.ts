import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { isPlainPath } from "#worker/contract/kernel/text.ts";
import {
  type ByteSource,
  findDirectory,
  type ListedEntry,
  readDirectory,
  readEntry,
  ZipProblem,
} from "#worker/adapters/zip-reader.server.ts";
import { readLines } from "#worker/adapters/text-lines.server.ts";

function sourceOf(bytes: Uint8Array): ByteSource {
  const cut = (offset: number, length: number) => new Uint8Array(bytes.slice(offset, offset + length));
  return {
    size: bytes.byteLength,
    read: async (offset, length) => cut(offset, length),
    stream: async (offset, length) => new Blob([cut(offset, length)]).stream() as ReadableStream<Uint8Array>,
  };
}

async function listOf(bytes: Uint8Array): Promise<ListedEntry[]> {
  const source = sourceOf(bytes);
  const place = await findDirectory(source);
  const found: ListedEntry[] = [];
  for (let after = 0; ;) {
    const read = await readDirectory(source, place, after);
    found.push(...read.entries);
    if (read.isEnd) return found;
    ({ after } = read);
  }
}

async function textOf(bytes: Uint8Array, entry: ListedEntry): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of readEntry(sourceOf(bytes), entry)) parts.push(piece);
  return new Blob(parts).text();
}

const codeOf = (work: () => Promise<unknown>) =>
  work().then(
    () => "read",
    (cause: unknown) => (cause instanceof ZipProblem ? cause.code : String(cause)),
  );

const SAMPLE = zipSync({
  "한글 이름.txt": strToU8("안녕하십니까"),
  "deep/stored.bin": [new Uint8Array(100_000).fill(7), { level: 0 }],
  "deep/long.txt": strToU8("가나다\n".repeat(50_000)),
  "empty.txt": new Uint8Array(),
});

test("stored or deflated files of an archive are read", async () => {
  const entries = await listOf(SAMPLE);
  expect(entries.map(({ name, size, problem }) => [name, size, problem])).toEqual([
    ["한글 이름.txt", 18, null],
    ["deep/stored.bin", 100_000, null],
    ["deep/long.txt", 500_000, null],
    ["empty.txt", 0, null],
  ]);
  const [first, , long, empty] = entries as [ListedEntry, ListedEntry, ListedEntry, ListedEntry];
  expect(await textOf(SAMPLE, first)).toBe("안녕하십니까");
  expect(await textOf(SAMPLE, long)).toBe("가나다\n".repeat(50_000));
  expect(await textOf(SAMPLE, empty)).toBe("");
});

/** Changes bytes after the last occurrence of a signature. */
function patched(bytes: Uint8Array, sign: number[], at: number, values: number[]): Uint8Array {
  const copy = bytes.slice();
  for (let from = copy.length - sign.length; from >= 0; from--) {
    if (!sign.every((byte, index) => copy[from + index] === byte)) continue;
    copy.set(values, from + at);
    return copy;
  }
  throw new Error("no such sign");
}
const CENTRAL = [0x50, 0x4b, 0x01, 0x02];
const one = (name: string, text = "x".repeat(50)) => zipSync({ [name]: strToU8(text) });

test("a name without a flag is read as CP949", async () => {
  const bytes = patched(one("abcd.txt"), CENTRAL, 46, [0xc7, 0xd1, 0xb1, 0xdb]);
  expect((await listOf(bytes)).map(({ name, problem }) => [name, problem])).toEqual([["한글.txt", null]]);
});

describe("an invalid archive is reported", () => {
  test("because it is no archive or is truncated", async () => {
    expect(await codeOf(() => listOf(strToU8("-- phpMyAdmin SQL Dump\n".repeat(50))))).toBe("not-zip");
    expect(await codeOf(() => listOf(new Uint8Array()))).toBe("not-zip");
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = SAMPLE.slice(0, Math.floor(SAMPLE.length * share));
      expect([share, await codeOf(() => listOf(cut))]).toEqual([share, "cut"]);
    }
  });

  test.each([
    ["../../etc/passwd", "name"],
    ["/etc/passwd", "name"],
    ["a\\..\\b", "name"],
    ["C:/x", "name"],
    ["a/../../b", "name"],
    ["a..b/c.d", null],
    ["data/file/그림.png", null],
  ])("%s: %s", async (name, problem) => {
    expect((await listOf(one(name)))[0]?.problem).toBe(problem);
    expect(isPlainPath(name)).toBe(problem === null);
  });

  test("because an entry is encrypted, a zip bomb or contradictory", async () => {
    const bytes = one("a.txt");
    expect((await listOf(patched(bytes, CENTRAL, 8, [0x01, 0x08])))[0]?.problem).toBe("locked");
    expect((await listOf(patched(bytes, CENTRAL, 10, [0x0c, 0x00])))[0]?.problem).toBe("method");
    const bomb = zipSync({ "bomb.jsonl": new Uint8Array(20_000_000) });
    expect((await listOf(bomb))[0]?.problem).toBe("bomb");

    // An entry larger than its header is cut off at the declared size.
    const [lying] = await listOf(patched(bomb, CENTRAL, 24, [0x10, 0x27, 0x00, 0x00]));
    let read = 0;
    const reading = async () => {
      for await (const piece of readEntry(sourceOf(bomb), lying as ListedEntry)) read += piece.byteLength;
    };
    expect(await codeOf(reading)).toBe("bomb");
    expect(read).toBeLessThanOrEqual(10_000);

    const [entry] = (await listOf(bytes)) as [ListedEntry];
    expect(await codeOf(() => textOf(bytes, { ...entry, crc: 1 }))).toBe("broken");
    expect(await codeOf(() => textOf(bytes, { ...entry, offset: 5 }))).toBe("broken");
    expect(await codeOf(() => textOf(bytes, { ...entry, compressedSize: bytes.length }))).toBe("cut");
    const spoiled = bytes.slice();
    spoiled.set([255, 255, 255], 30 + "a.txt".length);
    expect(await codeOf(() => textOf(spoiled, entry))).toBe("broken");
  });
});

test("lines are split independently of the chunks", async () => {
  const bytes = strToU8(`하나\n둘\n\n${"길".repeat(1000)}\n끝`);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };
  const lines: (string | null)[] = [];
  for await (const { text } of readLines(pieces(), 100)) lines.push(text);
  expect(lines).toEqual(["하나", "둘", "", null, "끝"]);
});

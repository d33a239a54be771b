import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { cleanUpFiles } from "#worker/domain/file/clean-up.server.ts";
import { callAs, fetchApi } from "../../support/api-client.ts";
import { createTestItem } from "../../support/factories.ts";
import { createMemberSession, type TestSession } from "../../support/people.ts";
import { runSql, testDatabase } from "../../support/test-database.ts";
import { callRawWith } from "../../support/faulty-database.ts";
import { countObjects, PNG_BYTES, uploadBoardFile } from "../../samples/board-files.ts";
import { JPEG_WITH_METADATA, makePng } from "../../samples/picture-samples.ts";
import { expectLog } from "../../support/expected-log.ts";

const photo = makePng(1500, 500, "noise");
const small = (
  id: string,
  session: TestSession,
  query = "width=320",
  headers: Record<string, string> = {},
  method = "GET",
) => fetchApi(method, `/api/file/${id}?thumbnail=true&${query}`, { token: session.accessToken, headers });
const widthOf = async (response: Response) => {
  const info = await env.IMAGES.info(new Blob([await response.arrayBuffer()]).stream());
  return "width" in info ? [info.format, info.width, info.height] : [];
};

test("a picture is served in the smallest size that fits", async () => {
  const person = await createMemberSession();
  const id = await uploadBoardFile(person, "사진.png", photo);
  for (const [query, width] of [
    ["", 320],
    ["width=1", 160],
    ["width=160", 160],
    ["width=161", 320],
    ["width=100&height=100", 320],
    ["width=480&height=320", 1280],
    ["width=20000&height=20000", 1280],
    ["width=-5&height=x", 320],
  ] as const) {
    const answer = await small(id, person, query);
    expect(answer.headers.get("Content-Type"), `${query} ${width}`).toBe("image/webp");
    expect(answer.headers.get("Content-Disposition"), `${query} ${width}`).toContain(
      "filename*=UTF-8''%EC%82%AC%EC%A7%84.webp",
    );
    expect(await widthOf(answer), query).toEqual(["image/webp", width, Math.round(width / 3)]);
  }
});

test("a thumbnail is made once for its original", async () => {
  const person = await createMemberSession();
  const id = await uploadBoardFile(person, "a.png", photo);
  expect((await small(id, person)).headers.get("Content-Length")).toBe(
    (await small(id, person)).headers.get("Content-Length"),
  );
  const keys = async () => (await env.FILES.list()).objects.map(({ key }) => key);
  expect((await keys()).filter((key) => key.startsWith("thumbnail/"))).toHaveLength(1);
  expect(await countObjects()).toBe(2);
  await cleanUpFiles({ db: testDatabase(), files: env.FILES, now: () => new Date(Date.now() + 25 * 3_600_000) }, 24);
  expect(await keys()).toEqual([]);
});

test("a conditional request uses an ETag of each size", async () => {
  const person = await createMemberSession();
  const id = await uploadBoardFile(person, "a.png", photo);
  const first = await small(id, person);
  await first.arrayBuffer();
  const etag = first.headers.get("ETag") ?? "";
  expect(first.headers.get("Cache-Control")).toBe("private, no-store");
  expect((await small(id, person, "width=320", { "If-None-Match": etag })).status).toBe(304);
  const larger = await small(id, person, "width=640", { "If-None-Match": etag });
  expect(larger.status).toBe(200);
  expect(larger.headers.get("ETag")).not.toBe(etag);
  await larger.arrayBuffer();
  const part = await small(id, person, "width=320", { Range: "bytes=0-9" });
  expect([part.status, part.headers.get("Accept-Ranges")]).toEqual([200, "none"]);
  await part.arrayBuffer();
  const head = await small(id, person, "width=320", {}, "HEAD");
  expect([head.headers.get("ETag"), (await head.arrayBuffer()).byteLength]).toEqual([etag, 0]);
});

test("a file that cannot be smaller is served unchanged", async () => {
  const person = await createMemberSession();
  const tiny = await small(await uploadBoardFile(person, "a.png", PNG_BYTES), person);
  expect([tiny.headers.get("Content-Type"), Number(tiny.headers.get("Content-Length"))]).toEqual([
    "image/png",
    PNG_BYTES.length,
  ]);
  await tiny.arrayBuffer();
  expect((await small(await uploadBoardFile(person), person)).headers.get("Content-Type")).toBe("application/pdf");
});

test("the original is served when resizing fails", async () => {
  expectLog(/THUMBNAIL.*limit/, /UPSTREAM_UNAVAILABLE.*limit/);
  const person = await createMemberSession();
  const bearable = await uploadBoardFile(person, "a.png", makePng(900, 300, "noise"));
  const heavy = await uploadBoardFile(person, "b.png", makePng(1500, 900, "noise"));
  // Reads the picture before refusing it, as the service does.
  const output = async (picture: ReadableStream) => {
    await new Response(picture).arrayBuffer();
    throw new Error("IMAGES_TRANSFORM_ERROR 9422: limit");
  };
  const broken = {
    input: (picture: ReadableStream) => ({ transform: () => ({ output: () => output(picture) }) }),
  };
  const ask = (id: string) =>
    callRawWith({ IMAGES: broken }, "GET", `/api/file/${id}?thumbnail=true`, { token: person.accessToken });
  const original = await ask(bearable);
  expect([original.status, original.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  await original.arrayBuffer();
  const refused = await ask(heavy);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "UPSTREAM_UNAVAILABLE" }]);
});

test("a thumbnail contains no camera metadata", async () => {
  const person = await createMemberSession();
  const id = await uploadBoardFile(person, "a.jpg", JPEG_WITH_METADATA);
  await runSql("UPDATE file SET pixel_width = NULL, pixel_height = NULL");
  const answer = await small(id, person);
  const bytes = await answer.clone().bytes();
  expect(new TextDecoder("latin1").decode(bytes)).not.toMatch(/GEHEIM|Exif/);
  expect(await widthOf(answer)).toEqual(["image/webp", 16, 24]);
});

test("an item page includes the addresses of its pictures", async () => {
  const person = await createMemberSession();
  const form = new FormData();
  form.set("file", new File([photo], "a.png"));
  const { data } = await callAs(person, "PUT", "/api/board-item/images", form);
  await createTestItem(person, "free", { content: `<p><img src="${data.url}" alt=""></p>` });
  const list = await callAs(person, "GET", "/api/board-item?boardCode=free");
  expect(list.data.content[0].thumbnailUrl).toBe(`${data.url}?thumbnail=true&width=640`);
});

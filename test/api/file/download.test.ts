import { expect, test } from "vitest";
import { fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";
import { createItemWithFile, fetchFile, PDF_BYTES, uploadBoardFile } from "../../samples/board-files.ts";

test("a Korean file name is sent in NFC under RFC 8187", async () => {
  const person = await createMemberSession();
  const nfd = "한글 파일명".normalize("NFD");
  for (const [given, expected] of [
    [`${nfd}.pdf`, "한글 파일명.pdf"],
    ['"><img onerror>.pdf', "___img onerror_.pdf"],
    ["a\r\nSet-Cookie: x.pdf", "a Set-Cookie_ x.pdf"],
    ["../../etc/값.pdf", "값.pdf"],
    ["\u202etxt.pdf", "txt.pdf"],
    [`${"가".repeat(300)}.pdf`, `${"가".repeat(196)}.pdf`],
    ["it's (1).pdf", "it's (1).pdf"],
  ] as const) {
    const fileId = await uploadBoardFile(person, given);
    const header = (await fetchFile(fileId, person)).headers.get("Content-Disposition") ?? "";
    const name = decodeURIComponent(/filename\*=UTF-8''([^;]+)$/.exec(header)?.[1] ?? "");
    expect(name, given).toBe(expected);
    expect(header, `${given}`).toMatch(
      /^inline; filename="[\x20-\x21\x23-\x7e]*"; filename\*=UTF-8''[A-Za-z0-9%._!~-]+$/,
    );
  }
});

test("executable content is never shown inline", async () => {
  const person = await createMemberSession();
  const text = new TextEncoder().encode("<script>alert(1)</script>");
  const fileId = await uploadBoardFile(person, "a.txt", text);
  const { headers } = await fetchFile(fileId, person);
  expect(headers.get("Content-Disposition")).toMatch(/^attachment;/);
  expect(headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Content-Security-Policy")).toBe("sandbox; default-src 'none'");
  expect(headers.get("Cache-Control")).toBe("private, no-store");
  const inline = await fetchApi("GET", `/api/file/${await uploadBoardFile(person)}?download=true`, {
    token: person.accessToken,
  });
  expect(inline.headers.get("Content-Disposition")).toMatch(/^attachment;/);
});

test("a download supports ranges, conditional requests, HEAD", async () => {
  const person = await createMemberSession();
  const { fileId } = await createItemWithFile(person);
  const size = PDF_BYTES.byteLength;
  const get = (headers: Record<string, string>, method = "GET") => fetchFile(fileId, person, headers, method);
  // workerd warns when a body of a binary type is read as text.
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const part = await get({ Range: "bytes=0-3" });
  expect([part.status, part.headers.get("Content-Range"), decode(await part.bytes())]).toEqual([
    206,
    `bytes 0-3/${size}`,
    "%PDF",
  ]);
  expect(decode(await (await get({ Range: "bytes=-6" })).bytes())).toBe("%%EOF\n");
  expect((await get({ Range: `bytes=${size - 2}-` })).headers.get("Content-Length")).toBe("2");
  expect((await get({ Range: `bytes=5-${size * 9}` })).headers.get("Content-Length")).toBe(String(size - 5));
  for (const beyond of [`bytes=${size}-`, "bytes=-0", "bytes=9-2"]) {
    const refused = await get({ Range: beyond });
    expect([refused.status, refused.headers.get("Content-Range")], JSON.stringify(beyond)).toEqual([
      416,
      `bytes */${size}`,
    ]);
  }
  expect((await get({ Range: "bytes=0-1,3-4" })).status).toBe(200);
  const etag = (await get({})).headers.get("ETag") ?? "";
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    expect((await get({ "If-None-Match": known })).status, known).toBe(304);
  }
  expect((await get({ "If-None-Match": '"x"' })).status).toBe(200);
  expect((await get({ Range: "bytes=0-3", "If-Range": '"x"' })).status).toBe(200);
  const head = await get({}, "HEAD");
  expect([head.status, head.headers.get("Content-Length"), (await head.arrayBuffer()).byteLength]).toEqual([
    200,
    String(size),
    0,
  ]);
});

test("a guest can read a file of a public notice", async () => {
  const { fileId } = await createItemWithFile(await createAdministratorSession(), "notice");
  const answer = await fetchFile(fileId, null);
  expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "public, no-cache"]);
});

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { test as base } from "../fixtures.ts";

const LEAD = /<article class="lead-story"><img src="([^"]+)" alt="" loading="lazy"\/>[\s\S]*?<a href="([^"]+)"/;

const test = base.extend("write", { scope: "file" }, ({ admin, site }) => async (title: string, content: string) => {
  const response = await fetch(`${site.url}/api/board-item/notice`, {
    method: "PUT",
    headers: admin.bearer,
    body: JSON.stringify({ title, content, showItemToMain: true, fileIds: [] }),
  });
  const { data } = (await response.json()) as { data: { itemNo: number } };
  return `/board/notice/View/${data.itemNo}`;
});

test("the lead story goes with the last picture", async ({ db, get, write }) => {
  const [, picture, href = ""] = LEAD.exec((await get("/")).text) ?? [];
  expect([picture, href]).toEqual([expect.stringContaining("thumbnail=true"), expect.stringContaining("/board/")]);
  expect((await get("/")).text.split(`href="${href}"`), "no list repeats it").toHaveLength(2);
  await db.exec("UPDATE board_item SET thumbnail_file_id = NULL");
  await write("그림이 없는 소식", "<p>글</p>");
  const { text } = await get("/");
  expect(text).toContain("그림이 없는 소식");
  expect(text).not.toContain("lead-story");
});

test("the newest item with a picture leads the home page", async ({ admin, get, site, write }) => {
  const uploaded = new FormData();
  const { "Content-Type": _json, ...bearer } = admin.bearer;
  uploaded.set("file", new Blob([readFileSync("app/public/network-share.png")], { type: "image/png" }), "모임.png");
  const upload = await fetch(`${site.url}/api/board-item/images`, { method: "PUT", headers: bearer, body: uploaded });
  const { data } = (await upload.json()) as { data: { fileId: string } };
  const path = await write("가을 모임", `<p><img src="/api/file/${data.fileId}" alt="모임" /></p>`);
  await write("나중의 소식", "<p>글</p>");
  for (const root of ["", "/en"]) {
    const [, picture = "", href] = LEAD.exec((await get(root || "/")).text) ?? [];
    expect(href).toBe(root + path);
    expect(picture).toContain(data.fileId);
    expect((await get(picture.replaceAll("&amp;", "&"))).status).toBe(200);
  }
});

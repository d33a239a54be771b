/** @module-tag full */
import { Buffer } from "node:buffer";
import { env } from "cloudflare:workers";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { callJson, fetchApi } from "../../support/api-client.ts";
import g5 from "../../fixtures/moving/g5.zip?inline";
import wp from "../../fixtures/moving/wp.zip?inline";
import { commitMove, issueCounts, MOVING, readMove, sendArchives, siteDigest, undoMove } from "../../support/move.ts";
import { folderArchive, oldComment, oldDocument, rdxArchive } from "../../samples/moving-archive.ts";
import { makePng } from "../../samples/picture-samples.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

// Parses the archives independently and looks for each element among imported or reported ones.

type Record_ = Record<string, unknown> & { comments: Record<string, unknown>[] };
const bytesOf = (dataUrl: string) =>
  new Uint8Array(Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64")) as Uint8Array<ArrayBuffer>;

function recordsOf(archive: Uint8Array, folder: RegExp): Record_[] {
  return Object.entries(unzipSync(archive))
    .filter(([name]) => folder.test(name))
    .flatMap(([, bytes]) => strFromU8(bytes).trim().split("\n"))
    .map((line) => JSON.parse(line) as Record_);
}

const ELEMENT =
  /<(img|iframe|embed|object|video|audio|script|form|input|a)\b([^>]*)>|\[(gallery|contact-form-7)[^\]]*\]|\[embed\]([^[]*)/g;
const ADDRESS = /\b(?:src|data|href|action|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/;

const elementsOf = (records: Record_[]) =>
  records.flatMap((record) =>
    [...String(record.content).matchAll(ELEMENT)].map(([, tag, attributes = "", code = "embed", embedded = ""]) => {
      const [, double, single, bare] = ADDRESS.exec(attributes) ?? [];
      return { id: Number(record.id), tag: tag ?? code, address: double ?? single ?? bare ?? embedded };
    }),
  );

const YOUTUBE_ID = /(?:embed\/|youtu\.be\/|v=)([\w-]+)/;

/** Where an element was imported or reported; null when it was lost silently. */
function whereabouts(
  { tag, address }: { tag: string; address: string },
  content: string,
  named: string[],
): "arrived" | "named" | null {
  const video = YOUTUBE_ID.exec(address)?.[1];
  if (video && content.includes(`watch?v=${video}`)) return "arrived";
  if (address.startsWith("data:") && /<img src="\/api\/file\//.test(content)) return "arrived";
  if (address !== "" && content.includes(`href="${address}"`)) return "arrived";
  const key = address.replace(/^https?:\/\/[^/]*\//, "").replace(/^\//, "");
  return named.some((line) => (key === "" ? line.includes(tag) : line.includes(key) || line.includes(address)))
    ? "named"
    : null;
}

async function moveIn(
  archive: Uint8Array<ArrayBuffer>,
  folder?: Uint8Array<ArrayBuffer>,
  oldOrigin = "https://old.example.kr",
) {
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const objects = (await env.FILES.list()).objects.length;
  const archives = [
    { kind: "rdx" as const, bytes: archive },
    ...(folder ? [{ kind: "files" as const, bytes: folder }] : []),
  ];
  const id = await sendArchives(token, archives, { oldOrigin });
  const view = await commitMove(token, id);
  const list = await fetchApi("POST", `${MOVING}/${id}/issues`, {
    token,
    body: "{}",
    headers: { "Content-Type": "application/json" },
  });
  const named = (await list.text()).split(/\r?\n/);
  return { token, id, before, objects, view, named };
}

const SITES = [
  ["g5.zip", g5, /^boards\//],
  ["wp.zip", wp, /^posts\//],
] as const;

test.each(SITES)("every element of %s arrives or is listed", async (_name, dataUrl, folder) => {
  const archive = bytesOf(dataUrl);
  const { view, named } = await moveIn(archive);
  expect(view.status).toBe("committed");
  const records = recordsOf(archive, folder);
  const items = await readRows<{ oldNumber: number; content: string }>(
    "SELECT m.old_number AS oldNumber, i.content FROM moved_thing AS m JOIN board_item AS i ON i.id = CAST(m.target_id AS INTEGER) WHERE m.kind = 'item'",
  );
  expect(items.map(({ oldNumber }) => oldNumber).toSorted()).toEqual(
    records.map(({ id: number }) => Number(number)).toSorted(),
  );
  const elements = elementsOf(records);
  expect(elements.length).toBeGreaterThan(0);
  const lost = elements.filter((element) => {
    const content = items.find(({ oldNumber }) => oldNumber === element.id)?.content ?? "";
    return whereabouts(element, content, named) === null;
  });
  expect(lost).toEqual([]);
  for (const { id: number, content } of records) {
    const moved = items.find(({ oldNumber }) => oldNumber === Number(number))?.content ?? "";
    expect([number, moved.includes("(내용 없음)"), String(content).trim() === ""]).toEqual([number, false, false]);
    expect(moved).not.toMatch(/<!--|\[(?:gallery|caption|embed)|wp:/);
  }
  const comments = records.flatMap((record) => record.comments);
  const shown = comments.filter(({ status }) => status === "PUBLIC").map(({ content }) => content);
  expect((await readRows("SELECT content FROM board_item_comment")).map(({ content }) => content)).toEqual(shown);
  const issues = issueCounts(view);
  expect(issues["comment-hidden"] ?? 0).toBe(comments.length - shown.length);
  expect(issues["item-hidden"] ?? 0).toBe(folder.test("posts/") ? 1 : 0);
});

test.each(SITES)("every member of %s arrives unless left", async (_name, dataUrl) => {
  const archive = bytesOf(dataUrl);
  const { view } = await moveIn(archive);
  const issues = issueCounts(view);
  const members = recordsOf(archive, /^members\//);
  const left = members.filter(({ admin_description: memo }) => /\d{8} (?:탈퇴|삭제)함/.test(String(memo)));
  expect(issues["member-left"] ?? 0).toBe(left.length);
  expect(view.committed.members + left.length).toBe(members.length);
  for (const { user_id: userId } of left)
    expect(await readRows("SELECT * FROM user_key WHERE user_key_code = ?", userId)).toEqual([]);
});

test.each(SITES)("an undo of %s leaves nothing", async (_name, dataUrl) => {
  const { token, id, before, objects } = await moveIn(bytesOf(dataUrl));
  expect((await undoMove(token, id)).issues).toEqual([]);
  expect(await siteDigest()).toEqual(before);
  expect((await env.FILES.list()).objects).toHaveLength(objects);
});

const PICTURE = makePng(30, 20);
const NFD = "사진 하나.png".normalize("NFD");
/** Common packings of upload folders, and how texts link to them. */
const FOLDERS: [name: string, entry: string, address: string][] = [
  ["whole, http", "wp-content/uploads/2024/05/pic.png", "http://old.example.kr/wp-content/uploads/2024/05/pic.png"],
  ["whole, www", "wp-content/uploads/2024/05/pic.png", "https://www.old.example.kr/wp-content/uploads/2024/05/pic.png"],
  ["without a scheme", "wp-content/uploads/2024/05/pic.png", "//old.example.kr/wp-content/uploads/2024/05/pic.png"],
  ["relative", "wp-content/uploads/2024/05/pic.png", "/wp-content/uploads/2024/05/pic.png"],
  ["in a folder of the old site", "www/wp-content/uploads/2024/05/pic.png", "/blog/wp-content/uploads/2024/05/pic.png"],
  ["a smaller one of WordPress", "wp-content/uploads/2024/05/pic.png", "/wp-content/uploads/2024/05/pic-300x200.png"],
  ["scaled", "wp-content/uploads/2024/05/pic-scaled.png", "/wp-content/uploads/2024/05/pic-1024x768.png"],
  ["the folder uploads alone", "uploads/2024/05/pic.png", "/wp-content/uploads/2024/05/pic.png"],
  ["the years alone", "2024/05/pic.png", "/wp-content/uploads/2024/05/pic.png"],
  [
    "Korean, decomposed in the archive",
    `wp-content/uploads/${NFD}`,
    `/wp-content/uploads/${encodeURIComponent("사진 하나.png")}`,
  ],
  ["Korean, decomposed in the text", "data/editor/1601/사진 하나.png", `/data/editor/1601/${encodeURIComponent(NFD)}`],
  ["XE3", "storage/app/public/media/public/a.png", "/storage/app/public/media/public/a.png"],
  ["Rhymix", "files/attach/images/1/2/a.png", "./files/attach/images/1/2/a.png"],
  ["a small one of gnuboard", "data/editor/1601/a.png", "/data/editor/1601/thumb-a_600x400.png"],
  ["the folder data from within", "editor/1601/a.png", "/data/editor/1601/a.png"],
];

test.each(FOLDERS)("a picture is found: %s", async (_name, entry, address) => {
  const documents = [oldDocument(1, { content: `<p>글 <img src="${address}" alt="사진"></p>` })];
  const archive = rdxArchive({ boards: { posts: { title: "글", documents } }, index: { source: "WordPress" } });
  const { view } = await moveIn(archive, folderArchive({ [entry]: PICTURE }));
  expect(issueCounts(view)).toEqual({});
  const [item] = await readRows(
    "SELECT content, thumbnail_file_id AS id FROM board_item WHERE board_code = 'old-posts'",
  );
  expect(item?.content).toBe(`<p>글 <img src="/api/file/${String(item?.id)}" alt="사진" /></p>`);
  const answer = await fetchApi("GET", `/api/file/${String(item?.id)}`);
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/png"]);
});

const BASE64 = Buffer.from(PICTURE).toString("base64");

test("pictures in texts become files by their content", async () => {
  const content = [
    `<img src="data:image/png;base64,${BASE64}" alt="도표">`,
    `<img src="data:image/jpeg;base64,${BASE64}">`,
    `<img src="data:image/png;base64,${Buffer.from("<script>").toString("base64")}">`,
    `<img src="data:image/svg+xml;utf8,<svg></svg>">`,
  ].join("");
  const comments = [
    oldComment(5, {
      content: `보기 <img src="data:image/png;base64,${BASE64}" alt="둘"><iframe src="https://youtu.be/abc"></iframe>`,
    }),
  ];
  const { token, id, view, before, objects, named } = await moveIn(
    rdxArchive({ boards: { free: { title: "자유", documents: [oldDocument(1, { content, comments })] } } }),
  );
  expect(view.committed.files).toBe(3);
  expect(issueCounts(view)).toEqual({ "picture-inline": 3, "element-dropped": 2, "element-link": 1 });
  expect(named.filter((line) => line.includes("svg+xml"))).toHaveLength(1);
  const [item] = await readRows("SELECT content, file_count AS files FROM board_item WHERE board_code = 'old-free'");
  expect([String(item?.content).match(/<img src="\/api\/file\//g)?.length, item?.files]).toEqual([2, 1]);
  expect(await readRows("SELECT content FROM board_item_comment")).toEqual([
    { content: "보기 [그림: 둘] https://www.youtube.com/watch?v=abc" },
  ]);
  for (const { id: fileId } of await readRows("SELECT id FROM file WHERE board_code = 'old-free'"))
    expect((await fetchApi("GET", `/api/file/${String(fileId)}`)).status).toBe(200);
  expect((await undoMove(token, id)).issues).toEqual([]);
  expect(await siteDigest()).toEqual(before);
  expect((await env.FILES.list()).objects).toHaveLength(objects);
});

test("a text that becomes empty reports its original content", async () => {
  const contents = [
    `<img src="/data/editor/none.png">`,
    "<script src='/x.js'></script>",
    "",
    "<p>&nbsp;</p>",
    `<iframe></iframe>`,
  ];
  const documents = contents.map((content, at) => oldDocument(at + 1, { content }));
  const { view } = await moveIn(rdxArchive({ boards: { free: { title: "자유", documents } } }));
  const items = await readRows("SELECT content FROM board_item WHERE board_code = 'old-free' ORDER BY item_no");
  expect(items.map(({ content }) => content)).toEqual([
    "<p>(옮기지 못한 내용: data/editor/none.png)</p>",
    "<p>(옮기지 못한 내용: script /x.js)</p>",
    "<p>(내용 없음)</p>",
    "<p>(내용 없음)</p>",
    "<p>(옮기지 못한 내용: iframe)</p>",
  ]);
  expect(issueCounts(view)).toEqual({ "file-missing": 1, "element-dropped": 2, "item-empty": 2 });
});

test("repeated reports are listed once with their count", async () => {
  const content = `<img src="https://i.example/a.png">`.repeat(3) + "<script src=/x.js></script>".repeat(2);
  const documents = [oldDocument(1, { content, title: "여럿" })];
  const { view, named, token, id } = await moveIn(rdxArchive({ boards: { free: { title: "자유", documents } } }));
  expect(issueCounts(view)).toEqual({ "picture-outside": 3, "element-dropped": 2 });
  expect(named.filter((line) => line.includes("i.example/a.png"))).toHaveLength(1);
  expect(named.find((line) => line.includes("i.example/a.png"))).toContain("3개");
  expect((await readMove(token, id)).issues.flatMap(({ subjects }) => subjects)).toContain(
    "free/1 https://i.example/a.png",
  );
});

test("a WordPress gallery shows the pictures of its item", async () => {
  const files = [1, 2].map((number) => ({
    id: number,
    filename: `p${number}.png`,
    path: `url:wp-content/uploads/p${number}.png`,
    url: `wp-content/uploads/p${number}.png`,
  }));
  const content = `[gallery ids="2,3"]<a href="https://old.example.kr/wp-content/uploads/doc.pdf">문서</a> <a href="/wp-content/uploads/none.pdf">없음</a>`;
  const documents = [oldDocument(1, { content, files })];
  const archive = rdxArchive({ boards: { posts: { title: "글", documents } }, index: { source: "WordPress" } });
  const folder = folderArchive({
    "wp-content/uploads/p1.png": PICTURE,
    "wp-content/uploads/p2.png": PICTURE,
    "wp-content/uploads/doc.pdf": "%PDF-1.4 문서",
  });
  const { view } = await moveIn(archive, folder);
  expect(issueCounts(view)).toEqual({ "element-dropped": 1, "file-missing": 1 });
  const [item] = await readRows("SELECT content FROM board_item WHERE board_code = 'old-posts'");
  const linked = /<a href="(\/api\/file\/[0-9a-f-]{36})"[^>]*>문서<\/a>/.exec(String(item?.content))?.[1] ?? "";
  expect((await fetchApi("GET", linked)).headers.get("Content-Disposition")).toContain("doc.pdf");
  expect(String(item?.content).match(/<img /g)).toHaveLength(1);
  expect((await readRows("SELECT file_name AS name FROM file ORDER BY file_name")).map(({ name }) => name)).toEqual([
    "doc.pdf",
    "p1.png",
    "p2.png",
  ]);
  const old = await callJson("GET", "/api/board-item/old-posts/1");
  expect(old.data.files.map(({ fileName }: { fileName: string }) => fileName).toSorted()).toEqual([
    "doc.pdf",
    "p1.png",
  ]);
});

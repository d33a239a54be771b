import { expect, test } from "vitest";
import { callJson } from "../../support/api-client.ts";
import {
  checkMove,
  commitMove,
  finishSteps,
  issueCounts,
  MOVING,
  readMove,
  sendArchives,
  siteDigest,
  startMove,
  undoMove,
} from "../../support/move.ts";
import { oldComment, oldDocument, oldMember, oldNote, type OldSite, rdxArchive } from "../../samples/moving-archive.ts";
import { PASSWORD } from "../../support/moving-site.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

const moveIn = async (site: OldSite) => {
  const { accessToken: token } = await createAdministratorSession();
  const id = await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(site) }]);
  return { token, id };
};

/** Ways in which old sites record a retired or deleted member. */
const LEFT: Record<string, Record<string, unknown>> = {
  "gnuboard, left": { admin_description: "20240105 탈퇴함\n" },
  "gnuboard, left, with an older memo": { admin_description: "20240105 탈퇴함\n2019년 총무이사" },
  "gnuboard, a note above the mark": { admin_description: "연락처 확인 필요\n20240105 탈퇴함" },
  "gnuboard, deleted": { admin_description: "20230101 삭제함\n", email_address: "", password: "", status: "DENIED" },
  "gnuboard, spaces": { admin_description: " 20230101  탈퇴함 " },
  "a word of the office": { admin_description: "본인 요청으로 탈퇴" },
  "a day with signs": { admin_description: "2024-01-05 탈퇴 처리" },
  forced: { admin_description: "2024.1.5 강제탈퇴" },
  "deleted by the office": { admin_description: "계정 삭제 처리" },
  "a leave date": { mb_leave_date: "20240105" },
  "a leave date in a further field": { extra_vars: { mb_leave_date: "20240105" } },
  "Rhymix, deleted": { status: "DELETED" },
  "WordPress, deleted": { deleted: "1" },
  "WordPress, spam": { spam: 1 },
  "WordPress, a spammer by state": { status: "spam" },
};

/** Members who stay, whatever their memo says. */
const STAYING: Record<string, Record<string, unknown>> = {
  "no memo": {},
  "a memo": { admin_description: "2019년 총무이사. 회비 평생" },
  "no leave date": { mb_leave_date: "", extra_vars: { mb_leave_date: "00000000" } },
  "no flags": { deleted: "0", spam: 0, user_status: "0" },
  "a deleted file": { admin_description: "첨부파일삭제 요청함" },
};

test("former members of the old site get no account", { tags: "full" }, async () => {
  const cases = { ...LEFT, ...STAYING };
  const members = Object.values(cases).map((fields, at) =>
    oldMember(`former${at}`, { password: PASSWORD.hash, nick_name: `별명${at}`, ...fields }),
  );
  const documents = members.map((_, at) =>
    oldDocument(at + 1, {
      user_id: `former${at}`,
      nick_name: `별명${at}`,
      comments: [oldComment(at + 100, { user_id: `former${at}`, nick_name: `별명${at}` })],
    }),
  );
  const leftCount = Object.keys(LEFT).length;
  const site = {
    members,
    boards: { free: { title: "자유", documents } },
    notes: [oldNote(1, "former0", `former${leftCount}`), oldNote(2, `former${leftCount}`, "former0")],
  };
  const { token, id } = await moveIn(site);
  const checked = await checkMove(token, id);
  expect(checked.passwords).toEqual([{ kind: expect.any(String), count: Object.keys(STAYING).length }]);
  expect((await startMove(token, checked)).code).toBe("SUCCESS");
  const view = await finishSteps(token, id);
  expect(issueCounts(view)).toEqual({ "member-left": leftCount, "note-owner": 1 });
  expect(issueCounts(checked)).toEqual(issueCounts(view));
  expect(view.committed.members).toBe(Object.keys(STAYING).length);
  for (const [at, name] of Object.keys(LEFT).entries()) {
    const [item] = await readRows(
      `SELECT i.created_user_name AS author, c.created_user_name AS commenter, i.created_user_id = 'moved-in' AS isNobody
       FROM board_item AS i JOIN board_item_comment AS c ON c.item_id = i.id WHERE i.title = ?`,
      `옛 글 ${at + 1}`,
    );
    expect([name, item]).toEqual([name, { author: "탈퇴한 회원", commenter: "탈퇴한 회원", isNobody: 1 }]);
  }
  const body = { userKeyType: "Id", userKeyCode: "former0", password: PASSWORD.password };
  expect((await callJson("POST", "/api/user/signin", { body })).code).toBe("NOT_FOUND");
  expect(await readRows("SELECT other_name AS name FROM old_note")).toEqual([{ name: "탈퇴한 회원" }]);
  expect(await readRows("SELECT old_key FROM moved_thing WHERE kind = 'member' AND old_key = 'former0'")).toEqual([]);
});

/** Members whose memo or name leaves open whether they are active: the office decides. */
const DOUBTFUL: Record<string, Record<string, unknown>> = {
  expelled: { admin_description: "2023.5.1 이사회에서 제명" },
  "thrown out": { admin_description: "광고 글로 강퇴" },
  deceased: { admin_description: "2022년 3월 작고" },
  "deceased, other words": { admin_description: "부인께서 전화, 지난달 별세하심" },
  suspended: { admin_description: "회비 미납, 자격정지" },
  "came back": { admin_description: "2018년 탈퇴 후 재가입" },
  asked: { admin_description: "탈퇴 문의 전화" },
  "marked in the name": { user_name: "故 김옛날" },
};

test("members with an open state come as the office decides", async () => {
  const cases = Object.values(DOUBTFUL);
  const members = [
    oldMember("plain", { admin_description: "2019년 총무이사. 회비 평생" }),
    ...cases.map((fields, at) => oldMember(`doubt${at}`, { password: PASSWORD.hash, ...fields })),
  ];
  const documents = [oldDocument(1, { user_id: "doubt1" }), oldDocument(2, { user_id: "doubt2" })];
  const { token, id } = await moveIn({ members, boards: { free: { title: "자유", documents } } });
  const checked = await checkMove(token, id);
  expect(checked.doubtful.map(({ userId }) => userId)).toEqual(cases.map((_, at) => `doubt${at}`));
  expect(checked.doubtful[0]?.text).toBe("2023.5.1 이사회에서 제명");
  const undecided = await startMove(token, checked);
  expect([undecided.code, undecided.fields]).toEqual(["INVALID_INPUT", { doubtfulOthers: expect.any(String) }]);
  const partly = await startMove(token, checked, { doubtful: { doubt0: "left" } });
  expect(partly.code).toBe("INVALID_INPUT");
  expect(await readRows("SELECT id FROM user WHERE user_name = '김옛날'")).toEqual([]);

  const decided = { doubtful: { doubt1: "left", doubt5: "active", doubt6: "active" }, doubtfulOthers: "blocked" };
  expect((await startMove(token, checked, decided)).code).toBe("SUCCESS");
  const view = await finishSteps(token, id);
  expect(issueCounts(view)).toMatchObject({ "member-doubt": cases.length, "member-denied": cases.length - 3 });
  const states = await readRows<{ key: string; status: string }>(
    "SELECT k.user_key_code AS key, u.status AS status FROM user AS u JOIN user_key AS k ON k.user_id = u.id WHERE k.user_key_type = 'Id' AND k.user_key_code <> 'admin' ORDER BY 1",
  );
  const active = new Set(["plain", "doubt5", "doubt6"]);
  const expected = ["plain", ...cases.map((_, at) => `doubt${at}`)]
    .filter((key) => key !== "doubt1")
    .toSorted()
    .map((key) => ({ key, status: active.has(key) ? "active" : "blocked" }));
  expect(states.filter(({ key }) => /^(?:plain|doubt)/.test(key))).toEqual(expected);
  const authors = await readRows(
    "SELECT created_user_name AS author FROM board_item WHERE board_code = 'old-free' ORDER BY item_no",
  );
  expect(authors.map(({ author }) => author === "탈퇴한 회원")).toEqual([true, false]);
});

const RESTRICTED: [source: string, more: Record<string, unknown>, isShown: boolean][] = [
  ["WordPress", { password: "1234" }, false],
  ["WordPress", { post_password: "1234" }, false],
  ["WordPress", { password: "" }, true],
  // A guest's own password, which lets them edit.
  ["Gnuboard5", { password: "*A4B6157319038724E3560894F7F932C8886EBFCF" }, true],
  ["Rhymix", { is_secret: "Y" }, false],
  ["Rhymix", { is_secret: "N" }, true],
  ["WordPress", { visibility: "private" }, false],
  ["WordPress", { visibility: "public" }, true],
];

test.each(RESTRICTED)("a public item of %s with %j is shown: %s", async (source, more, isShown) => {
  const documents = [oldDocument(1, { status: "PUBLIC", ...more })];
  const { token, id } = await moveIn({ boards: { free: { title: "자유", documents } }, index: { source } });
  const view = await commitMove(token, id);
  expect(issueCounts(view)["item-hidden"] ?? 0).toBe(isShown ? 0 : 1);
  const [row] = await readRows("SELECT deleted_date IS NULL AS isShown FROM board_item WHERE board_code = 'old-free'");
  expect(row).toEqual({ isShown: isShown ? 1 : 0 });
});

test.each(["SUSPENDED", "LIMITED", "", undefined, "나중에"])(
  "a member of the state %j arrives blocked",
  { tags: "full" },
  async (status) => {
    const { token, id } = await moveIn({ members: [oldMember("hong", { status, password: PASSWORD.hash })] });
    expect(issueCounts(await commitMove(token, id))).toEqual({ "member-denied": 1 });
    expect(await readRows("SELECT status FROM user WHERE user_name = '김옛날'")).toEqual([{ status: "blocked" }]);
  },
);

test.each([
  ["20991231", "blocked"],
  ["2099-12-31 00:00:00", "blocked"],
  ["20991231000000", "blocked"],
  ["20200101", "active"],
  ["00000000000000", "active"],
])("a member denied until %s arrives as %s", async (until, status) => {
  const { token, id } = await moveIn({ members: [oldMember("hong", { denied_until_date: until })] });
  await commitMove(token, id);
  expect(await readRows("SELECT status FROM user WHERE user_name = '김옛날'")).toEqual([{ status }]);
});

test("the blocklist of the office blocks moved members by ID or address", async () => {
  const people = ["kim", "lee", "park"].map((name) => oldMember(name, { password: PASSWORD.hash }));
  const { token, id } = await moveIn({ members: people });
  await checkMove(token, id);
  const send = (ids: string[]) => callJson("POST", `${MOVING}/${id}/blocked`, { token, body: { ids } });
  expect((await send(["park"])).code).toBe("SUCCESS");
  expect((await send([" KIM ", "lee@OLD.example.kr", "nobody", "kim", ""])).code).toBe("SUCCESS");
  const view = await readMove(token, id);
  expect(view.blocked).toEqual({ listed: 3, found: 2, unknown: ["nobody"] });
  expect(view.notInArchive.join(" ")).toContain("접근을 차단한 회원에는 표시가 없어");
  expect((await startMove(token, view)).code).toBe("SUCCESS");
  expect(issueCounts(await finishSteps(token, id))).toEqual({ "member-denied": 2 });
  for (const [name, entered] of Object.entries({ kim: false, lee: false, park: true })) {
    const body = { userKeyType: "Id", userKeyCode: name, password: PASSWORD.password };
    expect([name, (await callJson("POST", "/api/user/signin", { body })).code === "SUCCESS"]).toEqual([name, entered]);
  }
  expect(await readRows("SELECT * FROM moving_seen")).toEqual([]);
  expect((await send(["park"])).status).toBe(409);
});

const STATES = ["PUBLIC", "SECRET", "PRIVATE", "TEMP", "TRASH", "EMBARGO", "CENSORED", "draft", "pending", "", null, 1];

/** Visible after the move: public and secret entries only. */
const SEEN: Record<string, { item: string[]; comment: string[] }> = {
  Gnuboard5: { item: ["PUBLIC", "SECRET"], comment: ["PUBLIC"] },
  Rhymix: { item: ["PUBLIC", "SECRET"], comment: ["PUBLIC"] },
  XE1: { item: ["PUBLIC", "SECRET"], comment: ["PUBLIC"] },
  Zeroboard: { item: ["PUBLIC", "SECRET"], comment: ["PUBLIC"] },
  Hoewon: { item: ["PUBLIC", "SECRET"], comment: ["PUBLIC"] },
  WordPress: { item: ["PUBLIC"], comment: ["PUBLIC"] },
  XE3: { item: ["PUBLIC"], comment: ["PUBLIC"] },
};

test.each(Object.entries(SEEN))(
  "items of %s with unknown states are never shown",
  { tags: "full" },
  async (source, seen) => {
    const items = STATES.map((status, at) => oldDocument(at + 1, { status, title: String(status) }));
    const comments = STATES.map((status, at) => oldComment(at + 100, { status, content: String(status) }));
    const { token, id } = await moveIn({
      boards: {
        free: { title: "자유", documents: [...items, oldDocument(90, { title: "댓글", comments })] },
      },
      index: { source },
    });
    const before = await siteDigest();
    const view = await commitMove(token, id);
    const rows = await readRows<{ title: string; secret: number; hidden: number }>(
      "SELECT title, is_secret AS secret, deleted_date IS NOT NULL AS hidden FROM board_item WHERE board_code = 'old-free' AND title <> '댓글' ORDER BY item_no",
    );
    expect(rows).toHaveLength(STATES.length);
    expect(rows.filter(({ hidden }) => !hidden).map(({ title }) => title)).toEqual(seen.item);
    expect(rows.filter(({ secret }) => secret).map(({ title }) => title)).toEqual(
      seen.item.filter((s) => s === "SECRET"),
    );
    expect(await readRows("SELECT content FROM board_item_comment")).toEqual(
      seen.comment.map((content) => ({ content })),
    );
    const hidden = STATES.length - seen.item.length;
    const issues = issueCounts(view);
    expect(issues["item-hidden"]).toBe(hidden);
    expect((issues["comment-hidden"] ?? 0) + (issues["comment-secret"] ?? 0)).toBe(STATES.length - seen.comment.length);
    // Guests see only public items, and the undo also empties the bin.
    for (const [at, status] of STATES.entries()) {
      const answer = await callJson("GET", `/api/board-item/old-free/${at + 1}`);
      expect([status, answer.status === 200]).toEqual([status, status === "PUBLIC"]);
    }
    expect((await undoMove(token, id)).issues).toEqual([]);
    expect(await siteDigest()).toEqual(before);
  },
);

test("comments of a secret item become secret", { tags: "full" }, async () => {
  const comments = ["PUBLIC", "SECRET", "TRASH", "0"].map((status, at) =>
    oldComment(at + 10, { status, content: status }),
  );
  const documents = [oldDocument(1, { status: "SECRET", comments })];
  const { token, id } = await moveIn({ boards: { free: { title: "자유", documents } } });
  expect(issueCounts(await commitMove(token, id))).toEqual({ "comment-hidden": 2 });
  expect(await readRows("SELECT content FROM board_item_comment ORDER BY rowid")).toEqual([
    { content: "PUBLIC" },
    { content: "SECRET" },
  ]);
});

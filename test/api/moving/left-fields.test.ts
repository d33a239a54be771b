import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { leftFields, readDocument, readMember, readNote } from "#worker/domain/moving/rdx-record.server.ts";
import g5 from "../../fixtures/moving/g5.zip?inline";
import wp from "../../fixtures/moving/wp.zip?inline";
import {
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  oldNote,
  type OldSite,
  rdxArchive,
} from "../../samples/moving-archive.ts";
import { callJson } from "../../support/api-client.ts";
import { checkMove, commitMove, issueCounts, sendArchives, siteDigest, undoMove } from "../../support/move.ts";
import { PASSWORD } from "../../support/moving-site.ts";
import { createAdministratorSession } from "../../support/people.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { sample, SAMPLE_NOTE } from "../../support/sample.ts";

type Fields = Record<string, unknown>;

const bytesOf = (dataUrl: string) =>
  new Uint8Array(Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64")) as Uint8Array<ArrayBuffer>;
const context = { timeZone: "Asia/Seoul", now: new Date(), source: "Gnuboard5" };

/** One record of each kind, and a reader of the record that holds it. */
const KINDS: Record<
  string,
  { record: Fields; read: (record: Fields) => ReturnType<typeof readDocument> | object | null }
> = {
  member: { record: oldMember("hong"), read: (record) => readMember(record, context) },
  item: { record: oldDocument(1), read: (record) => readDocument(record, context) },
  comment: { record: oldComment(1), read: (record) => readDocument(oldDocument(1, { comments: [record] }), context) },
  file: {
    record: oldFile(1, "가.hwp", "data/a"),
    read: (record) => readDocument(oldDocument(1, { files: [record] }), context),
  },
  note: { record: oldNote(1, "a", "b"), read: (record) => readNote(record, context) },
};
/** Counted, measured or decided here again; the address of a file only replaces its path. */
const DERIVED = /^(?:comment_count|file_count|mime_type|original_type|width|height|is_valid|url)$/;
const TEXTS = ["Y", "N", "20200101000000", "20991231000000", "rdx:probe", "APPROVED", "SECRET", "Sent"];
const PROBES = [...TEXTS, 77, ["probe"], { probe: "p" }, [oldComment(9)], [oldFile(9, "나.hwp", "data/b")]];

const leftOf = (read: object | null) =>
  read === null ? [] : leftFields((read as { findings: Parameters<typeof leftFields>[0] }).findings);
const shown = (read: object | null) => JSON.stringify({ ...read, findings: undefined });

const FIELDS = Object.entries(KINDS).flatMap(([kind, { record }]) =>
  [...Object.keys(record), "made_up"].map((name) => [kind, name] as const),
);

test.each(
  sample(
    FIELDS,
    (field) => field.join("."),
    ([kind]) => kind,
  ),
)(`a value in %s.%s is taken or counted (${SAMPLE_NOTE})`, { tags: "sampled" }, (kind, name) => {
  const { record, read } = KINDS[kind] ?? { record: {}, read: () => null };
  const counted = leftOf(read({ ...record, [name]: "탐침" })).includes(`${kind} ${name}`);
  const results = new Set(["탐침", null, ...PROBES].map((probe) => shown(read({ ...record, [name]: probe }))));
  const isSameName = name === "user_name" && kind !== "member";
  expect([name, counted]).toEqual([name, results.size === 1 && !DERIVED.test(name) && !isSameName]);
});

test.each([
  0,
  "0",
  "",
  " ",
  "N",
  null,
  false,
  [],
  {},
  "00000000000000",
  "0000-00-00 00:00:00",
  { address: ["", null] },
])("an empty or default value %j is not counted", (value) => {
  for (const [kind, { record, read }] of Object.entries(KINDS))
    expect(leftOf(read({ ...record, made_up: value }))).not.toContain(`${kind} made_up`);
});

const leftIn = async (archive: Uint8Array<ArrayBuffer>) => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes: archive }]));
  return { token, view, left: Object.fromEntries(view.left.map(({ label, count }) => [label, count])) };
};

test("the check of a gnuboard archive names omissions with counts", async () => {
  const { view, left } = await leftIn(bytesOf(g5));
  expect(left).toMatchObject({
    "회원: 포인트": 2,
    "회원: 메모": 1,
    "회원: 별명": 6,
    "회원: 마지막 로그인": 6,
    "글: 추천": 2,
    "글: 비추천": 1,
    "글: 굵은 제목": 1,
    "글: 제목 색": 1,
    "댓글: 추천": 1,
  });
  expect(Object.keys(left).join(" ")).not.toMatch(/undefined|짧은 주소|댓글 수/);
  expect(view.consents).toEqual({ mail: 5, text: 0 });
  expect(view.notInArchive.join(" ")).toMatch(/1:1 문의, FAQ, 내용 페이지, 메뉴, 설문.*쇼핑/);
});

test("each unknown field is counted under its own name", async () => {
  const members = Array.from({ length: 250 }, (_, at) => oldMember(`m${at}`, { [`field_${at}`]: "값" }));
  const extra = { extra_vars: { "나의 항목": "값" } };
  const documents = [oldDocument(1, { comments: [oldComment(2, extra)], files: [oldFile(1, "a.hwp", "x", extra)] })];
  const small = await leftIn(
    rdxArchive({ members: members.slice(0, 1), boards: { free: { title: "자유", documents } } }),
  );
  expect(small.left).toMatchObject({ "회원: field_0": 1, "댓글: 나의 항목": 1, "첨부파일: 나의 항목": 1 });
  await callJson("POST", `/api/admin/moving/${small.view.id}/cancel`, { token: small.token, body: {} });
  const { view, left } = await leftIn(rdxArchive({ members }));
  expect(view.left.length).toBeLessThanOrEqual(201);
  expect(Object.values(left).reduce((sum, count) => sum + count, 0)).toBe(250 * 7);
});

async function moveIn(site: OldSite | Uint8Array<ArrayBuffer>) {
  const { accessToken: token } = await createAdministratorSession();
  const before = await siteDigest();
  const bytes = site instanceof Uint8Array ? site : rdxArchive(site);
  const id = await sendArchives(token, [{ kind: "rdx", bytes }]);
  return { token, id, before, view: await commitMove(token, id) };
}
const CONSENTS =
  "SELECT user_key_code AS who, code, version, agreed, date(c.created_date / 1000, 'unixepoch', '+9 hours') AS day FROM user_consent AS c JOIN user_key USING (user_id) WHERE user_key_type = 'Id' ORDER BY 1, 2";

test("consent to advertising comes along with its day", async () => {
  const members = [
    oldMember("both", { allow_sms: "1", allow_sms_date: "20240102", allow_mailing_date: "2023-05-06 07:08:09" }),
    oldMember("flag", { allow_mailing: 1 }),
    oldMember("none", { allow_mailing: "N", allow_sms: "0" }),
    oldMember("gone", { admin_description: "20240105 탈퇴함" }),
  ];
  const { token, id, before } = await moveIn({ members });
  const today = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
  const row = { version: "이전 사이트", agreed: 1 };
  expect(await readRows(CONSENTS)).toEqual([
    { who: "both", code: "newsletter", ...row, day: "2023-05-06" },
    { who: "both", code: "newsletter-sms", ...row, day: "2024-01-02" },
    { who: "flag", code: "newsletter", ...row, day: today },
  ]);
  expect((await undoMove(token, id)).issues).toEqual([]);
  expect(await siteDigest()).toEqual(before);
});

test.each(["WordPress", "XE3"])("%s asks for no consent, so none is stored", async (source) => {
  const { view } = await moveIn(
    source === "WordPress" ? bytesOf(wp) : { members: [oldMember("a")], index: { source } },
  );
  expect(view.committed.members).toBeGreaterThan(0);
  expect(view.consents).toEqual({ mail: 0, text: 0 });
  expect(await readRows(CONSENTS)).toEqual([]);
});

test("an answer given here keeps a moved member", async () => {
  const { token, id } = await moveIn({ members: [oldMember("hong")] });
  await runSql(
    "INSERT INTO user_consent (user_id, code, version, agreed, text_hash, created_date) SELECT id, 'newsletter', '', 0, '', ? FROM user WHERE user_name = '김옛날'",
    Date.now() + 1000,
  );
  const { issues } = await undoMove(token, id);
  expect(issues.map(({ code, subjects }) => [code, subjects])).toEqual([["undo-kept", ["회원 hong"]]]);
});

test("an item whose comments were closed takes none here, from no one", async () => {
  const documents = [oldDocument(1, { allow_comment: "N", comments: [oldComment(5)] }), oldDocument(2)];
  const { token, id } = await moveIn({
    members: [oldMember("hong", { password: PASSWORD.hash })],
    boards: { free: { title: "자유", documents } },
  });
  const signin = { userKeyType: "Id", userKeyCode: "hong", password: PASSWORD.password };
  const { data } = await callJson("POST", "/api/user/signin", { body: signin });
  const comment = (itemNo: number, by: string) =>
    callJson("PUT", `/api/board-item-comment/old-free/${itemNo}`, { token: by, body: { content: "새 댓글" } });
  for (const by of [token, data.accessToken]) {
    const refused = await comment(1, by);
    expect([refused.code, refused.fields?.content]).toEqual(["INVALID_INPUT", "댓글을 닫은 글입니다."]);
  }
  expect((await callJson("GET", "/api/board-item/old-free/1")).data.isCommentClosed).toBe(true);
  expect((await callJson("GET", "/api/board-item-comment?boardCode=old-free&itemNo=1")).data).toHaveLength(1);
  expect((await comment(2, token)).code).toBe("SUCCESS");
  expect((await undoMove(token, id)).status).toBe("undone");
});

test.each([
  ["Gnuboard5", "DENIED", "waiting"],
  ["Gnuboard5", "UNAUTHED", "waiting"],
  ["Rhymix", "UNAUTHED", "waiting"],
  ["Rhymix", "DENIED", "blocked"],
  ["Hoewon", "UNAUTHED", "waiting"],
])("a member of %s in the state %s arrives as %s", async (source, status, here) => {
  const members = [oldMember("hong", { status, password: PASSWORD.hash })];
  const { token, view } = await moveIn({ members, index: { source } });
  expect(issueCounts(view)).toEqual({ [here === "waiting" ? "member-waiting" : "member-denied"]: 1 });
  const [row] = await readRows<{ id: string; status: string }>(
    "SELECT id, status FROM user WHERE user_name = '김옛날'",
  );
  expect(row?.status).toBe(here);
  const signin = { userKeyType: "Id", userKeyCode: "hong", password: PASSWORD.password };
  expect((await callJson("POST", "/api/user/signin", { body: signin })).code).not.toBe("SUCCESS");
  if (here !== "waiting") return;
  const approved = await callJson("POST", "/api/admin/member/approve", { token, body: { ids: [row?.id] } });
  expect(approved.code).toBe("SUCCESS");
  expect((await callJson("POST", "/api/user/signin", { body: signin })).code).toBe("SUCCESS");
});

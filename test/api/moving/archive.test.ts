import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { ARCHIVE_PROBLEMS } from "#worker/contract/moving/rules.ts";
import { callJson, fetchApi } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSession,
  createTestRole,
} from "../../support/people.ts";
import {
  checkMove,
  commitMove,
  finishSteps,
  issueCounts,
  MOVING,
  newBoards,
  sendArchives,
  startMove,
  siteDigest,
  undoMove,
} from "../../support/move.ts";
import { readRow, runSql } from "../../support/test-database.ts";
import { oldDocument, oldFile, oldMember, rdxArchive } from "../../samples/moving-archive.ts";

const SMALL = { members: [oldMember("kim")], boards: { free: { title: "자유", documents: [oldDocument(1)] } } };
const text = (value: string) => new TextEncoder().encode(value) as Uint8Array<ArrayBuffer>;

const BAD: [name: string, bytes: Uint8Array<ArrayBuffer>, message: string][] = [
  ["a dump", text("-- phpMyAdmin SQL Dump\n".repeat(100)), ARCHIVE_PROBLEMS["not-zip"]],
  ["a cut zip", rdxArchive(SMALL).slice(0, 600), ARCHIVE_PROBLEMS.cut],
  ["no RDX", rdxArchive({ index: { entries: "x" } }), ARCHIVE_PROBLEMS["bad-index"]],
  ["a newer format", rdxArchive({ ...SMALL, index: { version: "1.1" } }), ARCHIVE_PROBLEMS.newer],
  ["a newer format", rdxArchive({ ...SMALL, index: { version: "2.0" } }), ARCHIVE_PROBLEMS.newer],
  ["a format of no number", rdxArchive({ ...SMALL, index: { version: "latest" } }), ARCHIVE_PROBLEMS["bad-index"]],
  ["nothing in it", rdxArchive({}), ARCHIVE_PROBLEMS.empty],
];

test.each(BAD)("%s is refused with advice", async (_name, bytes, message) => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]));
  expect([view.status, view.problem]).toEqual(["failed", `old-0.zip: ${message}`]);
  expect((await callJson("PUT", MOVING, { token, body: { site: "다시" } })).code).toBe("SUCCESS");
});

test("path traversal or a zip bomb is skipped with a report", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const bytes = rdxArchive({
    ...SMALL,
    files: { "../climb.txt": "x", "data/file/free/bomb.bin": new Uint8Array(30_000_000) },
    boards: {
      free: {
        title: "자유",
        documents: [oldDocument(1, { files: [oldFile(1, "bomb.txt", "data/file/free/bomb.bin")] })],
      },
    },
    index: {
      entries: [
        { filename: "boards/free_1.jsonl", type: "board", title: "자유", range: "1-1" },
        { filename: "boards/none_1.jsonl", type: "board", title: "없음", range: "1-1" },
        { filename: "x", type: "poll", title: "", range: "" },
      ],
    },
  });
  const view = await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]));
  expect(view.status).toBe("committed");
  expect(issueCounts(view)).toEqual({
    "entry-missing": 1,
    "entry-unlisted": 1,
    "entry-bad": 2,
    "file-missing": 1,
  });
});

test("a preview commits nothing", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const documents = [1, 2, 3].map((id) =>
    oldDocument(id, { category: id > 1 ? "질문" : "", is_notice: id === 1 ? "Y" : "N" }),
  );
  const bytes = rdxArchive({
    members: [oldMember("a", { groups: ["정회원"], extra_vars: { mb_1: "x" } }), oldMember("b", { password: "?" })],
    boards: { free: { title: "자유", documents } },
  });
  const before = await env.DB.prepare(
    "SELECT (SELECT count(*) FROM user) + (SELECT count(*) FROM board) + (SELECT count(*) FROM board_item) AS n",
  ).first("n");
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]));
  expect(view).toMatchObject({
    status: "checked",
    source: "Gnuboard5",
    counts: { members: 2, boards: 1, items: 3, comments: 0, files: 0, notes: 0 },
    groups: [{ name: "정회원", count: 1 }],
    passwords: [
      { kind: "pbkdf2", count: 1 },
      { kind: "unknown", count: 1 },
    ],
    boards: [{ key: "free", title: "자유", items: 3, notices: 1, categories: { 질문: 2 } }],
  });
  expect(view.fields.map(({ name }) => name).toSorted()).toEqual(["mb_1", "phone_number"]);
  expect(
    await env.DB.prepare(
      "SELECT (SELECT count(*) FROM user) + (SELECT count(*) FROM board) + (SELECT count(*) FROM board_item) AS n",
    ).first("n"),
  ).toBe(before);
});

test("permissions follow the mapping of boards", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const roleCode = await createTestRole(["Alumni_Read"]);
  const bytes = rdxArchive({
    members: [oldMember("a", { groups: ["정회원"], extra_vars: { mb_1: "서울의대" } })],
    boards: {
      free: { title: "자유", documents: [oldDocument(1, { category: "질문" })] },
      skip: { title: "버릴 것", documents: [oldDocument(1)] },
      talk_2: { title: "모임", documents: [oldDocument(1)] },
    },
  });
  const view = await commitMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]), {
    boards: {
      free: { to: "board", boardCode: "free" },
      skip: { to: "skip" },
      talk_2: { to: "new", boardCode: "talk", boardName: "모임", boardType: "gallery", access: "members" },
    },
    groups: { 정회원: roleCode },
    fields: { mb_1: { to: "new", name: "출신 학교" } },
  });
  expect(view.committed.items).toBe(2);
  expect(view.issues.map(({ code }) => code)).toContain("board-skipped");
  const person = await env.DB.prepare(
    "SELECT role_code AS role, profile FROM user WHERE id = (SELECT user_id FROM user_key WHERE user_key_code = 'a')",
  ).first<{ role: string; profile: string }>();
  expect(person?.role).toBe(roleCode);
  expect(Object.values(JSON.parse(person?.profile ?? "{}"))).toEqual(["서울의대"]);
  const categories = await env.DB.prepare("SELECT categories FROM board WHERE board_code = 'free'").first<string>(
    "categories",
  );
  expect(JSON.parse(categories ?? "[]")).toContain("질문");
  expect((await callJson("GET", "/api/board-item?boardCode=talk")).status).toBe(401);
  const member = await createMemberSession();
  expect(
    (await callJson("GET", "/api/board-item?boardCode=talk", { token: member.accessToken })).data.content,
  ).toHaveLength(1);
});

test("a move cannot grant rights that its user does not hold", async () => {
  const roleCode = await createTestRole(["ADMIN_Access"]);
  const strong = await createTestRole(["Alumni_Export"]);
  const { accessToken: token } = await createSession({ roleCode });
  const bytes = rdxArchive({ ...SMALL, members: [oldMember("a", { groups: ["정회원"] })] });
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]));
  const strengthened = await startMove(token, view, { boards: { free: { to: "skip" } }, groups: { 정회원: strong } });
  const foreign = await startMove(token, view, { boards: { free: { to: "board", boardCode: "notice" } } });
  expect([strengthened.status, foreign.status]).toEqual([403, 403]);
  expect((await startMove(token, view, { boards: { free: { to: "skip" } } })).code).toBe("SUCCESS");
});

test("an incomplete or late mapping is refused", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SMALL) }]));
  const taken = { free: { to: "new", boardCode: "notice", boardName: "겹침", boardType: "list", access: "public" } };
  expect((await startMove(token, view, { boards: {} })).fields).toHaveProperty(["boards.free"]);
  expect((await startMove(token, view, { boards: taken })).fields).toHaveProperty(["boards.free"]);
  expect((await startMove(token, { ...view, version: view.version + 1 })).status).toBe(409);
  const [first, second] = await Promise.all([startMove(token, view), startMove(token, view)]);
  expect([first.status, second.status].toSorted()).toEqual([200, 409]);
  expect((await finishSteps(token, view.id)).committed.items).toBe(1);
  expect((await startMove(token, view, { boards: newBoards(view) })).status).toBe(409);
});

test("an archive completes with its last valid part", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const { data } = await callJson("PUT", MOVING, { token, body: { site: "옛 누리집" } });
  const bytes = rdxArchive(SMALL);
  const body = { kind: "rdx", fileName: "a.zip", size: bytes.byteLength };
  const { data: archive } = await callJson("PUT", `${MOVING}/${data.id}/archive`, { token, body });
  const path = `/api/admin/moving/${data.id}/archive/${archive.id}`;
  const send = (partNo: number, part: Uint8Array<ArrayBuffer>) =>
    fetchApi("PUT", `${path}/part/${partNo}`, {
      token,
      body: part,
      headers: { "Content-Length": String(part.byteLength) },
    });
  expect((await send(1, bytes.slice(1))).status).toBe(400);
  expect((await send(2, bytes)).status).toBe(404);
  expect((await callJson("POST", `${path}/complete`, { token, body: {} })).status).toBe(409);
  expect((await callJson("POST", `${MOVING}/${data.id}/check`, { token, body: {} })).status).toBe(409);
  expect((await send(1, bytes)).status).toBe(200);
  expect((await callJson("PUT", `${MOVING}/${data.id}/archive`, { token, body })).data).toMatchObject({
    id: archive.id,
    parts: [1],
  });
  expect((await callJson("POST", `${path}/complete`, { token, body: {} })).code).toBe("SUCCESS");
  expect((await callJson("POST", `${path}/complete`, { token, body: {} })).code).toBe("SUCCESS");
  expect((await callJson("POST", `${MOVING}/${data.id}/cancel`, { token, body: {} })).code).toBe("SUCCESS");
  expect((await env.FILES.list({ prefix: "moving/" })).objects).toEqual([]);
});

test("members can neither see nor use moves", async () => {
  const { accessToken: admin } = await createAdministratorSession();
  const id = await sendArchives(admin, [{ kind: "rdx", bytes: rdxArchive(SMALL) }]);
  const { accessToken: token } = await createMemberSession();
  const calls: [string, string][] = [
    ["GET", MOVING],
    ["GET", `${MOVING}/${id}`],
    ["POST", `${MOVING}/${id}/check`],
    ["POST", `${MOVING}/${id}/step`],
    ["POST", `${MOVING}/${id}/start`],
    ["POST", `${MOVING}/${id}/cancel`],
    ["POST", `${MOVING}/${id}/undo`],
    ["POST", `${MOVING}/${id}/issues`],
  ];
  for (const [method, path] of calls)
    expect([
      path,
      (await callJson(method, path, { token, ...(method === "POST" ? { body: {} } : {}) })).status,
    ]).toEqual([path, 403]);
});

const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty"];

test("things named like object properties are imported normally", { tags: "full" }, async () => {
  const { accessToken: token } = await createAdministratorSession();
  const roleCode = await createTestRole(["Alumni_Read"]);
  const before = await siteDigest();
  const named = <T>(of: (name: string) => T) => Object.fromEntries(INHERITED.map((name) => [name, of(name)]));
  const bytes = rdxArchive({
    members: [
      ...INHERITED.map((name, at) => oldMember(`m${at}`, { groups: [name], extra_vars: named(() => `값 ${at}`) })),
      oldMember("nobody", { groups: ["valueOf"], extra_vars: { isPrototypeOf: "버릴 값" } }),
    ],
    boards: named((name) => ({
      title: name,
      documents: INHERITED.map((category, at) => oldDocument(at + 1, { category, extra_vars: named(() => "값") })),
    })),
  });
  const id = await sendArchives(token, [{ kind: "rdx", bytes }]);
  const view = await checkMove(token, id);
  const mapped = INHERITED.map((name) => name.replace("__proto__", "_proto_"));
  expect(view.groups.map(({ name }) => name)).toEqual([...mapped, "valueOf"]);
  expect(view.boards.map(({ key }) => key).toSorted()).toEqual(mapped.toSorted());
  for (const { categories } of view.boards)
    expect(Object.entries(categories)).toEqual(INHERITED.map((name) => [name, 1]));
  const boards = Object.fromEntries(
    mapped.map((key, at) => [
      key,
      { to: "new", boardCode: `old-${at}`, boardName: key, boardType: "list", access: "public" },
    ]),
  );
  const answer = await startMove(token, view, {
    boards,
    groups: Object.fromEntries(mapped.map((name) => [name, roleCode])),
    fields: Object.fromEntries(mapped.map((name) => [name, { to: "new", name }])),
  });
  expect(answer.code).toBe("SUCCESS");
  const moved = await finishSteps(token, id);
  expect([moved.status, moved.committed.members, moved.committed.items]).toEqual(["committed", 5, 16]);
  const { results } = await env.DB.prepare(
    "SELECT role_code AS role, profile FROM user WHERE id IN (SELECT target_id FROM moved_thing WHERE kind = 'member') ORDER BY role_code",
  ).all<{ role: string; profile: string }>();
  expect(results.map(({ role }) => role).filter((role) => role === roleCode)).toHaveLength(INHERITED.length);
  expect(results.map(({ profile }) => Object.keys(JSON.parse(profile)).length).toSorted()).toEqual([0, 4, 4, 4, 4]);
  expect((await undoMove(token, id)).status).toBe("undone");
  expect(await siteDigest()).toEqual(before);
});

test("a mapping is required for every board, whatever its name", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const bytes = rdxArchive({ boards: { constructor: { title: "자유", documents: [oldDocument(1)] } } });
  const view = await checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes }]));
  const answer = await startMove(token, view, { boards: {} });
  expect([answer.status, answer.fields]).toEqual([
    400,
    { "boards.constructor": "'자유' 게시판을 어디로 옮길지 정해 주십시오." },
  ]);
});

const checkedMove = async (token: string) =>
  checkMove(token, await sendArchives(token, [{ kind: "rdx", bytes: rdxArchive(SMALL) }]));

test("a stopped move starts again when the office says so", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await checkedMove(token);
  await runSql("UPDATE moving SET status = 'checking', interruptions = 9, error = '멈춤'");
  const retry = (by?: string) => callJson("POST", `/api/admin/moving/${view.id}/retry`, { token: by, body: {} });
  expect((await retry()).code).toBe("UNAUTHORIZED");
  expect((await retry((await createMemberSession()).accessToken)).code).toBe("FORBIDDEN");
  expect(await readRow("SELECT interruptions FROM moving")).toEqual({ interruptions: 9 });
  expect((await retry(token)).code).toBe("SUCCESS");
  expect(await readRow("SELECT interruptions, error FROM moving")).toEqual({ interruptions: 0, error: "" });
});

test("a move that is not under way cannot be started again", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const view = await checkedMove(token);
  expect((await callJson("POST", `${MOVING}/${view.id}/retry`, { token, body: {} })).code).toBe("CONFLICT");
});

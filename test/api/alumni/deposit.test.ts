import { expect, test } from "vitest";
import { payDigits } from "#worker/contract/alumni/dues/dues.ts";
import { undoDueWork } from "#worker/domain/alumni/dues/work.server.ts";
import { callAs } from "../../support/api-client.ts";
import { callApiWith, faultyDatabase } from "../../support/faulty-database.ts";
import { contextFor } from "../../support/request-scope.ts";
import { createMemberSession, createSessionWith } from "../../support/people.ts";
import { countRows, readRow, readRows, readValue, runSql } from "../../support/test-database.ts";
import { DEPOSITS, openBankOffice } from "./bank-office.ts";
import { addOwingPerson } from "./dues.ts";

const { office, plan, commit, open: openDeposits } = openBankOffice();

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
let serial = 0;

const makeId = () => `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`;

const addPerson = (name: string, dues?: Record<string, number>, more?: Record<string, unknown>) =>
  addOwingPerson(makeId(), name, dues, more);
const row = (payer: string, amount = 50_000, minute = 0, balance: number | null = null) => ({
  when: `2026-03-02T10:${String(minute).padStart(2, "0")}:00+09:00`,
  payer,
  amount,
  balance,
});

const paidOf = (id: string) => readRows("SELECT period, paid FROM due WHERE alumni_id = ? ORDER BY period", id);

const TABLES = ["due", "deposit", "due_allocation", "due_kind"];
const digest = async () =>
  JSON.stringify(await Promise.all(TABLES.map((table) => readRows(`SELECT * FROM ${table} ORDER BY id`))));

test("planning a file changes nothing", async () => {
  const [sky, sea] = [await addPerson("김하늘"), await addPerson("이바다")];
  const a = await addPerson("강다석", { 2025: 30_000 }, { cohort: 3 });
  await addPerson("강다석", {}, { cohort: 9 });
  const rows = [row("김하늘 회비"), row(`이바다${payDigits(sea)}`, 20_000), row("강다석", 30_000), row("(주)가나")];
  const before = await digest();
  const found = await plan(rows, [row("사무비", 10_000)]);
  expect(await digest()).toBe(before);
  expect(found).toMatchObject({ stored: 0, withdrawals: 1, counts: { sure: 2, ask: 1, unknown: 1 } });
  expect(found.rows.map((each: Record<string, unknown>) => [each["pile"], each["cause"], each["why"]])).toEqual([
    ["sure", "inText", null],
    ["sure", "digits", null],
    ["ask", null, "namesakes"],
    ["unknown", null, null],
  ]);
  expect(found.rows[2].people).toEqual(["강다석(3기)", "강다석(9기)"]);
  const { code, data } = await commit(rows);
  expect([code, data]).toEqual(["SUCCESS", { workId: data.workId, added: 4, matched: 2, other: 0 }]);
  expect([await paidOf(sky), await paidOf(sea), await paidOf(a)]).toEqual([
    [{ period: "2026", paid: 50_000 }],
    [{ period: "2026", paid: 20_000 }],
    [{ period: "2025", paid: 0 }],
  ]);
  expect(await readRow("SELECT kind, name, added, matched FROM due_work")).toEqual({
    kind: "bank",
    name: "3월.xlsx",
    added: 4,
    matched: 2,
  });
  const audit = await readRow("SELECT subject_count, detail FROM audit_log WHERE action = 'deposit.import'");
  expect(audit).toEqual({ subject_count: 2, detail: JSON.stringify({ count: 4, matched: 2 }) });
});

test("overlapping files add nothing twice", async () => {
  await addPerson("김하늘");
  const rows = [row("김하늘"), row("가나", 1000, 1), row("가나", 1000, 1), row("다라", 2000, 2, 500)];
  expect((await commit(rows)).data).toMatchObject({ added: 4 });
  const before = await digest();
  for (const overlapping of [rows, rows.slice(0, 3), rows.slice(1), rows.toReversed()]) {
    expect((await plan(overlapping)).stored).toBe(overlapping.length);
    expect((await commit(overlapping)).data).toEqual({ workId: "", added: 0, matched: 0, other: 0 });
  }
  expect([await digest(), await countRows("due_work")]).toEqual([before, 1]);
  const more = [...rows, row("가나", 1000, 1)];
  const { fingerprint } = await plan(more);
  const body = { rows: more, fileName: "x", fingerprint };
  const answers = await Promise.all([1, 2, 3].map(() => callAs(office(), "POST", `${DEPOSITS}/commit`, body)));
  expect(answers.filter(({ code, data }) => code === "SUCCESS" && data.added === 1)).toHaveLength(1);
  expect([await countRows("deposit"), await countRows("due_work")]).toEqual([5, 2]);
});

test("a plan that another payment made stale is refused", async () => {
  const sky = await addPerson("김하늘");
  const rows = [row("김하늘")];
  const { fingerprint } = await plan(rows);
  const paid = await callAs(office(), "PUT", DEPOSITS, { alumniId: sky, amount: 50_000, day: "2026-01-05" });
  expect(paid.code).toBe("SUCCESS");
  const before = await digest();
  const answer = await callAs(office(), "POST", `${DEPOSITS}/commit`, { rows, fileName: "x", fingerprint });
  expect([answer.code, await digest()]).toEqual(["CONFLICT", before]);
});

test("the undo of a file leaves every table as it was", async () => {
  const [sky, sea] = [await addPerson("김하늘", { 2025: 30_000, 2026: 50_000 }), await addPerson("이바다")];
  await callAs(office(), "PUT", DEPOSITS, { alumniId: sky, amount: 10_000, day: "2026-01-05" });
  await commit([row(`이바다${payDigits(sea)}`, 20_000, 7)], { fileName: "먼저.xlsx" });
  const before = await digest();
  const { data } = await commit([row("김하늘", 70_000), row("한빛병원", 30_000, 1), row("x", 1, 2)]);
  expect(await digest()).not.toBe(before);
  const ctx = await contextFor(office());
  expect(await undoDueWork(ctx, data.workId)).toEqual({ restored: 0, removed: 3, kept: [] });
  expect(await digest()).toBe(before);
  await expect(undoDueWork(ctx, data.workId)).rejects.toMatchObject({ code: "CONFLICT" });
});

test("a due that another deposit pays in between is not paid twice", async () => {
  const id = await addPerson("강다석");
  await addPerson("강다석", {});
  await commit([row("강다석"), row("강다석", 50_000, 1)]);
  const [first, second] = (await openDeposits()).map((each: { id: string }) => `${DEPOSITS}/${each.id}/allocate`);
  const body = { people: [id], version: 1 };
  const { DB, broke } = faultyDatabase({
    sql: /INSERT INTO due_allocation/,
    when: async () => expect((await callAs(office(), "POST", second, body)).code).toBe("SUCCESS"),
    times: 1,
  });
  const answer = await callApiWith({ DB }, "POST", first, { token: office()?.accessToken, body });
  expect([answer.status, broke()]).toEqual([409, 1]);
  expect(await paidOf(id)).toEqual([{ period: "2026", paid: 50_000 }]);
});

test("a file is not undone after its thirtieth day", async () => {
  const id = await addPerson("김하늘");
  const { workId } = (await commit([row("김하늘")])).data;
  await runSql("UPDATE due_work SET created_date = created_date - ?", 31 * 86_400_000);
  await expect(undoDueWork(await contextFor(office()), workId)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await paidOf(id)).toEqual([{ period: "2026", paid: 50_000 }]);
});

test("a remembered organisation decides nothing", async () => {
  const people = [await addPerson("김하늘"), await addPerson("이바다"), await addPerson("박구름", { 2026: 30_000 })];
  await commit([row("한빛병원", 130_000)]);
  const [found] = await openDeposits();
  expect(found).toMatchObject({ payer: "한빛병원", amount: 130_000, allocated: 0, why: null, candidates: [] });
  const body = { people, version: 1, remember: true };
  const answer = await callAs(office(), "POST", `${DEPOSITS}/${found.id}/allocate`, body);
  expect(answer.data).toEqual({ version: 2 });
  for (const id of people)
    await runSql(
      "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) VALUES (?1 || ' 2027', ?1, 'k', '2027', 50000, '', 1, 1)",
      id,
    );
  const { counts, rows } = await plan([row("한빛 병원", 150_000, 5)]);
  expect([counts.sure, rows[0].why, rows[0].people.toSorted()]).toEqual([
    0,
    "organisation",
    ["김하늘", "박구름", "이바다"],
  ]);
  expect(JSON.stringify(await readRows("SELECT * FROM due_payer"))).not.toContain("한빛");
});

test("a payer is forgotten with the choice that is taken back", async () => {
  const [sky, sea] = [await addPerson("김하늘"), await addPerson("이바다")];
  await commit([row("한빛병원"), row("한빛병원", 50_000, 1)]);
  const [one, other] = await openDeposits();
  const send = (id: string, act: string, body: object) => callAs(office(), "POST", `${DEPOSITS}/${id}/${act}`, body);
  await send(one.id, "allocate", { people: [sky, sea], version: 1, remember: true });
  await send(other.id, "allocate", { people: [sea], version: 1 });
  expect(await countRows("due_payer")).toBe(2);
  await send(one.id, "release", { version: 2 });
  expect(await countRows("due_payer")).toBe(0);
});

test("an open deposit pays the oldest dues of the chosen candidate", async () => {
  const [a, b] = [await addPerson("강다석", { 2025: 30_000, 2026: 50_000 }), await addPerson("강다석", {})];
  await commit([row("강다석", 100_000)]);
  const [found] = await openDeposits();
  expect([found.why, found.candidates.map(({ id, open }: { id: string; open: number }) => [id, open])]).toEqual([
    "namesakes",
    [
      [a, 80_000],
      [b, 0],
    ],
  ]);
  const send = (act: string, body: object) => callAs(office(), "POST", `${DEPOSITS}/${found.id}/${act}`, body);
  expect((await send("allocate", { people: [], version: 1 })).code).toBe("INVALID_INPUT");
  expect((await send("allocate", { people: [b], version: 1 })).code).toBe("CONFLICT");
  expect((await send("allocate", { people: [a], version: 9 })).code).toBe("CONFLICT");
  expect((await send("release", { version: 1 })).code).toBe("CONFLICT");
  expect((await send("allocate", { people: [a], version: 1 })).data).toEqual({ version: 2 });
  expect(await paidOf(a)).toEqual([
    { period: "2025", paid: 30_000 },
    { period: "2026", paid: 50_000 },
  ]);
  const [part] = await openDeposits();
  expect(part).toMatchObject({ allocated: 80_000, why: "namesakes" });
  expect(part.paidFor).toHaveLength(2);
});

test("a closed deposit is released only when open again", async () => {
  const a = await addPerson("강다석", { 2025: 30_000, 2026: 50_000 });
  await addPerson("강다석", {});
  await commit([row("강다석", 100_000)]);
  const [found] = await openDeposits();
  const send = (act: string, body: object) => callAs(office(), "POST", `${DEPOSITS}/${found.id}/${act}`, body);
  await send("allocate", { people: [a], version: 1 });
  expect((await send("state", { isClosed: true, note: "후원금", version: 2 })).data).toEqual({ version: 3 });
  expect((await send("state", { isClosed: true, version: 3 })).code).toBe("CONFLICT");
  expect((await send("allocate", { people: [a], version: 3 })).code).toBe("CONFLICT");
  expect(await openDeposits()).toEqual([]);
  const { data: closed } = await callAs(
    office(),
    "GET",
    `${DEPOSITS}?state=closed&payer=${encodeURIComponent("강다")}`,
  );
  expect(closed.content).toMatchObject([{ note: "후원금", isClosed: true }]);
  expect((await send("state", { isClosed: false, version: 3 })).data).toEqual({ version: 4 });
  expect((await send("release", { version: 4 })).data).toEqual({ version: 5 });
  expect([(await paidOf(a)).map(({ paid }) => paid), await countRows("due_allocation")]).toEqual([[0, 0], 0]);
});

test("a payment by hand pays the oldest dues first", async () => {
  const sky = await addPerson("김하늘", { 2025: 30_000, 2026: 50_000 });
  const done = await addPerson("이바다", {});
  const put = (body: object) =>
    callAs(office(), "PUT", DEPOSITS, { alumniId: sky, amount: 40_000, day: "2026-01-05", ...body });
  expect((await put({ amount: 90_000 })).fields).toEqual({ amount: "금액이 낼 회비보다 많습니다." });
  expect((await put({ day: "2100-01-01" })).fields).toEqual({ day: "받은 날은 오늘까지 적을 수 있습니다." });
  expect((await put({ alumniId: done })).code).toBe("CONFLICT");
  expect((await put({ alumniId: UNKNOWN })).code).toBe("NOT_FOUND");
  expect((await put({ note: "총회에서 현금" })).code).toBe("SUCCESS");
  expect((await put({})).code).toBe("SUCCESS");
  expect((await paidOf(sky)).map(({ paid }) => paid)).toEqual([30_000, 50_000]);
  expect(await readRows("SELECT DISTINCT source, amount, allocated FROM deposit")).toEqual([
    { source: "hand", amount: 40_000, allocated: 40_000 },
  ]);
});

test("people are found by a part of their name", async () => {
  await addPerson("김하늘");
  await addPerson("이하늘", { 2024: 1000, 2026: 2000 }, { affiliation: "가람의원" });
  await addPerson("박바다");
  const { data } = await callAs(office(), "GET", `${DEPOSITS}/people?name=${encodeURIComponent("하 늘")}`);
  expect(data.map(({ name, open }: { name: string; open: number }) => [name, open])).toEqual([
    ["김하늘", 50_000],
    ["이하늘", 3000],
  ]);
  expect((await callAs(office(), "GET", `${DEPOSITS}/people?name=`)).data).toEqual([]);
});

test("an audit entry has no detail of a payment", async () => {
  const sky = await addPerson("김하늘");
  await commit([row("김하늘 회비"), row("비밀입금", 77_777, 1)]);
  const [found] = await openDeposits();
  await callAs(office(), "POST", `${DEPOSITS}/${found.id}/state`, { isClosed: true, note: "비밀입금", version: 1 });
  await callAs(office(), "PUT", DEPOSITS, { alumniId: sky, amount: 50_000, day: "2026-01-05" });
  const entries = JSON.stringify(await readRows("SELECT * FROM audit_log"));
  expect(entries).not.toMatch(/김하늘|비밀입금|77.?777|50.?000/);
});

test("an account number in the payer's text is not stored", async () => {
  await commit([row("가나 110-123-456789")], { fileName: "거래내역_123456-01-123456.xls" });
  expect(await readValue("SELECT payer FROM deposit")).toBe("가나");
  expect(await readValue("SELECT name FROM due_work")).not.toContain("123456");
});

test("deposits need ADMIN_Access with Dues_Manage", async () => {
  const sky = await addPerson("김하늘");
  await commit([row("모름", 1000)]);
  const [{ id }] = await openDeposits();
  const { fingerprint } = await plan([row("김하늘")]);
  const calls: [string, string, object?][] = [
    ["GET", DEPOSITS],
    ["GET", `${DEPOSITS}/people?name=${encodeURIComponent("김")}`],
    ["PUT", DEPOSITS, { alumniId: sky, amount: 1000, day: "2026-01-05" }],
    ["POST", `${DEPOSITS}/plan`, { rows: [row("김하늘")] }],
    ["POST", `${DEPOSITS}/commit`, { rows: [row("김하늘")], fileName: "x", fingerprint }],
    ["POST", `${DEPOSITS}/${id}/allocate`, { people: [sky], version: 1 }],
    ["POST", `${DEPOSITS}/${id}/release`, { version: 1 }],
    ["POST", `${DEPOSITS}/${id}/alike`, { version: 1 }],
    ["POST", `${DEPOSITS}/${id}/state`, { isClosed: true, version: 1 }],
  ];
  const before = await digest();
  for (const [who, code] of [
    [null, "UNAUTHORIZED"],
    [await createMemberSession(), "FORBIDDEN"],
    [await createSessionWith(["ADMIN_Access", "Alumni_Read", "Alumni_Write"]), "FORBIDDEN"],
    [await createSessionWith(["Dues_Manage"]), "FORBIDDEN"],
  ] as const)
    for (const [method, path, body] of calls) {
      const answer = await callAs(who, method, path, body);
      expect([method, path, answer.code]).toEqual([method, path, code]);
      expect(answer.data).toBeUndefined();
    }
  expect(await digest()).toBe(before);
  const treasurer = await createSessionWith(["ADMIN_Access", "Dues_Manage"]);
  expect((await callAs(treasurer, "GET", DEPOSITS)).code).toBe("SUCCESS");
  for (const act of ["allocate", "release", "alike", "state"])
    expect(
      (await callAs(treasurer, "POST", `${DEPOSITS}/${UNKNOWN}/${act}`, { version: 1, people: [sky], isClosed: true }))
        .code,
    ).toBe("NOT_FOUND");
});

test("a file of 10,000 rows can be undone", { tags: "full" }, async () => {
  await runSql(
    `INSERT INTO alumni (id, name, created_date, modified_date) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
     SELECT printf('00000000-0000-4000-8000-%012d', 100000 + i), '김' || char(44032 + i) || '수', 1, 1 FROM n`,
  );
  await runSql(
    "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) SELECT id || 'd', id, 'k', '2026', 50000, '', 1, 1 FROM alumni WHERE id GLOB '*-0000001*'",
  );
  const rows = Array.from({ length: 5000 }, (_, at) =>
    row(`김${String.fromCodePoint(44_033 + at)}수`, 50_000, at % 60, at),
  );
  const withdrawals = rows.map((each) => ({ ...each, payer: `${each.payer} 반환`, balance: null }));
  const { fingerprint } = await plan(rows, withdrawals);
  const file = { rows, withdrawals, fileName: "2년", fingerprint };
  const { code, data } = await callAs(office(), "POST", `${DEPOSITS}/commit`, file);
  expect([code, data.added, await countRows("deposit")]).toEqual(["SUCCESS", 5000, 10_000]);
  const undone = await callAs(office(), "POST", `/api/admin/due/work/${data.workId}/undo`, {});
  expect([undone.code, await countRows("deposit")]).toEqual(["SUCCESS", 0]);
  expect((await callAs(office(), "POST", `${DEPOSITS}/plan`, { rows: [...rows, row("x")] })).code).toBe(
    "INVALID_INPUT",
  );
});

import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  importCounts,
  downloadFile,
  importAlumniFile,
  importUploadedFile,
  uploadAlumniFile,
} from "../../samples/alumni-files.ts";
import { callAs, callJson } from "../../support/api-client.ts";
import { RATE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { leaveOfLimit } from "../../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { readRows } from "../../support/test-database.ts";

const HEADER_LINE = "이름,기수,졸업연도,소속,이메일,휴대전화";
const TWO = `${HEADER_LINE}\r\n홍길동,3,2004,한빛대학교병원,hong@pid.example.kr,010-0000-0001\r\n김하나,4,2005,새봄병원,,010-0000-0002\r\n`;

const rows = async () => await readRows("SELECT * FROM alumni WHERE deleted_date IS NULL ORDER BY name");
const values = async () =>
  (await rows()).map((row) => [row.name, row.cohort, row.graduation_year, row.affiliation, row.email, row.mobile]);
const undo = (session: TestSession, importId: string) =>
  callAs(session, "POST", `/api/alumni/import/${importId}/undo`, {});

test("importing needs Alumni_Import", async () => {
  const admin = await createAdministratorSession();
  const { fileId } = await uploadAlumniFile(admin, "동문.csv", TWO);
  const { importId } = (await importUploadedFile(admin, fileId)).data;
  const writer = await createSessionWith(["Alumni_Read", "Alumni_Write", "Alumni_Export"]);
  const calls = [
    ["POST", "/api/alumni/upload-url", { fileName: "a.csv", size: 10 }],
    ["POST", "/api/alumni/import-data", { fileId, mode: "upsert" }],
    ["POST", `/api/alumni/import/${importId}/undo`, {}],
    ["GET", "/api/alumni/import", undefined],
    ["GET", "/api/alumni/import-template", undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    expect((await callJson(method, path, { body })).code, `${method} ${path}`).toBe("UNAUTHORIZED");
    for (const person of [await createMemberSession(), writer]) {
      expect((await callAs(person, method, path, body)).code, `${method} ${path}`).toBe("FORBIDDEN");
    }
  }
  expect(await rows()).toHaveLength(2);
});

test("a dry run writes nothing", async () => {
  const admin = await createAdministratorSession();
  const { fileId } = await uploadAlumniFile(admin, "동문.csv", TWO);
  const dry = await importUploadedFile(admin, fileId, { dryRun: true });
  expect(importCounts(dry)).toEqual([2, 0, 0, 0]);
  expect(dry.data.preview[0]).toMatchObject({ row: 2, kind: "insert", name: "홍길동" });
  expect(await rows()).toEqual([]);

  expect(importCounts(await importUploadedFile(admin, fileId))).toEqual([2, 0, 0, 0]);
  expect(await values()).toEqual([
    ["김하나", 4, 2005, "새봄병원", "", "010-0000-0002"],
    ["홍길동", 3, 2004, "한빛대학교병원", "hong@pid.example.kr", "010-0000-0001"],
  ]);
  for (const mode of ["upsert", "insert"]) {
    expect(importCounts(await importUploadedFile(admin, fileId, { mode })), mode).toEqual([0, 0, 2, 0]);
    expect(importCounts(await importAlumniFile(admin, "다시.csv", TWO, { mode })), mode).toEqual([0, 0, 2, 0]);
  }
  expect(await rows()).toHaveLength(2);
});

test("rows with a name only are added once", async () => {
  const admin = await createAdministratorSession();
  const file = "이름\n김민수\n김민수\n이수진\n";
  expect(importCounts(await importAlumniFile(admin, "이름.csv", file))).toEqual([3, 0, 0, 0]);
  expect(importCounts(await importAlumniFile(admin, "이름.csv", file))).toEqual([0, 0, 3, 0]);
  const doubtful = await importAlumniFile(admin, "이름.csv", "이름,소속\n김민수,한빛병원\n");
  expect([importCounts(doubtful), doubtful.data.people.asked]).toEqual([[0, 0, 0, 1], 1]);
  const more = await importAlumniFile(admin, "이름.csv", "이름,휴대전화\n김민수,010-0000-0001\n");
  expect(importCounts(more)).toEqual([1, 0, 0, 0]);
  expect(more.data.warnings).toEqual([{ row: 2, message: "‘김민수’ 이름의 사람이 이미 2명 있습니다." }]);
});

test("a person matches by ID or by name with contact", async () => {
  const admin = await createAdministratorSession();
  await importAlumniFile(admin, "동문.csv", TWO);
  const id = (await rows()).find((row) => row.name === "홍길동")?.id;
  const file = `ID,이름,소속,휴대전화,이메일
${id},홍길순,가온병원,,
,김하나,누리병원,01000000002,
,홍길동,다른병원,010-0000-0009,
,박다른,다른병원,010-0000-0002,
`;
  const answer = await importAlumniFile(admin, "고침.csv", file, { skipInvalid: true });
  expect([importCounts(answer), answer.data.people.asked]).toEqual([[1, 2, 0, 1], 1]);
  expect(answer.data.preview.filter((each: { kind: string }) => each.kind === "update")).toEqual([
    {
      row: 2,
      kind: "update",
      name: "홍길순",
      changes: [
        { field: "name", before: "홍길동", after: "홍길순" },
        { field: "affiliation", before: "한빛대학교병원", after: "가온병원" },
        { field: "email", before: "hong@pid.example.kr", after: "" },
        { field: "mobile", before: "010-0000-0001", after: "" },
      ],
    },
    {
      row: 3,
      kind: "update",
      name: "김하나",
      changes: [{ field: "affiliation", before: "새봄병원", after: "누리병원" }],
    },
  ]);
  const met = (await rows()).find((row) => row.id === id);
  expect(met).toMatchObject({ name: "홍길순", cohort: 3, initials: "ㅎㄱㅅ", version: 2 });
  expect(await rows()).toHaveLength(3);
});

test("one bad row blocks the commit", async () => {
  const admin = await createAdministratorSession();
  const file = `${HEADER_LINE}
홍길동,3,2004,한빛병원,hong@pid.example.kr,010-0000-0001
,4,2005,새봄병원,,010-0000-0002
이메일,5,스물,,틀린주소,123
주민,6,2001,900101-1234567,,
홍길동,3,2004,한빛병원,hong@pid.example.kr,010-0000-0001
오류,#REF!,2001,,,
`;
  const refused = await importAlumniFile(admin, "동문.csv", file);
  expect([refused.status, ...importCounts(refused)]).toEqual([200, 0, 0, 0, 5]);
  expect(refused.data.errors.map((each: Record<string, unknown>) => [each.row, each.column, each.value])).toEqual([
    [3, "이름", ""],
    [4, "졸업연도", "스물"],
    [4, "이메일", "틀린주소"],
    [4, "휴대전화", "123"],
    [5, "소속", "900101-1******"],
    [6, "이름", "홍길동"],
    [7, "기수", "#REF!"],
  ]);
  expect(await rows()).toEqual([]);
  const { fileId } = await uploadAlumniFile(admin, "오류행.xlsx", await downloadFile(admin, refused.data.errorFileUrl));
  expect(importCounts(await importUploadedFile(admin, fileId, { dryRun: true }))).toEqual([1, 0, 0, 4]);

  const skipped = await importAlumniFile(admin, "동문.csv", file, { skipInvalid: true });
  expect([skipped.data.total, ...importCounts(skipped)]).toEqual([6, 1, 0, 0, 5]);
  expect(await rows()).toHaveLength(1);
});

test("columns are recognised by common names in any order", async () => {
  const admin = await createAdministratorSession();
  const file =
    " 핸 드 폰 ,비고,성 명,졸업 년도,직장명,E-Mail\n１００００００００１,메모,ＫＩＭ,2004.2.25,한빛병원,A@PID.example.kr\n";
  expect(importCounts(await importAlumniFile(admin, "동문.csv", file.normalize("NFD")))).toEqual([1, 0, 0, 0]);
  expect((await rows())[0]).toMatchObject({
    name: "KIM",
    mobile: "010-0000-0001",
    memo: "메모",
    graduation_year: 2004,
    affiliation: "한빛병원",
    email: "a@pid.example.kr",
  });
  const odd = "가,나,다\n박하나,한빛병원,010-0000-0002\n";
  for (const mapping of [
    { 가: "name", 나: "affiliation", 다: "mobile" },
    { name: "가", 소속: "나", 휴대전화: "다" },
  ]) {
    expect(
      importCounts(await importAlumniFile(admin, "이상.csv", odd, { mapping, dryRun: true })),
      JSON.stringify(mapping),
    ).toEqual([1, 0, 0, 0]);
  }
  expect((await importAlumniFile(admin, "이상.csv", odd, { mapping: { 라: "name" } })).code).toBe("INVALID_INPUT");
});

test("a year is read from dates or Excel serial numbers", async () => {
  const admin = await createAdministratorSession();
  const years = ["2024-03-05", "2024.3.5", "20240305", "45356", "2024년", "２０２４"];
  const file = `이름,졸업연도,휴대전화\n${years.map((year, at) => `사람${at},${year},0100000000${at}`).join("\n")}`;
  expect(importCounts(await importAlumniFile(admin, "연도.csv", file))).toEqual([6, 0, 0, 0]);
  expect(new Set((await rows()).map((row) => row.graduation_year))).toEqual(new Set([2024]));
});

// "이름,휴대전화\r
// 홍길동,010-0000-0001\r
// " in CP949, as Korean Excel saves it.
const CP949 = new Uint8Array([
  0xc0,
  0xcc,
  0xb8,
  0xa7,
  0x2c,
  0xc8,
  0xde,
  0xb4,
  0xeb,
  0xc0,
  0xfc,
  0xc8,
  0xad,
  0x0d,
  0x0a,
  0xc8,
  0xab,
  0xb1,
  0xe6,
  0xb5,
  0xbf,
  0x2c,
  ...new TextEncoder().encode("010-0000-0001\r\n"),
]);

test("csv is read in UTF-8 or CP949", async () => {
  const admin = await createAdministratorSession();
  const plain = "이름,휴대전화\n홍길동,010-0000-0001\n";
  expect(importCounts(await importAlumniFile(admin, "cp949.csv", CP949))).toEqual([1, 0, 0, 0]);
  expect(importCounts(await importAlumniFile(admin, "bom.csv", `\ufeff${plain}`))).toEqual([0, 0, 1, 0]);
  expect(importCounts(await importAlumniFile(admin, "tab.csv", plain.replaceAll(",", "\t")))).toEqual([0, 0, 1, 0]);
  const quoted = '이름,휴대전화,메모\n"홍길동","010-0000-0001","첫 줄, ""따옴표""\n둘째 줄"\n';
  expect(importCounts(await importAlumniFile(admin, "따옴표.csv", quoted))).toEqual([0, 1, 0, 0]);
  expect((await rows())[0]?.memo).toBe('첫 줄, "따옴표"\n둘째 줄');
});

test("an import can be undone within 30 days", async () => {
  const admin = await createAdministratorSession();
  await importAlumniFile(admin, "동문.csv", TWO);
  const before = await values();
  const changed = TWO.replaceAll("병원", "의료원").concat(
    "박새로,1,2001,,,010-0000-0003\n최새로,1,2001,,,010-0000-0004\n",
  );
  const { importId } = (await importAlumniFile(admin, "고침.csv", changed)).data;
  const edited = (await rows()).find((row) => row.name === "최새로");
  const body = { position: "원장", version: 1 };
  await callAs(admin, "PATCH", `/api/alumni/${edited?.id}`, body);

  const answers = await Promise.all([undo(admin, importId), undo(admin, importId)]);
  const kept = [{ kind: "person", id: edited?.id, name: "최새로", reason: "그 뒤에 고쳤습니다." }];
  const done = answers.flatMap(({ data }) => (data?.removed ? [data] : []));
  expect(done).toEqual([{ removed: 1, restored: 2, kept, left: 0 }]);
  expect((await undo(admin, importId)).data).toEqual({ removed: 0, restored: 0, kept, left: 0 });
  expect((await values()).filter(([name]) => name !== "최새로")).toEqual(before);
  expect((await callAs(admin, "GET", "/api/alumni/import")).data).toMatchObject([
    { fileName: "고침.csv", inserted: 2, updated: 2, undoable: true },
    { fileName: "동문.csv", inserted: 2, undoable: true },
  ]);

  await env.DB.exec("UPDATE alumni_import SET created_date = created_date - 31 * 86400000");
  const [first] = await readRows("SELECT id FROM alumni_import WHERE file_name = '동문.csv'");
  expect((await undo(admin, String(first?.id))).code).toBe("CONFLICT");
  expect(await rows()).toHaveLength(3);
});

test("two simultaneous imports of a file add every person once", async () => {
  const admin = await createAdministratorSession();
  const { fileId } = await uploadAlumniFile(admin, "동문.csv", TWO);
  const answers = await Promise.all(Array.from({ length: 4 }, () => importUploadedFile(admin, fileId)));
  expect(answers.reduce((sum, answer) => sum + (answer.data?.inserted ?? 0), 0)).toBe(2);
  expect(await rows()).toHaveLength(2);
});

test("5,000 rows are committed in one act", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const lines = Array.from({ length: 5000 }, (_, at) => `사람${at},3,2004,한빛대학교병원,p${at}@pid.example.kr,`);
  const file = `${HEADER_LINE}\n${lines.join("\n")}\n`;
  expect(importCounts(await importAlumniFile(admin, "오천.csv", file))).toEqual([5000, 0, 0, 0]);
  expect(importCounts(await importAlumniFile(admin, "오천.csv", file))).toEqual([0, 0, 5000, 0]);
  const logged = await env.DB.prepare("SELECT subject_count FROM audit_log WHERE action = 'alumni.import'").all();
  expect(logged.results).toEqual([{ subject_count: 5000 }]);
});

test("the daily import limit counts rows instead of files", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  await leaveOfLimit(1000, "importLookRowsDay", admin.user.id);
  const file = (from: number, count: number) =>
    `이름,이메일\n${Array.from({ length: count }, (_, at) => `사람,p${from + at}@pid.example.kr\n`).join("")}`;
  for (let at = 0; at < 20; at++)
    expect(importCounts(await importAlumniFile(admin, "동문.csv", file(at, 1))), `${at}`).toEqual([1, 0, 0, 0]);
  // A file that starts within the limit is read whole; all its rows count.
  expect(importCounts(await importAlumniFile(admin, "천.csv", file(0, 1000), { dryRun: true }))[0]).toBe(980);
  for (const answer of [
    await importAlumniFile(admin, "동문.csv", file(30, 1)),
    await callAs(admin, "POST", "/api/alumni/import/open", {
      fileName: "동문.csv",
      headRow: 1,
      heads: ["이름"],
      mapping: { 이름: "name" },
      parts: 1,
    }),
  ])
    expect([answer.code, Number(answer.headers.get("Retry-After")) > 86_000]).toEqual(["TOO_MANY_REQUESTS", true]);
  expect(await rows()).toHaveLength(20);
  expect(importCounts(await importAlumniFile(await createAdministratorSession(), "동문.csv", file(40, 1)))).toEqual([
    1, 0, 0, 0,
  ]);
  await env.DB.exec(`UPDATE rate_limit SET reset_date = ${Date.now() - 1}`);
  expect(importCounts(await importAlumniFile(admin, "동문.csv", file(50, 1)))).toEqual([1, 0, 0, 0]);
  const left = "SELECT (SELECT count(*) FROM alumni_staging) + (SELECT count(*) FROM alumni_staged) AS n";
  expect(await env.DB.prepare(left).first("n")).toBe(0);
});

test("imported rows of a day are counted together", async () => {
  const admin = await createAdministratorSession();
  const file = (from: number, count: number) =>
    `이름,이메일\n${Array.from({ length: count }, (_, at) => `사람,p${from + at}@pid.example.kr\n`).join("")}`;
  expect(importCounts(await importAlumniFile(admin, "구백.csv", file(0, 900)))).toEqual([900, 0, 0, 0]);
  await env.DB.prepare("UPDATE alumni_import SET inserted = ?")
    .bind(RATE_LIMITS.importRowsDay.max - 100)
    .run();
  const refused = await importAlumniFile(admin, "백하나.csv", file(900, 101));
  expect([refused.code, Number(refused.headers.get("Retry-After")) > 86_000]).toEqual(["TOO_MANY_REQUESTS", true]);
  expect(await rows()).toHaveLength(900);
  expect(importCounts(await importAlumniFile(admin, "백.csv", file(900, 100)))).toEqual([100, 0, 0, 0]);
});

test(
  "repeating a name-only file neither compares endlessly nor matches existing people",
  { tags: "full" },
  async () => {
    const admin = await createAdministratorSession();
    const file = `이름\n${"회원\n".repeat(3000)}`;
    expect(importCounts(await importAlumniFile(admin, "회원.csv", file))).toEqual([3000, 0, 0, 0]);
    const again = await importAlumniFile(admin, "회원.csv", file);
    expect(importCounts(again)).toEqual([0, 0, 0, 3000]);
    expect(again.data.errors[0].message).toContain("같은 이름의 사람이 너무 많습니다");
    expect(importCounts(await importAlumniFile(admin, "회원.csv", "이름,이메일\n회원,one@pid.example.kr\n"))).toEqual([
      1, 0, 0, 0,
    ]);
  },
);

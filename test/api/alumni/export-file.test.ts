import { read as readBook } from "@e965/xlsx";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { api } from "#worker/api/app.ts";
import { readRows, runSql } from "../../support/test-database.ts";
import { importCounts, downloadFile, importAlumniFile, exportListed } from "../../samples/alumni-files.ts";
import { callAs, callJson, fetchApi } from "../../support/api-client.ts";
import { createAdministratorSession, createMemberSession } from "../../support/people.ts";

const PERSON = {
  name: "=1+1",
  cohort: 3,
  graduationYear: 2004,
  affiliation: '@한빛 <병원> & "부서"',
  department: "-내과",
  email: "hong@pid.example.kr",
  mobile: "010-0000-0001",
  phone: "+1 617 555 0100",
  zipCode: "03080",
  memo: "첫 줄\n둘째 줄, 쉼표",
};

test.each(["xlsx", "csv"])("an export to %s is imported unchanged", async (format) => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  await callJson("PUT", "/api/alumni", { token, body: PERSON });
  await callJson("PUT", "/api/alumni", { token, body: { name: "김하나", cohort: 4 } });
  const body = { filter: { cohort: 3 }, format, count: 1, reason: "총회 안내" };
  const { data } = await callJson("POST", "/api/alumni/export-data", { token, body });
  expect(data).toEqual({
    fileId: expect.any(String),
    url: expect.stringMatching(/^\/api\/alumni\/export-data\//),
    rows: 1,
    excluded: [],
  });

  const response = await fetchApi("GET", data.url, { token });
  expect(response.headers.get("Content-Disposition")).toMatch(
    new RegExp(`^attachment; .*filename\\*=UTF-8''${encodeURIComponent("동문주소록")}_20\\d{6}\\.${format}$`),
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (format === "xlsx") {
    const { Sheets, SheetNames } = readBook(bytes, { type: "array", cellFormula: true });
    const cells = Object.entries(Sheets[SheetNames[0] ?? ""] ?? {}).filter(([at]) => !at.startsWith("!"));
    expect(cells.filter(([, cell]) => cell.f !== undefined)).toEqual([]);
    expect(cells.find(([at]) => at === "A2")?.[1]).toMatchObject({ t: "s", v: "=1+1" });
    expect(cells.find(([at]) => at === "K2")?.[1]).toMatchObject({ t: "s", v: "03080" });
  }
  if (format === "csv") {
    const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    expect(
      content.startsWith(
        "\ufeff이름,기수,졸업연도,전공,소속,부서,직위,이메일,휴대전화,전화,우편번호,주소,메모,상태,상태 날짜,상태 메모,수신 거부,ID\r\n'=1+1,3,2004",
      ),
    ).toBe(true);
    expect(content).toContain(`"'@한빛 <병원> & ""부서"""`);
    expect(content).toContain("'+1 617 555 0100");
  }
  expect(importCounts(await importAlumniFile(admin, `돌아옴.${format}`, bytes))).toEqual([0, 0, 1, 0]);
});

test("an export keeps the requested columns in order", async () => {
  const admin = await createAdministratorSession();
  const token = admin.accessToken;
  const ids = [];
  for (const [at, name] of ["가나", "나나", "다나"].entries())
    ids.push((await callJson("PUT", "/api/alumni", { token, body: { name, cohort: at } })).data?.id);
  const written = async (body: object) => {
    const { data } = await exportListed(admin, { format: "csv", reason: "확인", ...body });
    return new TextDecoder().decode(await downloadFile(admin, data.url));
  };
  expect(await written({ filter: { sort: "name,DESC" }, columns: ["cohort", "이름"] })).toBe(
    "기수,이름\r\n2,다나\r\n1,나나\r\n",
  );
  expect(await written({ filter: { keyword: "ㄷㄴ" }, columns: ["name"] })).toBe("이름\r\n다나\r\n");
  expect(await written({ filter: { ids: [ids[1]] }, columns: ["name"] })).toBe("이름\r\n나나\r\n");
});

test("an export needs permission with a reason", async () => {
  const admin = await createAdministratorSession();
  const person = await createMemberSession();
  await callAs(admin, "PUT", "/api/alumni", PERSON);
  const send = (token: string | undefined, body: object) =>
    callJson("POST", "/api/alumni/export-data", { token, body: { filter: {}, format: "csv", count: 1, ...body } });
  expect((await send(undefined, { reason: "x" })).code).toBe("UNAUTHORIZED");
  expect((await send(person.accessToken, { reason: "x" })).code).toBe("FORBIDDEN");
  for (const reason of [undefined, "", "  "]) {
    expect((await send(admin.accessToken, { reason })).fields, reason).toHaveProperty("reason");
  }
  const { data } = await send(admin.accessToken, { reason: "총회 안내문 발송" });
  const logged = await env.DB.prepare(
    "SELECT actor_user_id, subject_count, reason FROM audit_log WHERE action = 'alumni.export'",
  ).all();
  expect(logged.results).toEqual([{ actor_user_id: admin.user.id, subject_count: 1, reason: "총회 안내문 발송" }]);

  const read = async (path: string, token?: string) => {
    const response = await fetchApi("GET", path, { token });
    await response.arrayBuffer();
    return response.status;
  };
  for (const path of [data.url, `/api/file/${data.fileId}`]) {
    expect(await read(path, admin.accessToken), path).toBe(200);
    expect(await read(path, person.accessToken), path).toBe(404);
    expect(await read(path, (await createAdministratorSession()).accessToken), path).toBe(404);
  }
  expect(await read(data.url)).toBe(401);
  expect(await read(`${data.url}x`, admin.accessToken)).toBe(404);
  await env.DB.exec("UPDATE file SET created_date = created_date - 86400001");
  expect(await read(data.url, admin.accessToken)).toBe(404);
  expect(await read(`/api/file/${data.fileId}`, admin.accessToken)).toBe(404);
});

test("the eleventh export of a day is refused", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const body = { filter: {}, format: "csv", count: 0, reason: "확인" };
  const send = () => callAs(admin, "POST", "/api/alumni/export-data", body);
  for (let at = 0; at < 10; at++) expect((await send()).status, `${at}`).toBe(200);
  expect((await send()).code).toBe("TOO_MANY_REQUESTS");
});

test("an export aborted by its client is not counted", async () => {
  const { accessToken: token } = await createAdministratorSession();
  const names = Array.from({ length: 1200 }, (_, at) => `사람${at}`);
  await runSql(
    "INSERT INTO alumni (id, name, created_date, modified_date) SELECT 'row-' || value, value, 1, 1 FROM json_each(?1)",
    JSON.stringify(names),
  );
  const ended = new AbortController();
  const prepare = env.DB.prepare.bind(env.DB);
  let reads = 0;
  const DB = new Proxy(env.DB, {
    get(target, key) {
      if (key !== "prepare") return (target[key as keyof D1Database] as () => unknown).bind(target);
      return (sql: string) => {
        if (/FROM "?alumni"? WHERE.*json_each/i.test(sql)) {
          reads += 1;
          ended.abort();
        }
        return prepare(sql);
      };
    },
  });
  const request = new Request("http://localhost/api/alumni/export-data", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ filter: {}, format: "csv", count: names.length, reason: "총회 안내" }),
    signal: ended.signal,
  });
  const ctx = createExecutionContext();
  const response = await api.fetch(request, { ...env, DB }, ctx);
  await waitOnExecutionContext(ctx);
  expect([response.status, ended.signal.aborted, reads]).toEqual([409, true, 1]);
  await response.body?.cancel();
  expect(await readRows("SELECT 1 FROM audit_log WHERE action = 'alumni.export'")).toEqual([]);
  expect(await readRows("SELECT 1 FROM file WHERE status = 'ready'")).toEqual([]);
  expect((await env.FILES.list()).objects).toEqual([]);
});

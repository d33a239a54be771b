import { expect, test } from "vitest";
import { getAlumniFigures } from "#worker/domain/alumni/figures.server.ts";
import { importAlumniFile } from "../../samples/alumni-files.ts";
import { callAs } from "../../support/api-client.ts";
import {
  createAdministratorSession,
  createMemberSession,
  createSessionWith,
  type TestSession,
} from "../../support/people.ts";
import { expectIndexed, explainRead } from "../../support/query-plans.ts";
import { measureRead } from "../../support/measured-read.ts";
import { scopeFor } from "../../support/request-scope.ts";
import { readRow, readRows, readValue, runSql } from "../../support/test-database.ts";

interface StoredPerson {
  id: string;
  cohort: number | null;
  graduation_year: number | null;
  address: string;
  affiliation: string;
  email: string;
  mobile: string;
  phone: string;
  created_date: number;
  version: number;
}

const REGIONS: Record<string, string> = {
  서울: "서울",
  경기: "경기",
  충청북: "충북",
  전북: "전북",
  경상남: "경남",
  제주: "제주",
};

const regionOf = (address: string) => {
  if (address === "") return "";
  return Object.entries(REGIONS).find(([start]) => address.startsWith(start))?.[1] ?? "기타";
};

async function countedHere(): Promise<Record<string, number>> {
  const people = await readRows<StoredPerson>("SELECT * FROM alumni WHERE deleted_date IS NULL");
  const bounced = new Set(
    (await readRows<{ address: string }>("SELECT address FROM mail_address WHERE bounced_date IS NOT NULL")).map(
      ({ address }) => address,
    ),
  );
  const counts: Record<string, number> = {};
  const add = (...key: unknown[]) => (counts[key.join("|")] = (counts[key.join("|")] ?? 0) + 1);
  for (const person of people) {
    const isBounced = bounced.has(person.email);
    const phone = person.mobile !== "" || person.phone !== "";
    const other = isBounced ? (phone ? "bouncedPhone" : "bounced") : phone ? "phone" : "none";
    add("cohort", person.cohort ?? "", person.email !== "" && !isBounced ? "mail" : other);
    add("year", person.graduation_year ?? "", "");
    add("region", regionOf(person.address), "");
    add("affiliation", person.affiliation, "");
    add("month", new Date(person.created_date + 9 * 3_600_000).toISOString().slice(0, 7), "");
  }
  return counts;
}

const kept = async () =>
  Object.fromEntries(
    (
      await readRows<{ kind: string; key: string; reach: string; count: number }>(
        "SELECT * FROM alumni_figure WHERE count <> 0",
      )
    ).map(({ kind, key, reach, count }) => [`${kind}|${key}|${reach}`, count]),
  );

/** Pseudo-random and the same in every run. */
function pseudoRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test("counters equal SQL counts after every kind of write", { tags: "full" }, async () => {
  const admin = await createAdministratorSession();
  const random = pseudoRandom(20_261_122);
  const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const emails = ["", "a@pid.example.kr", "b@pid.example.kr", "c@pid.example.kr", "d@pid.example.kr"];
  const places = ["서울특별시 종로구", "경기도 성남시", "충청북도 청주시", "전북특별자치도", "경상남도", "평양"];
  const addresses = ["", ...places.map((place) => `${place} 1`)];
  const fields = () => ({
    name: `김동문${random(100_000)}`,
    cohort: oneOf([null, 1, 2, 17]),
    graduationYear: oneOf([null, 1999, 2005]),
    affiliation: oneOf(["", "한빛병원", "가람의원"]),
    email: oneOf(emails),
    mobile: oneOf(["", `010-0000-${1000 + random(9000)}`]),
    phone: oneOf(["", "02-000-5678"]),
    address: oneOf(addresses),
  });
  const people = (where: string) => readRows<StoredPerson>(`SELECT * FROM alumni WHERE ${where} ORDER BY id`);
  const alive = () => people("deleted_date IS NULL");
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await callAs(admin, method, path, body);
    expect([method, path, answer.code, answer.fields]).toEqual([method, path, "SUCCESS", {}]);
    return answer.data;
  };
  const undo: string[] = [];
  const acts: (() => Promise<unknown>)[] = [
    () => call("PUT", "/api/alumni", fields()),
    () => call("PUT", "/api/alumni", fields()),
    async () => {
      const person = oneOf(await alive());
      if (person) await call("PATCH", `/api/alumni/${person.id}`, { ...fields(), version: person.version });
    },
    async () => {
      const person = oneOf(await alive());
      if (person) await call("DELETE", `/api/alumni/${person.id}`);
    },
    async () => {
      const person = oneOf(await people("deleted_date IS NOT NULL AND merged_into IS NULL"));
      if (person) await call("POST", `/api/alumni/${person.id}/restore`, {});
    },
    async () => {
      const person = oneOf(await people("deleted_date IS NOT NULL AND merged_into IS NULL"));
      if (person) await call("POST", "/api/alumni/destroy-data", { ids: [person.id] });
    },
    async () => {
      const rows = Array.from({ length: 4 }, fields);
      const known = (await alive()).slice(0, 3);
      const lines = [
        "ID,이름,기수,소속,이메일,휴대전화,주소",
        ...known.map(({ id }, at) => `${id},박바꿈${at},${1 + random(20)},새봄연구소,,,제주특별자치도 7`),
        ...rows.map(
          (row) => `,${row.name},${row.cohort ?? ""},${row.affiliation},${row.email},${row.mobile},${row.address}`,
        ),
      ];
      const answer = await importAlumniFile(admin, "동문.csv", lines.join("\n"), {
        mode: "upsert",
        skipInvalid: true,
      });
      expect(answer.code).toBe("SUCCESS");
      undo.push(`/api/alumni/import/${answer.data.importId}/undo`);
    },
    async () => {
      const chosen = (await alive()).slice(0, 2).map(({ id, version }) => ({ id, version }));
      if (chosen.length < 2) return;
      const { mergeId } = await call("POST", "/api/alumni/merge", {
        keepId: chosen[0]?.id,
        people: chosen,
        source: {},
      });
      undo.push(`/api/alumni/merge/${mergeId}/undo`);
    },
    async () => {
      const path = undo.pop();
      if (path) await callAs(admin, "POST", path, {});
    },
    () =>
      runSql(
        "INSERT INTO mail_address (address, bounced_date) VALUES (?, ?) ON CONFLICT (address) DO UPDATE SET bounced_date = excluded.bounced_date",
        oneOf(emails.slice(1)),
        oneOf([null, 5]),
      ),
    () => runSql("DELETE FROM mail_address WHERE address = ?", oneOf(emails.slice(1))),
    () =>
      runSql(
        "UPDATE alumni SET created_date = created_date - ? WHERE id = (SELECT min(id) FROM alumni)",
        random(90) * 86_400_000,
      ),
  ];
  let mostFigures = 0;
  for (let round = 0; round < 60; round += 1) {
    const at = round < 8 ? 0 : random(acts.length);
    await acts[at]?.();
    const figures = await kept();
    expect([round, at, figures]).toEqual([round, at, await countedHere()]);
    mostFigures = Math.max(mostFigures, Object.keys(figures).length);
  }
  expect(mostFigures).toBeGreaterThan(20);
  // The page equals the counters, and a segment of everybody counts the same.
  const page = await readFigures(admin);
  const asked = { segment: { filter: {} }, count: page.total, reason: "이사회" };
  const segment = await call("POST", "/api/alumni/figures", asked);
  expect(page).toEqual(segment);
  expect(page.total).toBe(await readValue("SELECT count(*) FROM alumni WHERE deleted_date IS NULL"));
  await runSql("DELETE FROM alumni");
  expect([
    await kept(),
    await readRows("SELECT * FROM alumni_figure WHERE kind = 'affiliation' AND key <> ''"),
  ]).toEqual([{}, []]);
});

const readFigures = (session: TestSession | null) => getAlumniFigures(scopeFor(session));

test("figures come from counters at any size", async () => {
  const admin = await createAdministratorSession();
  await runSql(
    `INSERT INTO alumni (id, name, cohort, affiliation, email, created_date, modified_date)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
     SELECT 'p' || i, '김동문', i % 40 + 1, '소속' || (i % 500), 'p' || i || '@pid.example.kr', 1, 1 FROM n`,
  );
  const plans = await explainRead(admin.accessToken, getAlumniFigures);
  expectIndexed(plans);
  expect(plans.filter((detail) => /\balumni\b/.test(detail))).toEqual(["SCAN alumni USING INDEX alumni_gone"]);
  expect(plans).toContain("SEARCH alumni_figure USING PRIMARY KEY (kind=?)");
  expect(plans.some((detail) => detail.includes("alumni_figure_affiliation"))).toBe(true);
  const { answer, rows, batches } = await measureRead(admin.accessToken, getAlumniFigures);
  const { total, cohorts, affiliations } = answer;
  expect([total, cohorts?.length, affiliations?.length]).toEqual([3000, 20, 19]);
  expect(affiliations?.at(-1)).toEqual({ label: "그 밖의 소속", count: 3000 - 18 * 6 });
  expect([batches, rows < 200]).toEqual([1, true]);
});

test("figures of a view need edit rights with a reason", async () => {
  const admin = await createAdministratorSession();
  const refused = async (session: TestSession | null) =>
    readFigures(session).then(
      () => "SUCCESS",
      (error: { code: string }) => error.code,
    );
  expect(await refused(null)).toBe("UNAUTHORIZED");
  expect(await refused(await createMemberSession())).toBe("FORBIDDEN");
  expect(await refused(await createSessionWith(["ADMIN_Access"]))).toBe("FORBIDDEN");
  expect(await refused(await createSessionWith(["Alumni_Read", "Alumni_Write"]))).toBe("FORBIDDEN");
  expect(await refused(await createSessionWith(["ADMIN_Access", "Alumni_Read"]))).toBe("SUCCESS");
  const body = { segment: { filter: {} }, reason: "이사회 자료" };
  const ask = async (session: TestSession | null, sent: object = body) =>
    (await callAs(session, "POST", "/api/alumni/figures", sent)).code;
  expect(await ask(null)).toBe("UNAUTHORIZED");
  expect(await ask(await createSessionWith(["ADMIN_Access", "Alumni_Read"]))).toBe("FORBIDDEN");
  expect(await ask(admin, { segment: { filter: {} }, reason: " " })).toBe("INVALID_INPUT");
  expect(await ask(admin, { segment: { ids: [] }, reason: "x" })).toBe("INVALID_INPUT");
  expect(await readRow("SELECT 1 FROM audit_log WHERE action = 'alumni.figures'")).toBeNull();
});

test("figures of a view cover only its people", async () => {
  const admin = await createAdministratorSession();
  const add = async (fields: object) => (await callAs(admin, "PUT", "/api/alumni", fields)).data.id as string;
  const first = await add({ name: "김하나", cohort: 3, affiliation: "한빛병원", email: "a@pid.example.kr" });
  await add({ name: "이두리", cohort: 3, mobile: "010-0000-1234", address: "부산광역시 중구 1" });
  await add({ name: "박세온", cohort: 4 });
  const ask = async (segment: object, count?: number) =>
    (await callAs(admin, "POST", "/api/alumni/figures", { segment, count, reason: "이사회 자료" })).data;
  const third = await ask({ filter: { cohort: "3", f_name: "filled" } }, 2);
  expect(third.cohorts).toEqual([
    { label: "3기", count: 2, reach: { mail: 1, phone: 1, bouncedPhone: 0, bounced: 0, none: 0 } },
  ]);
  expect(third.regions).toEqual([
    { label: "부산", count: 1 },
    { label: "주소 없음", count: 1 },
  ]);
  expect((await ask({ ids: [first] })).affiliations).toEqual([{ label: "한빛병원", count: 1 }]);
  const log = await readRows<{ reason: string; detail: string }>(
    "SELECT reason, detail FROM audit_log WHERE action = 'alumni.figures' ORDER BY id",
  );
  expect(log.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) }))).toEqual([
    { reason: "이사회 자료", detail: { cohort: 3, conditions: ["name filled"], people: 2 } },
    { reason: "이사회 자료", detail: { chosen: 1, people: 1 } },
  ]);
});

test("people deceased or gone count as without a contact", async () => {
  const admin = await createAdministratorSession();
  const add = (name: string, fields: object) =>
    callAs(admin, "PUT", "/api/alumni", { name, cohort: 3, email: `${name}@pid.example.kr`, ...fields });
  await add("kim", {});
  await add("lee", { state: "작고" });
  await add("park", { state: "탈퇴", email: "", mobile: "010-0000-1234" });
  await add("choi", { state: "휴면" });
  await add("jung", { state: "작고", email: "" });
  const figures = await readFigures(admin);
  expect(figures.cohorts).toEqual([
    { label: "3기", count: 5, reach: { mail: 2, phone: 0, bouncedPhone: 0, bounced: 0, none: 3 } },
  ]);
  const asked = { segment: { filter: {} }, count: 5, reason: "총회" };
  expect((await callAs(admin, "POST", "/api/alumni/figures", asked)).data).toEqual(figures);
});

test("a disabled column has no figures", async () => {
  const admin = await createAdministratorSession();
  await callAs(admin, "PUT", "/api/alumni", { name: "김하나", cohort: 3, graduationYear: 2001 });
  const before = await callAs(admin, "GET", "/api/admin/setting/alumni");
  const value = { ...before.data.value, off: ["graduationYear", "address"] };
  const saved = await callAs(admin, "PATCH", "/api/admin/setting/alumni", { ...value, version: before.data.version });
  expect(saved.code).toBe("SUCCESS");
  const { years, regions, cohorts } = await readFigures(admin);
  expect([years, regions, cohorts?.length]).toEqual([null, null, 1]);
});

import { deepEqual, equal, notDeepEqual } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitIntoParts } from "#app/features/alumni/import/import-table.ts";
import { readDroppedFile } from "#app/features/alumni/import/read-dropped-file.ts";
import { type OwnField, type OwnFieldCode, withOwnColumns } from "#worker/contract/alumni/own-fields.ts";
import { findWorkerdPid, HEAP_MAX_MB, readPeakRssMb, resetPeakRss, startMeasuredSite } from "./isolate-memory.ts";

// Measures import and export of 50,000 people as multiples of plain SheetJS. `WIDE=1` measures only thirty columns.
const ROWS = Number(process.env.ROWS ?? 50_000);
const OWN_FIELDS = 17;
type Outcome = Partial<Record<keyof typeof NOBODY, number>>;
const NOBODY = { inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
const HEADERS = [
  "이름",
  "기수",
  "졸업연도",
  "전공",
  "소속",
  "부서",
  "직위",
  "이메일",
  "휴대전화",
  "전화",
  "우편번호",
  "주소",
  "메모",
];
const makePeople = (memo: string) =>
  Array.from({ length: ROWS }, (_, at) => [
    `사람${at}`,
    String(1 + (at % 40)),
    String(1980 + (at % 40)),
    "소아청소년과학",
    `한빛대학교병원${at % 300}`,
    "소아청소년과",
    "교수",
    `p${at}@pid.example.kr`,
    `010-${String(Math.floor(at / 10_000)).padStart(4, "0")}-${String(at % 10_000).padStart(4, "0")}`,
    "02-000-0000",
    "03080",
    `서울특별시 종로구 한빛로 ${at}`,
    memo,
  ]);

interface SheetJsResult {
  ms: number;
  mb: number;
}
function runSheetJs(act: "write" | "read", from: string, to = ""): SheetJsResult {
  const script = join(import.meta.dirname, "sheetjs.ts");
  const out = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", script, act, from, to]);
  return JSON.parse(out.toString()) as SheetJsResult;
}

/**
 * workerd's clock stops while SQLite works for over five seconds, then closes idle connections. Every call may repeat.
 */
const fetchAgain = (url: string, init: RequestInit) => fetch(url, init).catch(() => fetch(url, init));

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const rows = makePeople("총회 참석");
const [json, xlsxAll, xlsxSome] = ["rows.json", "all.xlsx", "some.xlsx"].map((name) => join(folder, name));
if (!json || !xlsxAll || !xlsxSome) throw new Error("no folder");
writeFileSync(json, JSON.stringify([HEADERS, ...rows]));
const plainWrite = runSheetJs("write", json, xlsxAll);
const plainRead = runSheetJs("read", xlsxAll);
const some = makePeople("총회 불참").slice(0, 10_000);
writeFileSync(json, JSON.stringify([HEADERS, ...some]));
runSheetJs("write", json, xlsxSome);
const plainReadSome = runSheetJs("read", xlsxSome);

const { site, collections } = await startMeasuredSite({ persistTo: join(folder, "state") });
try {
  const pid = findWorkerdPid();
  const sent = async () => {
    // Long synchronous work delays noticing that an idle connection was closed.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return (await (await fetch(`${site.url}/bench`)).json()) as { statements: number; trips: number };
  };
  let token = "";
  const authorization = () => ({ Authorization: `Bearer ${token}` });
  const call = async (method: string, path: string, body: unknown) => {
    const headers = { "Content-Type": "application/json", ...(token && authorization()) };
    const response = await fetchAgain(site.url + path, { method, headers, body: JSON.stringify(body) });
    const { code, data } = (await response.json()) as { code: string; data: Record<string, unknown> };
    if (code !== "SUCCESS") throw new Error(`${path}: ${code}`);
    return data;
  };
  const person = { userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" };
  token = String((await call("POST", "/api/user/signin", person)).accessToken);
  collections.reset();
  await sent();
  collections.settle();

  const measured: Record<string, Record<string, string | number>> = {};
  const measure = async (name: string, plain: SheetJsResult, work: () => Promise<unknown>) => {
    await sent();
    collections.reset();
    resetPeakRss(pid);
    const began = performance.now();
    await work();
    const ms = performance.now() - began;
    const { usedMb, liveMb, totalMb } = collections.memory;
    const { statements, trips } = await sent();
    const row = {
      초: (ms / 1000).toFixed(1),
      "x SheetJS": (ms / plain.ms).toFixed(1),
      "힙 MB": Math.round(usedMb),
      "힙+버퍼 MB": Math.round(totalMb),
      "산 것 MB": Math.round(liveMb),
      "SheetJS MB": Math.round(plain.mb),
      "workerd RSS MB": readPeakRssMb(pid),
      문장: statements,
      왕복: trips,
    };
    measured[name] = row;
    // Prints each result at once, so that a later failure does not lose it.
    console.log(name, JSON.stringify(row));
  };
  const upload = async (fileName: string, content: string | Uint8Array<ArrayBuffer>) => {
    const size = new Blob([content]).size;
    const ticket = await call("POST", "/api/alumni/upload-url", { fileName, size });
    await fetch(site.url + String(ticket.uploadUrl), { method: "PUT", body: content });
    return String(ticket.fileId);
  };
  const importData = (fileId: string, dryRun: boolean) =>
    call("POST", "/api/alumni/import-data", { fileId, mode: "upsert", dryRun });

  const mapping = Object.fromEntries(HEADERS.map((head) => [head, head]));
  const untilDone = async (step: string) => {
    let answer = await call("POST", step, {});
    while (answer.left) answer = await call("POST", step, {});
  };
  /** Imports in parts like the workbench. @returns the import's path */
  const importParts = async (what: string, heads: string[], columns: object, people: string[][], wanted: Outcome) => {
    const table = { rows: people.map((cells, at) => ({ row: 2 + at, cells })) };
    const parts = [...splitIntoParts(table, new Map())];
    const opening = { fileName: "오만.xlsx", headRow: 1, heads, mapping: columns, parts: parts.length };
    const path = `/api/alumni/import/${(await call("POST", "/api/alumni/import/open", opening)).importId}`;
    await measure(`${parts.length}부분 보내기(${what})`, plainRead, async () => {
      for (const [at, part] of parts.entries()) await call("PUT", `${path}/part/${at + 1}`, { rows: part });
    });
    await measure(`부분 미리보기(${what})`, plainRead, async () => {
      const { inserted, updated, unchanged, rejected } = await call("POST", `${path}/plan`, { mode: "upsert" });
      deepEqual({ inserted, updated, unchanged, rejected }, { ...NOBODY, ...wanted }, what);
    });
    if (wanted.unchanged === undefined)
      await measure(`부분 가져오기(${what})`, plainRead, () => untilDone(`${path}/commit`));
    return path;
  };
  const measureThirteen = async () => {
    const csv = await upload("오만.csv", [HEADERS, ...rows].map((row) => row.join(",")).join("\n"));
    await measure(`csv ${ROWS}행 미리보기`, plainRead, () => importData(csv, true));
    await measure(`csv ${ROWS}행 가져오기`, plainRead, () => importData(csv, false));
    await measure(`csv ${ROWS}행 다시(그대로)`, plainRead, () => importData(csv, false));

    const path = await importParts(`${ROWS}명 변경`, HEADERS, mapping, makePeople("총회 불참"), { updated: ROWS });
    await measure("되돌리기", plainRead, () => untilDone(`${path}/undo`));

    const xlsx = await upload("만.xlsx", new Uint8Array(readFileSync(xlsxSome)));
    await measure(`xlsx ${some.length}행 가져오기`, plainReadSome, () => importData(xlsx, false));
    const { total: count } = await call("POST", "/api/alumni/print-count", { segment: { filter: {} } });
    for (const format of ["xlsx", "csv"]) {
      const body = { filter: {}, format, count, reason: "측정" };
      await measure(`내보내기 ${format}`, plainWrite, () => call("POST", "/api/alumni/export-data", body));
    }
    await measure("찾기 ‘한빛 교수’", plainRead, () =>
      call("GET", `/api/alumni?keyword=${encodeURIComponent("한빛 교수")}`, undefined),
    );
  };
  const digest = async () => {
    const { DB } = await site.mf.getBindings<Env>();
    const hash = createHash("sha256");
    const { results: columns } = await DB.prepare("SELECT name FROM pragma_table_info('alumni')").all<{
      name: string;
    }>();
    const names = columns.map(({ name }) => name).filter((name) => !["version", "modified_date"].includes(name));
    let count = 0;
    for (const [from, key, others] of [
      ["alumni", ["id"], names],
      ["alumni_value", ["field", "value", "name", "alumni_id"], []],
    ] as const) {
      const keys = key.join(", ");
      for (let after: unknown[] = key.map(() => ""); ;) {
        const page = `SELECT ${[keys, ...others].join(", ")} FROM ${from} WHERE (${keys}) > (${key.map(() => "?").join(", ")}) ORDER BY ${keys} LIMIT 5000`;
        const found = await DB.prepare(page)
          .bind(...after)
          .raw();
        for (const row of found) hash.update(JSON.stringify(row));
        count += found.length;
        if (found.length < 5000) break;
        after = found.at(-1)?.slice(0, key.length) ?? [];
      }
    }
    return { count, hash: hash.digest("hex") };
  };
  const measureThirty = async () => {
    const fields: OwnField[] = [];
    for (let at = 1; at <= OWN_FIELDS; at++) {
      const field = { name: `더한 항목 ${at}`, kind: "text" as const, access: "office" as const };
      const { code } = await call("PUT", "/api/admin/setting/alumni/field", field);
      const rest = { choices: [], required: false, personEdits: false, inList: false };
      fields.push({ ...field, ...rest, code: code as OwnFieldCode });
    }
    const empty = await digest();
    const wide = makePeople("새 사람").map((cells, at) => [
      `새${cells[0]}`,
      ...cells.slice(1),
      ...fields.map(({ name }, place) => `${name} 값 ${(at * 7 + place) % 500}`),
    ]);
    const heads = [...HEADERS, ...fields.map(({ name }) => name)];
    const what = `${heads.length}열`;
    const columns = { ...mapping, ...Object.fromEntries(fields.map(({ name, code }) => [name, code])) };
    const widePath = await importParts(`${ROWS}명 ${what}`, heads, columns, wide, { inserted: ROWS });
    equal((await digest()).count, empty.count + ROWS * (1 + OWN_FIELDS));
    for (const format of ["xlsx", "csv"]) {
      let url = "";
      const body = { filter: { f_own1: "filled" }, format, count: ROWS, reason: "측정" };
      await measure(`내보내기 ${format} ${what}`, plainWrite, async () => {
        url = String((await call("POST", "/api/alumni/export-data", body)).url);
      });
      const bytes = await (await fetchAgain(site.url + url, { headers: authorization() })).arrayBuffer();
      const read = await readDroppedFile({ file: new File([bytes], `되받은.${format}`) });
      if ("error" in read || !read.tables[0]) throw new Error("error" in read ? read.error : "no people");
      const { heads: headsBack, columns: guessed, rows: rowsBack } = read.tables[0];
      const codes = withOwnColumns(headsBack, guessed, fields);
      equal(codes.filter((code) => code !== null).length, heads.length + 1);
      const columnsBack = Object.fromEntries(headsBack.map((head, at) => [head, codes[at]]));
      const peopleBack = rowsBack.map(({ cells }) => cells);
      await importParts(`되받은 ${format} ${what}`, headsBack, columnsBack, peopleBack, { unchanged: ROWS });
    }
    await measure(`되돌리기 ${what}`, plainRead, () => untilDone(`${widePath}/undo`));
    deepEqual(await digest(), empty);

    await importParts(`${ROWS}명 ${what} 다시`, heads, columns, wide, { inserted: ROWS });
    const full = await digest();
    const changed = wide.map((cells) => cells.with(HEADERS.length - 1, "바뀐 메모").with(heads.length - 1, "바뀐 값"));
    const path = await importParts(`${ROWS}명 ${what} 변경`, heads, columns, changed, { updated: ROWS });
    notDeepEqual(await digest(), full);
    await measure(`변경 되돌리기 ${what}`, plainRead, () => untilDone(`${path}/undo`));
    deepEqual(await digest(), full);
  };
  if (!process.env.WIDE) await measureThirteen();
  await measureThirty();
  console.log(`${ROWS}명, 13열과 30열. 힙은 Worker isolate의 것이며 ${HEAP_MAX_MB} MB에서 죽게 하고 쟀다.`);
  console.table(measured);
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}

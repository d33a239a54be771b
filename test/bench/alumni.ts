import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findWorkerdPid, HEAP_MAX_MB, readPeakRssMb, resetPeakRss, startMeasuredSite } from "./isolate-memory.ts";

// 50,000 people in and out, as multiples of what plain SheetJS takes for the same rows in the same run, with what the
// Worker's isolate and workerd hold and what is sent to D1. Seconds differ by machine, ratios hold. `WIDE=1` for thirty columns alone.
const ROWS = Number(process.env.ROWS ?? 50_000);
/** Beside the thirteen: thirty together. */
const OWN_FIELDS = 17;
/** As many as the workbench puts into a part of thirty columns. */
const PART_ROWS = 1000;
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
    // Long synchronous work keeps the closing of idle connections from being noticed.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return (await (await fetch(`${site.url}/bench`)).json()) as { statements: number; trips: number };
  };
  let token = "";
  const call = async (method: string, path: string, body: unknown) => {
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) });
    const { code, data } = (await response.json()) as { code: string; data: Record<string, unknown> };
    if (code !== "SUCCESS") throw new Error(`${path}: ${code}`);
    return data;
  };
  const person = { userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" };
  token = String((await call("POST", "/api/user/signin", person)).accessToken);
  collections.reset();
  await sent();
  collections.settle();

  const table: Record<string, Record<string, string | number>> = {};
  const measure = async (name: string, plain: SheetJsResult, work: () => Promise<unknown>) => {
    await sent();
    collections.reset();
    resetPeakRss(pid);
    const began = performance.now();
    await work();
    const ms = performance.now() - began;
    const { usedMb, liveMb, totalMb } = collections.memory;
    const { statements, trips } = await sent();
    table[name] = {
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
  /** As the workbench imports: parts are sent, compared and committed in steps. @returns the import's path */
  const importParts = async (what: string, heads: string[], columns: object, people: string[][]) => {
    const parts = Math.ceil(people.length / PART_ROWS);
    const opening = { fileName: "오만.xlsx", headRow: 1, heads, mapping: columns, parts };
    const path = `/api/alumni/import/${(await call("POST", "/api/alumni/import/open", opening)).importId}`;
    await measure(`${parts}부분 보내기(${what})`, plainRead, async () => {
      for (let at = 0; at < parts; at++) {
        const from = at * PART_ROWS;
        const part = people.slice(from, from + PART_ROWS).map((cells, row) => [2 + from + row, cells]);
        await call("PUT", `${path}/part/${at + 1}`, { rows: part });
      }
    });
    await measure(`부분 미리 보기(${what})`, plainRead, () => call("POST", `${path}/plan`, { mode: "upsert" }));
    await measure(`부분 가져오기(${what})`, plainRead, () => untilDone(`${path}/commit`));
    return path;
  };
  const measureThirteen = async () => {
    const csv = await upload("오만.csv", [HEADERS, ...rows].map((row) => row.join(",")).join("\n"));
    await measure(`csv ${ROWS}행 미리 보기`, plainRead, () => importData(csv, true));
    await measure(`csv ${ROWS}행 가져오기`, plainRead, () => importData(csv, false));
    await measure(`csv ${ROWS}행 다시(그대로)`, plainRead, () => importData(csv, false));

    const path = await importParts(`${ROWS}명 변경`, HEADERS, mapping, makePeople("총회 불참"));
    await measure("되돌리기", plainRead, () => untilDone(`${path}/undo`));

    const xlsx = await upload("만.xlsx", new Uint8Array(readFileSync(xlsxSome)));
    await measure(`xlsx ${some.length}행 가져오기`, plainReadSome, () => importData(xlsx, false));
    for (const format of ["xlsx", "csv"]) {
      const body = { filter: {}, format, reason: "측정" };
      await measure(`내보내기 ${format}`, plainWrite, () => call("POST", "/api/alumni/export-data", body));
    }
    await measure("찾기 ‘한빛 교수’", plainRead, () =>
      call("GET", `/api/alumni?keyword=${encodeURIComponent("한빛 교수")}`, undefined),
    );
  };
  const measureThirty = async () => {
    const own: Record<string, string> = {};
    for (let at = 1; at <= OWN_FIELDS; at++) {
      const field = { name: `더한 항목 ${at}`, kind: "text", access: "office" };
      own[field.name] = String((await call("PUT", "/api/admin/setting/alumni/field", field)).code);
    }
    const wide = makePeople("새 사람").map((cells, at) => [
      `새${cells[0]}`,
      ...cells.slice(1),
      ...Object.keys(own).map((name, place) => `${name} 값 ${(at * 7 + place) % 500}`),
    ]);
    const wideHeads = [...HEADERS, ...Object.keys(own)];
    const widePath = await importParts(`${ROWS}명 ${wideHeads.length}열`, wideHeads, { ...mapping, ...own }, wide);
    for (const format of ["xlsx", "csv"]) {
      const body = { filter: { f_own1: "filled" }, format, reason: "측정" };
      await measure(`내보내기 ${format} ${wideHeads.length}열`, plainWrite, () =>
        call("POST", "/api/alumni/export-data", body),
      );
    }
    await measure(`되돌리기 ${wideHeads.length}열`, plainRead, () => untilDone(`${widePath}/undo`));
  };
  if (!process.env.WIDE) await measureThirteen();
  await measureThirty();
  console.log(`${ROWS}명, 13열과 30열. 힙은 Worker isolate의 것이며 ${HEAP_MAX_MB} MB에서 죽게 하고 쟀다.`);
  console.table(table);
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read, utils, write } from "@e965/xlsx";
import { startSite } from "#worker/local/site.ts";

// 50,000 people out and in, as multiples of what plain SheetJS takes for the same rows in the same run, and the peak
// memory of workerd: seconds differ by machine, ratios hold.
const ROWS = Number(process.env.ROWS ?? 50_000);
const HEAD = [
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
const rows = Array.from({ length: ROWS }, (_, at) => [
  `사람${at}`,
  1 + (at % 40),
  1980 + (at % 40),
  "소아청소년과학",
  `한빛대학교병원${at % 300}`,
  "소아청소년과",
  "교수",
  `p${at}@pid.example.kr`,
  `010-${String(Math.floor(at / 10_000)).padStart(4, "0")}-${String(at % 10_000).padStart(4, "0")}`,
  "02-000-0000",
  "03080",
  `서울특별시 종로구 한빛로 ${at}`,
  "총회 참석",
]);

function peakMb(): number {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).split("\n");
  const own = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => Number(parent) === process.pid && name?.includes("workerd"));
  const peaks = own.map(([pid]) =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0),
  );
  return Math.round(Math.max(...peaks) / 1024);
}
async function timed<T>(work: () => Promise<T> | T): Promise<[T, number]> {
  // Long synchronous work keeps the closing of idle connections from being noticed.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const began = performance.now();
  return [await work(), performance.now() - began];
}

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
try {
  const call = async (path: string, body: unknown, token = "") => {
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const answer = await (await fetch(site.url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
    const { code, data } = answer as { code: string; data: Record<string, unknown> };
    if (code !== "SUCCESS") throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return data;
  };
  const person = { userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" };
  const token = String((await call("/api/user/signin", person)).accessToken);
  const sheet = utils.aoa_to_sheet([HEAD, ...rows]);
  const book = { SheetNames: ["동문"], Sheets: { 동문: sheet } };
  const [xlsx, plainWrite] = await timed(
    () => write(book, { type: "buffer", bookType: "xlsx", compression: true }) as Buffer,
  );
  const [, plainRead] = await timed(() => utils.sheet_to_json(read(xlsx).Sheets["동문"] ?? {}));

  const csv = [HEAD, ...rows].map((row) => row.join(",")).join("\n");
  const upload = async () => {
    const size = new TextEncoder().encode(csv).length;
    const ticket = await call("/api/alumni/upload-url", { fileName: "오만.csv", size }, token);
    await fetch(site.url + String(ticket.uploadUrl), { method: "PUT", body: csv });
    return { fileId: ticket.fileId, mode: "upsert" };
  };
  const [input] = await timed(upload);
  const atRest = peakMb();
  const report = (name: string, ms: number, plain: number) =>
    console.log(
      `${name}: ${(ms / 1000).toFixed(1)} s, ${(ms / plain).toFixed(1)} x SheetJS (${(plain / 1000).toFixed(1)} s), workerd peak ${peakMb()} MB (at rest ${atRest} MB)`,
    );
  const [, dry] = await timed(() => call("/api/alumni/import-data", { ...input, dryRun: true }, token));
  report(`import ${ROWS} rows, dry run`, dry, plainRead);
  const [landed, first] = await timed(() => call("/api/alumni/import-data", input, token));
  report(`import ${ROWS} rows (${landed.inserted} inserted)`, first, plainRead);
  const [again, second] = await timed(() => call("/api/alumni/import-data", input, token));
  report(`import again (${again.unchanged} unchanged)`, second, plainRead);
  for (const format of ["xlsx", "csv"]) {
    const [out, ms] = await timed(() => call("/api/alumni/export-data", { filter: {}, format, reason: "측정" }, token));
    report(`export ${out.rows} rows as ${format}`, ms, plainWrite);
  }
  const [, search] = await timed(() =>
    fetch(`${site.url}/api/alumni?keyword=${encodeURIComponent("한빛 교수")}`, {
      headers: { Authorization: `Bearer ${token}` },
    }),
  );
  console.log(`search in ${ROWS}: ${search.toFixed(0)} ms`);
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRequestScope } from "#worker/context.server.ts";
import { duplicatesQuery, listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { alumniSearchTexts, initialsOf } from "#worker/contract/alumni/search.ts";
import { listDuplicates } from "#worker/domain/alumni/duplicate.server.ts";
import { getAlumniListPage } from "#worker/domain/alumni/list.server.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { getSiteFrame } from "#worker/domain/site/site.server.ts";
import { type RunningSite, startSite } from "#worker/local/site.ts";
import { countRowsReadDatabase } from "../rows-read.ts";
import { workerdCpuMs } from "./cpu.ts";

// The address book's pages as it grows: rows read, and CPU as a multiple of what the same page takes at the first size.
// One person in 1,000 stands at the rare place, at most 200 of them, and one name in 500 comes twice.
const SIZES = (process.env.PEOPLE ?? "1000,50000").split(",").map(Number);
const ROUNDS = 60;
const CHUNK = 2000;
const RARE = "희귀질환센터";
const RARE_PEOPLE = 200;

const syllable = (seed: number) => String.fromCharCode(0xac00 + ((seed * 7919) % 11_172));
function makePerson(at: number) {
  const values = {
    name: `${syllable(at % 97)}${syllable(at - (at % 500 === 1 ? 1 : 0))}${syllable((at >> 3) + 31)}`,
    cohort: 1 + (at % 40),
    graduationYear: 1980 + (at % 40),
    major: "소아청소년과학",
    affiliation: at % 1000 === 0 && at < RARE_PEOPLE * 1000 ? RARE : `한빛대학교병원${at % 300}`,
    department: "소아청소년과",
    position: at % 2 === 0 ? "교수" : "전공의",
    email: `p${at}@pid.example.kr`,
    mobile: `010-${String(Math.floor(at / 10_000)).padStart(4, "0")}-${String(at % 10_000).padStart(4, "0")}`,
    phone: "",
    zipCode: "03080",
    address: `서울특별시 종로구 한빛로 ${at}`,
    memo: "",
  };
  return { id: `bench-${at}`, ...values, initials: initialsOf(values.name), ...alumniSearchTexts(values, []) };
}

async function addPeople({ mf }: RunningSite, from: number, to: number): Promise<number> {
  const { DB } = await mf.getBindings<Env>();
  const began = performance.now();
  for (let at = from; at < to; at += CHUNK)
    await DB.prepare(
      `INSERT INTO alumni (id, name, cohort, graduation_year, major, affiliation, department, position, email, mobile, zip_code, address,
         initials, search_all, search_open, created_date, modified_date)
       SELECT value ->> 'id', value ->> 'name', value ->> 'cohort', value ->> 'graduationYear', value ->> 'major', value ->> 'affiliation',
         value ->> 'department', value ->> 'position', value ->> 'email', value ->> 'mobile', value ->> 'zipCode', value ->> 'address',
         value ->> 'initials', value ->> 'searchAll', value ->> 'searchOpen', 1, 1 FROM json_each(?)`,
    )
      .bind(JSON.stringify(Array.from({ length: Math.min(CHUNK, to - at) }, (_, n) => makePerson(at + n))))
      .run();
  return (performance.now() - began) / Math.max(1, to - from);
}

type ScopedRead = (scope: RequestScope) => Promise<unknown>;
const listed =
  (search: string): ScopedRead =>
  (scope) =>
    getAlumniListPage(scope, listAlumniQuery.parse(Object.fromEntries(new URLSearchParams(search))));
const PAGES: [what: string, path: string, read: ScopedRead][] = [
  ["page 1", "/Alumni", listed("")],
  ["page 1 of a cohort", "/Alumni?cohort=3", listed("cohort=3")],
  ["a rare word", `/Alumni?keyword=${RARE}`, listed(`keyword=${RARE}`)],
  ["a rare pair of syllables", "/Alumni?keyword=희귀", listed("keyword=희귀")],
  ["a rare word and a common one", `/Alumni?keyword=${RARE}+교수`, listed(`keyword=${RARE}+교수`)],
  ["a word that is nowhere", "/Alumni?keyword=흐흫흫", listed("keyword=흐흫흫")],
  ["a word of half of them", "/Alumni?keyword=교수", listed("keyword=교수")],
  [
    "possible duplicates",
    "/Alumni/Duplicates",
    async (scope) => listDuplicates(await scope.context(), duplicatesQuery.parse({})),
  ],
];

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
try {
  const signedIn = await fetch(`${site.url}/api/user/signin`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ userKeyType: "Id", userKeyCode: "admin", password: "Admin!2345" }),
  });
  const token = ((await signedIn.json()) as { data: { accessToken: string } }).data.accessToken;
  const bindings = await site.mf.getBindings<Env>();
  const rowsRead = async (read: ScopedRead) => {
    const { DB, rows } = countRowsReadDatabase(bindings.DB);
    const request = new Request(`${site.url}/`);
    const later: Promise<unknown>[] = [];
    const scope = openRequestScope({
      request,
      env: { ...bindings, DB },
      credential: { token },
      requestId: "bench",
      defer: (work) => void later.push(work),
    });
    await Promise.all([getSiteFrame(scope), read(scope)]);
    const found = rows();
    await Promise.all(later);
    return found;
  };
  const cpuOf = async (path: string) => {
    const ask = async () => {
      const response = await fetch(site.url + path, { headers: { Cookie: `accessToken=${token}` } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    };
    for (let n = 0; n < 10; n += 1) await ask();
    const before = workerdCpuMs();
    for (let n = 0; n < ROUNDS; n += 1) await ask();
    return (workerdCpuMs() - before) / ROUNDS;
  };
  const table: Record<string, Record<string, string | number>> = {};
  const first: Record<string, number> = {};
  let people = 0;
  for (const size of SIZES) {
    const each = await addPeople(site, people, size);
    people = size;
    console.log(`${size} people: ${each.toFixed(3)} ms for each that was added`);
    for (const [what, path, read] of PAGES) {
      const cpu = await cpuOf(path);
      first[what] ??= cpu;
      table[what] = {
        ...table[what],
        [`rows, ${size}`]: await rowsRead(read),
        [`x, ${size}`]: (cpu / first[what]).toFixed(2),
      };
    }
  }
  console.table(table);
} finally {
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}

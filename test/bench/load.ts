import { alumniSearchTexts, initialsOf } from "#worker/contract/alumni/search.ts";
import type { RunningSite } from "#worker/local/site.ts";
import { requirePresent } from "../support/require-present.ts";

export const ITEMS_BEFORE = 1000;
/** Appears in one item of a thousand; 연구 appears in all. */
export const RARE_WORD = "희귀";
export const COMMON_WORD = "연구";
/** Affiliation of one person in a thousand, at most 200. */
export const RARE_PLACE = "희귀질환센터";

const CHUNK = 2000;
const RARE_PEOPLE = 200;
const WORDS =
  "연구 등록 환자 면역 결핍 센터 자료 결과 회의 일정 안내 참여 기관 교육 과정 신청 변경 보고 지침 유전자 치료 검사 진단 학회 모집 계획 심의 동의서 서식 통계".split(
    " ",
  );
const word = (seed: number) => requirePresent(WORDS[(seed * 7919 + (seed >> 3)) % WORDS.length]);
const sentence = (at: number, length: number) => Array.from({ length }, (_, n) => word(at * 31 + n * 17)).join(" ");

export interface BenchItem {
  itemNo: number;
  title: string;
  body: string;
  createdDate: number;
  viewCount: number;
}
const FIRST_DATE = Date.now() - 1_300_000 * 20 * 60_000;

function makeItem(at: number): BenchItem {
  const rare = at % 1000 === 0 ? ` ${RARE_WORD}질환` : "";
  return {
    itemNo: at,
    title: `${sentence(at, 4)} ${at}`,
    body: `<p>연구를 위한 ${sentence(at, 40)}.</p><p>${sentence(at + 1, 40)}${rare}</p>`,
    createdDate: FIRST_DATE + at * 20 * 60_000,
    viewCount: (at * 7919) % 5000,
  };
}

export function* itemsBetween(from: number, to: number): Generator<BenchItem[]> {
  for (let first = from; first < to; first += CHUNK)
    yield Array.from({ length: Math.min(CHUNK, to - first) }, (_, n) => makeItem(ITEMS_BEFORE + first + n + 1));
}

/** Inserts directly, so that triggers keep the counters; the indexing job adds the words. */
export async function addItems({ mf }: RunningSite, from: number, to: number, boardCode = "notice"): Promise<void> {
  const { DB: db } = await mf.getBindings<Env>();
  const worker = await mf.getWorker();
  const runJobs = () => worker.scheduled({ cron: "*/10 * * * *" });
  // Runs the nightly backup first, while there is little to back up.
  await runJobs();
  for (const rows of itemsBetween(from, to))
    await db
      .prepare(
        `INSERT INTO board_item (board_code, item_no, title, content, category, created_user_id, created_user_name, created_date, modified_date, view_count)
         SELECT ?2, value ->> 'itemNo', value ->> 'title', value ->> 'body', CASE (value ->> 'itemNo') % 5 WHEN 0 THEN '행사' ELSE '공지' END, 'bench', '편집부',
           value ->> 'createdDate', value ->> 'createdDate', value ->> 'viewCount' FROM json_each(?1)`,
      )
      .bind(JSON.stringify(rows), boardCode)
      .run();
  await db
    .prepare("UPDATE board SET last_item_no = ? WHERE board_code = ?")
    .bind(ITEMS_BEFORE + to, boardCode)
    .run();
  const stale = db.prepare("SELECT 1 FROM board_item_search WHERE is_stale = 1 LIMIT 1");
  while (await stale.first()) await runJobs();
}

const syllable = (seed: number) => String.fromCharCode(0xac00 + ((seed * 7919) % 11_172));
function makePerson(at: number) {
  const values = {
    name: `${syllable(at % 97)}${syllable(at - (at % 500 === 1 ? 1 : 0))}${syllable((at >> 3) + 31)}`,
    cohort: 1 + (at % 40),
    graduationYear: 1980 + (at % 40),
    major: "소아청소년과학",
    affiliation: at % 1000 === 0 && at < RARE_PEOPLE * 1000 ? RARE_PLACE : `한빛대학교병원${at % 300}`,
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

export async function addPeople({ mf }: RunningSite, from: number, to: number): Promise<void> {
  const { DB } = await mf.getBindings<Env>();
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
}

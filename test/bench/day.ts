import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ITEM_SCOPES, STAMPS_SQL } from "#db/page-stamps.ts";
import { popupRow } from "#worker/contract/site/rows.ts";
import { startSite } from "#worker/local/site.ts";
import { requirePresent } from "../support/require-present.ts";
import { removeLimits } from "../support/test-site.ts";
import { workerdCpuMs } from "../support/cpu.ts";
import { startGnuboard } from "./gnuboard.ts";
import { addItems, COMMON_WORD, ITEMS_BEFORE, RARE_WORD } from "./load.ts";

// Replays a society's day on our site and, with `GNUBOARD=FOLDER`, on a gnuboard5: share of kept pages, CPU of the whole day.
const ITEMS = Number(process.env.ITEMS ?? 100_000);
const OTHER_ITEMS = 300;
const VIEWS = { guest: 10_000, member: 1000 } as const;
/** Days before the measured one, which fill the store. */
const DAYS_BEFORE = Number(process.env.DAYS_BEFORE ?? 2);
const WRITES = 30;
const MEMBERS = 20;
/** Pages that a guest reads in one visit, from one address. */
const VISIT = 4;
const MINUTES = 24 * 60;
/** A guest's stamps are read once in 50 seconds of a day; this replay is shorter. */
const STAMP_READS = (24 * 60 * 60) / 50;
const BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36";

let seed = 20_261_127;
/** A linear congruential generator: the same day in each run. */
const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
/** Few are read by many: the nth newest as often as 1/n. */
const newest = (among: number) => Math.floor(among ** random());

type Reader = keyof typeof VIEWS;
/** Share of a board in views and writes; guests cannot read `free`. */
const SHARES = { notice: 40, free: 20, reference: 15, news: 15, jobs: 10 } as const;
const NEW_BOARDS = { news: "소식", jobs: "구인구직" };
type BoardCode = keyof typeof SHARES;
const BOARDS = Object.keys(SHARES) as BoardCode[];
const lastItemNo = Object.fromEntries(BOARDS.map((code) => [code, ITEMS_BEFORE + OTHER_ITEMS]));
lastItemNo.notice = ITEMS_BEFORE + ITEMS;
function pickBoard(reader: Reader): BoardCode {
  const boards = BOARDS.filter((code) => reader === "member" || code !== "free");
  let dice = random() * boards.reduce((sum, code) => sum + SHARES[code], 0);
  return boards.find((code) => (dice -= SHARES[code]) < 0) ?? "notice";
}
const lastOf = (code: string) => lastItemNo[code] ?? 0;

interface View {
  kind: string;
  ours: string;
  peer: string;
}
/** Of 100 views: 22 of home, 28 of lists, 46 of items (5 of them of any age), 4 searches. The peer has one board. */
function makeView(reader: Reader): View {
  const dice = random() * 100;
  if (dice < 22) return { kind: "home", ours: "/", peer: "/" };
  const code = pickBoard(reader);
  if (dice < 50) {
    const page = newest(5);
    return {
      kind: "list",
      ours: `/board/${code}/List/${page > 1 ? `?page=${page}` : ""}`,
      peer: `/bbs/board.php?bo_table=notice&page=${page}`,
    };
  }
  if (dice < 96) {
    const isOld = dice > 91;
    const from = code === "notice" ? ITEMS : OTHER_ITEMS;
    const back = isOld ? Math.floor(random() * from) : newest(Math.min(from, 500)) - 1;
    return {
      kind: isOld ? "old item" : "item",
      ours: `/board/${code}/View/${lastOf(code) - back}`,
      peer: `/bbs/board.php?bo_table=notice&wr_id=${lastOf("notice") - back}`,
    };
  }
  const word = encodeURIComponent(dice < 98 ? COMMON_WORD : RARE_WORD);
  return {
    kind: "search",
    ours: `/search?keyword=${word}`,
    peer: `/bbs/search.php?sfl=wr_subject%7C%7Cwr_content&stx=${word}`,
  };
}

const readers = [
  ...Array.from({ length: VIEWS.member }, (): Reader => "member"),
  ...Array.from({ length: VIEWS.guest }, (): Reader => "guest"),
]
  .map((reader) => ({ reader, at: random() }))
  .toSorted((a, b) => a.at - b.at)
  .map(({ reader }) => reader);
const isWrite = (at: number) => at % Math.floor(readers.length / WRITES) === 0;
const isMinute = (at: number) =>
  Math.floor((at * MINUTES) / readers.length) > Math.floor(((at - 1) * MINUTES) / readers.length);

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
const peer = process.env.GNUBOARD ? await startGnuboard(process.env.GNUBOARD) : null;

async function call(method: string, path: string, body: object, token = ""): Promise<Record<string, string>> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) });
  const { code, data } = (await response.json()) as { code: string; data: Record<string, string> };
  if (code !== "SUCCESS") throw new Error(`${path}: ${code}`);
  return data;
}
const signIn = async (userKeyCode: string, password: string) =>
  requirePresent((await call("POST", "/api/user/signin", { userKeyType: "Id", userKeyCode, password })).accessToken);

/** @returns true if the page was kept */
async function read(url: string, more: Record<string, string>): Promise<boolean> {
  const response = await fetch(url, { headers: { "Accept-Encoding": "identity", "User-Agent": BROWSER, ...more } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return response.headers.has("Cache-Status");
}

try {
  const db = (await site.mf.getBindings<Env>()).DB;
  await removeLimits(db);
  const admin = await signIn("admin", "Admin!2345");
  for (const [boardCode, boardName] of Object.entries(NEW_BOARDS)) {
    await call("PUT", "/api/admin/board", { boardCode, boardName, boardType: "list", useComment: true }, admin);
    await call("POST", `/api/admin/board/${boardCode}/state`, { isClosed: false, version: 1 }, admin);
  }
  for (const code of BOARDS) await addItems(site, 0, code === "notice" ? ITEMS : OTHER_ITEMS, code);
  peer?.addItems(0, ITEMS);
  const members: string[] = [];
  for (let at = 1; at <= MEMBERS; at += 1)
    members.push(await signIn(`member${String(at).padStart(2, "0")}`, "Member!2345"));

  let written = 0;
  /** By place in the day: the scopes of an item written then. */
  const newItems = new Map<number, string>();
  /** Of 31 writes: 15 items, 12 comments, 3 corrected items and a popup, which is a change of the whole site. */
  async function write(at: number): Promise<void> {
    written += 1;
    const code = pickBoard("member");
    const item = { title: `오늘의 글 ${written}`, content: "<p>본문</p>", fileIds: [] };
    const path = `/api/board-item/${code}`;
    if (written === 15) {
      await call("PUT", "/api/admin/popup", popupRow.example, admin);
    } else if (written % 10 === 0) {
      const { version } = await callGet(`${path}/${lastOf(code)}`);
      await call("PATCH", `${path}/${lastOf(code)}`, { title: item.title, version }, admin);
    } else if (written % 2 === 0) {
      const itemNo = lastOf(code) - newest(20) + 1;
      await call("PUT", `/api/board-item-comment/${code}/${itemNo}`, { content: "댓글" }, members[written % MEMBERS]);
    } else {
      await call("PUT", path, item, admin);
      lastItemNo[code] = lastOf(code) + 1;
      newItems.set(at, `items:${code} boards item:${lastOf(code) % ITEM_SCOPES}`);
    }
  }
  /** Pages of all boards change at midnight, those of a new item a day after it; this replay is shorter. */
  async function passMoment(scopes: string): Promise<void> {
    const list = JSON.stringify(scopes.split(" "));
    await db
      .prepare("UPDATE page_stamp SET stamp = '' WHERE scope IN (SELECT value FROM json_each(?))")
      .bind(list)
      .run();
  }
  async function callGet(path: string): Promise<Record<string, unknown>> {
    const response = await fetch(site.url + path, { headers: { Authorization: `Bearer ${admin}` } });
    return ((await response.json()) as { data: Record<string, unknown> }).data;
  }

  const kept = { guest: 0, member: 0 };
  const byKind = new Map<string, { views: number; kept: number }>();
  const cpu = { ours: 0, peer: 0 };
  const spend = async (side: keyof typeof cpu, measure: () => number, work: () => Promise<void>) => {
    const before = measure();
    await work();
    cpu[side] += measure() - before;
  };
  const worker = await site.mf.getWorker();
  const guests = { views: 0 };
  // Hundreds of views are measured together, because reading the clock of a process costs as much as a view.
  const CHUNK = 100;
  for (let day = 0; day <= DAYS_BEFORE; day += 1) {
    await passMoment("boards");
    written = 0;
    Object.assign(kept, { guest: 0, member: 0 });
    Object.assign(cpu, { ours: 0, peer: 0 });
    byKind.clear();
    for (let from = 0; from < readers.length; from += CHUNK) {
      const views: View[] = [];
      const items = lastOf("notice");
      await spend("ours", workerdCpuMs, async () => {
        for (const [place, reader] of readers.slice(from, from + CHUNK).entries()) {
          const passed = newItems.get(from + place);
          if (passed && newItems.delete(from + place)) await passMoment(passed);
          if (isWrite(from + place)) await write(from + place);
          // Each minute the jobs read the stamps, so that guests see what views and writes changed.
          if (isMinute(from + place)) await worker.scheduled({ cron: "* * * * *" });
          const view = makeView(reader);
          views.push(view);
          const visit = Math.floor(guests.views / VISIT);
          const headers: Record<string, string> =
            reader === "member"
              ? { Cookie: `accessToken=${members[Math.floor(random() * MEMBERS)]}` }
              : { "CF-Connecting-IP": `10.${visit >> 16}.${(visit >> 8) & 255}.${visit & 255}` };
          if (reader === "guest") guests.views += 1;
          const isKept = await read(site.url + view.ours, headers);
          const row = byKind.get(`${reader}: ${view.kind}`) ?? { views: 0, kept: 0 };
          byKind.set(`${reader}: ${view.kind}`, { views: row.views + 1, kept: row.kept + Number(isKept) });
          if (isKept) kept[reader] += 1;
        }
      });
      if (!peer) continue;
      await spend("peer", peer.cpuMs, async () => {
        if (lastOf("notice") > items) peer.addItems(items - ITEMS_BEFORE, lastOf("notice") - ITEMS_BEFORE);
        for (const [place, view] of views.entries())
          await read(peer.url + view.peer, readers[from + place] === "member" ? { Cookie: peer.cookie } : {});
      });
    }
  }
  const stamps = workerdCpuMs();
  for (let at = 0; at < STAMP_READS; at += 1) await db.prepare(STAMPS_SQL).all();
  const ofStamps = workerdCpuMs() - stamps;
  console.log(`${ITEMS} items, ${VIEWS.member} views of members, ${VIEWS.guest} of guests, ${written} writes`);
  console.table(
    [...byKind].toSorted().map(([kind, row]) => ({ kind, ...row, share: (row.kept / row.views).toFixed(2) })),
  );
  console.table({
    "kept, of members' views": (kept.member / VIEWS.member).toFixed(2),
    "kept, of guests' views": (kept.guest / VIEWS.guest).toFixed(2),
    ...(peer && {
      "CPU of the day, of gnuboard5's": ((cpu.ours + ofStamps) / cpu.peer).toFixed(2),
      "of it for stamps": (ofStamps / cpu.peer).toFixed(2),
    }),
  });
} finally {
  await peer?.stop();
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}

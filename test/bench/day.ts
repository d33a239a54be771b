import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSite } from "#worker/local/site.ts";
import { requirePresent } from "../support/require-present.ts";
import { removeLimits } from "../support/test-site.ts";
import { workerdCpuMs } from "./cpu.ts";
import { startGnuboard } from "./gnuboard.ts";
import { addItems, COMMON_WORD, ITEMS_BEFORE, RARE_WORD } from "./load.ts";

// Replays a society's day on our site and on a gnuboard5 (`GNUBOARD=FOLDER`): share of kept pages, CPU of the whole day.
const ITEMS = Number(process.env.ITEMS ?? 100_000);
const VIEWS = { guest: 10_000, member: 1000 } as const;
const WRITES = 30;
/** A guest's stamps are read once in 50 seconds of a day; this replay is shorter. */
const STAMP_READS = (24 * 60 * 60) / 50;

let seed = 20_261_127;
/** A linear congruential generator: the same day in each run. */
const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
/** Few items are read by many: the nth newest as often as 1/n. */
const newest = () => Math.floor(500 ** random());

interface View {
  ours: string;
  peer: string;
}
/** Of 100 views: 22 of home, 28 of lists, 46 of items, 4 searches. */
function makeView(items: number): View {
  const dice = random() * 100;
  if (dice < 22) return { ours: "/", peer: "/" };
  if (dice < 50) {
    const page = Math.min(5, newest());
    return { ours: `/board/notice/List/?page=${page}`, peer: `/bbs/board.php?bo_table=notice&page=${page}` };
  }
  if (dice < 96) {
    const itemNo = items - newest();
    return { ours: `/board/notice/View/${itemNo}`, peer: `/bbs/board.php?bo_table=notice&wr_id=${itemNo}` };
  }
  const word = encodeURIComponent(dice < 98 ? COMMON_WORD : RARE_WORD);
  return { ours: `/search?keyword=${word}`, peer: `/bbs/search.php?sfl=wr_subject%7C%7Cwr_content&stx=${word}` };
}

type Reader = keyof typeof VIEWS;
const readers = [
  ...Array.from({ length: VIEWS.member }, (): Reader => "member"),
  ...Array.from({ length: VIEWS.guest }, (): Reader => "guest"),
]
  .map((reader) => ({ reader, at: random() }))
  .toSorted((a, b) => a.at - b.at)
  .map(({ reader }) => reader);
const isWrite = (at: number) => at % Math.floor(readers.length / WRITES) === 0;

const folder = mkdtempSync(join(tmpdir(), "hoewon-bench-"));
const site = await startSite({ port: 0, persistTo: folder, quiet: true });
const peer = await startGnuboard(requirePresent(process.env.GNUBOARD));

async function post(path: string, body: object, token = "", method = "POST"): Promise<Record<string, string>> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(site.url + path, { method, headers, body: JSON.stringify(body) });
  const { code, data } = (await response.json()) as { code: string; data: Record<string, string> };
  if (code !== "SUCCESS") throw new Error(`${path}: ${code}`);
  return data;
}
const signIn = async (userKeyCode: string, password: string) =>
  requirePresent((await post("/api/user/signin", { userKeyType: "Id", userKeyCode, password })).accessToken);

/** @returns true if the page was kept */
async function read(url: string, cookie?: string): Promise<boolean> {
  const response = await fetch(url, { headers: { "Accept-Encoding": "identity", ...(cookie && { Cookie: cookie }) } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return response.headers.has("Cache-Status");
}

try {
  await removeLimits((await site.mf.getBindings<Env>()).DB);
  await addItems(site, 0, ITEMS);
  peer.addItems(0, ITEMS);
  const [member, admin] = [await signIn("member01", "Member!2345"), await signIn("admin", "Admin!2345")];
  const kept = { guest: 0, member: 0 };
  const cpu = { ours: 0, peer: 0 };
  const spend = async <T>(side: keyof typeof cpu, work: () => Promise<T>) => {
    const measure = side === "ours" ? workerdCpuMs : peer.cpuMs;
    const before = measure();
    const found = await work();
    cpu[side] += measure() - before;
    return found;
  };
  let items = ITEMS_BEFORE + ITEMS;
  // Hundreds of views are measured together, because reading the clock of a process costs as much as a view.
  const CHUNK = 100;
  for (let from = 0; from < readers.length; from += CHUNK) {
    const chunk = readers.slice(from, from + CHUNK).map((reader) => ({ reader, view: makeView(items) }));
    const isWritten = Array.from(chunk, (_, at) => isWrite(from + at)).some(Boolean);
    if (isWritten) items += 1;
    await spend("ours", async () => {
      if (isWritten)
        await post(
          "/api/board-item/notice",
          { title: `오늘의 공지 ${items}`, content: "<p>본문</p>", fileIds: [] },
          admin,
          "PUT",
        );
      for (const { reader, view } of chunk)
        if (await read(site.url + view.ours, reader === "member" ? `accessToken=${member}` : undefined))
          kept[reader] += 1;
    });
    await spend("peer", async () => {
      if (isWritten) peer.addItems(items - ITEMS_BEFORE - 1, items - ITEMS_BEFORE);
      for (const { reader, view } of chunk)
        await read(peer.url + view.peer, reader === "member" ? peer.cookie : undefined);
    });
  }
  const db = (await site.mf.getBindings<Env>()).DB;
  const stamps = workerdCpuMs();
  for (let at = 0; at < STAMP_READS; at += 1) await db.prepare("SELECT scope, stamp FROM page_stamp").all();
  const ofStamps = workerdCpuMs() - stamps;
  console.log(`${ITEMS} items, ${VIEWS.member} views of members, ${VIEWS.guest} of guests, ${WRITES} writes`);
  console.table({
    "kept, of members' views": (kept.member / VIEWS.member).toFixed(2),
    "kept, of guests' views": (kept.guest / VIEWS.guest).toFixed(2),
    "CPU of the day, of gnuboard5's": ((cpu.ours + ofStamps) / cpu.peer).toFixed(2),
    "of it for stamps": (ofStamps / cpu.peer).toFixed(2),
  });
} finally {
  await peer.stop();
  await site.dispose();
  rmSync(folder, { recursive: true, force: true });
}

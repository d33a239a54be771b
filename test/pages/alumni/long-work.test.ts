import { expect } from "vitest";
import { test } from "../fixtures.ts";

const PEOPLE = 10_000;

test(
  "while the whole address book is exported, other requests are answered",
  { tags: "full" },
  async ({ site, db, signIn }) => {
    await db
      .prepare(
        `INSERT INTO alumni (id, name, affiliation, search_all, search_open, created_date, modified_date)
       SELECT 'long-' || value, '사람' || value, '한빛대학교병원', '사람' || value, '사람' || value, 1, 1 FROM json_each(?)`,
      )
      .bind(JSON.stringify(Array.from({ length: PEOPLE }, (_, at) => at)))
      .run();
    const admin = await signIn("admin", "Admin!2345");
    const count = await db.prepare("SELECT count(*) AS n FROM alumni WHERE deleted_date IS NULL").first("n");
    const finished = new AbortController();
    const exported = fetch(`${site.url}/api/alumni/export-data`, {
      method: "POST",
      headers: admin.bearer,
      body: JSON.stringify({ filter: {}, format: "xlsx", count, reason: "점검" }),
    }).then(async (answer) => {
      finished.abort();
      return (await answer.json()) as { code: string; data: { rows: number } };
    });
    const answered = await countAnswersUntil(site.url, finished.signal);
    const { code, data } = await exported;
    expect([code, data.rows > PEOPLE]).toEqual(["SUCCESS", true]);
    // Each 256 kB of the sheet yields once. Without it only two requests are answered.
    expect(answered).toBeGreaterThan(PEOPLE / 500 / 5);
  },
);

test("other requests are answered while a file is compared", async ({ site, signIn }) => {
  const admin = await signIn("admin", "Admin!2345");
  const call = async (path: string, body: object) => {
    const answer = await fetch(site.url + path, { method: "POST", headers: admin.bearer, body: JSON.stringify(body) });
    return (await answer.json()) as { code: string; data: Record<string, unknown> };
  };
  const rows = Array.from({ length: PEOPLE }, (_, at) => `들인사람,${1 + (at % 40)},in${at}@pid.example.kr`);
  const content = ["이름,기수,이메일", ...rows].join("\n");
  const size = new TextEncoder().encode(content).byteLength;
  const { data: ticket } = await call("/api/alumni/upload-url", { fileName: "명단.csv", size });
  await fetch(site.url + String(ticket.uploadUrl), { method: "PUT", body: content });
  const finished = new AbortController();
  const compared = call("/api/alumni/import-data", { fileId: ticket.fileId, mode: "upsert", dryRun: true });
  void compared.finally(() => finished.abort());
  const answered = await countAnswersUntil(site.url, finished.signal);
  const { code, data } = await compared;
  expect([code, data.inserted]).toEqual(["SUCCESS", PEOPLE]);
  expect(answered).toBeGreaterThan(PEOPLE / 500 / 5);
});

async function countAnswersUntil(origin: string, end: AbortSignal): Promise<number> {
  let answered = 0;
  while (!end.aborted) {
    expect((await fetch(`${origin}/robots.txt`)).status).toBe(200);
    answered += 1;
  }
  return answered;
}

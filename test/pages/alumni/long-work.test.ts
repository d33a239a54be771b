import { expect } from "vitest";
import { test } from "../fixtures.ts";

const PEOPLE = 10_000;

test("while everybody in the book is written to a file, others are answered in between", async ({
  site,
  db,
  signIn,
}) => {
  await db
    .prepare(
      `INSERT INTO alumni (id, name, affiliation, search_all, search_open, created_date, modified_date)
       SELECT 'long-' || value, '사람' || value, '한빛대학교병원', '사람' || value, '사람' || value, 1, 1 FROM json_each(?)`,
    )
    .bind(JSON.stringify(Array.from({ length: PEOPLE }, (_, at) => at)))
    .run();
  const admin = await signIn("admin", "Admin!2345");
  const finished = new AbortController();
  const exported = fetch(`${site.url}/api/alumni/export-data`, {
    method: "POST",
    headers: admin.bearer,
    body: JSON.stringify({ filter: {}, format: "xlsx", reason: "점검" }),
  }).then(async (answer) => {
    finished.abort();
    return (await answer.json()) as { code: string; data: { rows: number } };
  });
  let answered = 0;
  while (!finished.signal.aborted) {
    expect((await fetch(`${site.url}/robots.txt`)).status).toBe(200);
    answered += 1;
  }
  const { code, data } = await exported;
  expect([code, data.rows > PEOPLE]).toEqual(["SUCCESS", true]);
  // People are read 500 at a time. Without a pause between, two get an answer: before the first and after the last.
  expect(answered).toBeGreaterThan(PEOPLE / 500 / 5);
});

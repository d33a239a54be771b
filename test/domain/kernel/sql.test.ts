import { env } from "cloudflare:workers";
import { and, asc, eq, not, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectDatabase } from "#db/client.ts";
import { boardItemRevision } from "#db/schema/board.ts";
import { rateLimit } from "#db/schema/kernel.ts";
import { quickLink } from "#db/schema/site.ts";
import { idsIn, inOrder, positionIn, unchanged } from "#db/sql.ts";
import { isBatchAborted, abortBatchUnless } from "#worker/domain/kernel/guarded-batch.server.ts";

const db = connectDatabase(env.DB);

async function addLinks(...ids: string[]): Promise<void> {
  await db.insert(quickLink).values(ids.map((id, index) => ({ id, label: id, href: "/", sortOrder: index })));
}
const inTheirOrder = async () =>
  (await db.select({ id: quickLink.id }).from(quickLink).orderBy(asc(quickLink.sortOrder))).map(({ id }) => id);

describe("idsIn", () => {
  const idsOf = async (statement: PromiseLike<{ id: string }[]>) => (await statement).map(({ id }) => id).toSorted();

  test("finds exactly the rows with these ids", async () => {
    await addLinks("a", "b", `c"'\\`);
    const links = () => db.select({ id: quickLink.id }).from(quickLink);
    expect(await idsOf(links().where(idsIn(quickLink.id, ["a", `c"'\\`, "unknown"])))).toEqual(["a", `c"'\\`]);
    expect(await idsOf(links().where(not(idsIn(quickLink.id, ["a"]))))).toEqual(["b", `c"'\\`]);
    expect(await idsOf(links().where(idsIn(quickLink.id, [])))).toEqual([]);
  });

  test("finds numbers", async () => {
    const now = new Date();
    await db.insert(rateLimit).values([1, 2, 3].map((count) => ({ key: `${count}`, count, resetDate: now })));
    const found = await db
      .select({ key: rateLimit.key })
      .from(rateLimit)
      .where(idsIn(rateLimit.count, [1, 3]));
    expect(found.map(({ key }) => key).toSorted()).toEqual(["1", "3"]);
  });

  test("binds one parameter for any number of ids", async () => {
    await addLinks("a");
    const ids = ["a", ...Array.from({ length: 5000 }, () => crypto.randomUUID())];
    const statement = db
      .select({ id: quickLink.id })
      .from(quickLink)
      .where(and(idsIn(quickLink.id, ids), eq(quickLink.label, "a")));
    expect(statement.toSQL().params).toHaveLength(2);
    expect(await statement).toEqual([{ id: "a" }]);
  });
});

describe("inOrder", () => {
  test("sorts the rows by the keys", async () => {
    await addLinks("a", "b", "c", "d", "e");
    await db.update(quickLink).set({ sortOrder: inOrder(quickLink, ["d", "b", "unknown"]) });
    expect(await inTheirOrder()).toEqual(["d", "b", "a", "c", "e"]);
    await db.update(quickLink).set({ sortOrder: inOrder(quickLink, ["e"]) });
    expect(await inTheirOrder()).toEqual(["e", "d", "b", "a", "c"]);
  });

  test("gives positions from 0, or null outside the list", async () => {
    await addLinks("a", "b", "c");
    const rows = await db
      .select({ id: quickLink.id, position: positionIn(quickLink.id, ["c", "a"]) })
      .from(quickLink)
      .orderBy(asc(quickLink.id));
    expect(rows).toEqual([
      { id: "a", position: 1 },
      { id: "b", position: null },
      { id: "c", position: 0 },
    ]);
  });
});

describe("unchanged", () => {
  const holds = async (key: string, version: number) =>
    (await db.all<{ holds: number }>(sql`SELECT ${unchanged(quickLink, key, version)} AS holds`))[0]?.holds;
  const rename = (label: string, version: number) =>
    db.batch([
      abortBatchUnless({ db }, unchanged(quickLink, "a", version)),
      db
        .update(quickLink)
        .set({ label, version: version + 1 })
        .where(eq(quickLink.id, "a")),
    ]);

  test("holds only for the row in that version", async () => {
    await addLinks("a");
    expect([await holds("a", 1), await holds("a", 2), await holds("gone", 1)]).toEqual([1, 0, 0]);
  });

  test("treats a missing row as version 0", async () => {
    await addLinks("a");
    expect([await holds("none", 0), await holds("a", 0)]).toEqual([1, 0]);
  });

  test("reads its own table inside any statement", async () => {
    await addLinks("a", "b");
    await db.update(quickLink).set({ version: 2 }).where(eq(quickLink.id, "b"));
    const rows = await db.select({ id: quickLink.id, holds: unchanged(quickLink, "b", 2) }).from(quickLink);
    expect(rows.map((row) => row.holds)).toEqual([1, 1]);
    const written = await db.insert(rateLimit).select(sql`SELECT 'x', 1, 0, 0 WHERE ${unchanged(quickLink, "b", 1)}`);
    expect(written.meta.changes).toBe(0);
  });

  test("refuses the second of two writes with the same version", async () => {
    await addLinks("a", "b");
    await rename("first", 1);
    const refusal = await rename("second", 1).catch((error: unknown) => error);
    expect(isBatchAborted(refusal)).toBe(true);
    const [row] = await db.select().from(quickLink).where(eq(quickLink.id, "a"));
    expect(row).toMatchObject({ label: "first", version: 2 });
  });

  test("refuses to change a deleted row", async () => {
    expect(isBatchAborted(await rename("x", 1).catch((error: unknown) => error))).toBe(true);
  });

  test("refuses a table whose key is more than one column", () => {
    expect(() => unchanged(boardItemRevision, 1, 1)).toThrow("board_item_revision has no key of one column");
  });
});

import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test as base } from "vitest";
import { ITEM_SCOPES, RENEW_STAMPS_SQL } from "#db/page-stamps.ts";
import { readMigrations } from "#worker/local/migrate.ts";

const MIGRATIONS = readMigrations(resolve(import.meta.dirname, "../../migrations"));

/** Page scopes of each table, and columns whose changes no page shows, or only sometimes. */
const SITE = ["site"];
const TABLES: Record<string, { scopes: string[]; left?: string[]; with?: Record<string, string | number> }> = {
  role: { scopes: SITE },
  site_setting: { scopes: SITE },
  popup: { scopes: ["boards"] },
  quick_link: { scopes: ["boards"] },
  certificate_kind: { scopes: SITE, left: ["start_year", "start_number"] },
  content: { scopes: SITE },
  content_version: { scopes: SITE },
  content_file: { scopes: SITE },
  center: { scopes: SITE },
  agreement: { scopes: SITE },
  board: {
    scopes: ["board:x", "boards", "items:x", "site"],
    left: ["last_item_no", "item_count"],
    with: { board_code: "x" },
  },
  board_item: { scopes: ["boards", "item:7", "items:x"], left: ["view_count"], with: { board_code: "x", id: 1 } },
  board_item_comment: { scopes: ["item:7"], with: { item_id: 1 } },
  file: { scopes: ["item:7", "items:x"], with: { item_id: 1, status: "attached", purpose: "board" } },
};

const test = base
  .extend("db", () => {
    const db = new DatabaseSync(":memory:");
    for (const query of MIGRATIONS.flatMap(({ queries }) => queries)) db.exec(query);
    db.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    return db;
  })
  .extend("columnsOf", ({ db }) => (table: string) => {
    const columns = db.prepare(`PRAGMA table_info(${table})`).all();
    return columns.map(({ name, type }) => ({
      name: String(name),
      value: String(type).toUpperCase() === "INTEGER" ? 7 : "[]",
    }));
  })
  .extend("insert", ({ db, columnsOf }) => (table: string, more: Record<string, string | number | null> = {}) => {
    const row = { ...Object.fromEntries(columnsOf(table).map(({ name, value }) => [name, value])), ...more };
    const names = Object.keys(row);
    db.prepare(
      `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    ).run(...Object.values(row));
  })
  /** Returns the scopes whose stamps a write emptied, and those marked as a removal. */
  .extend("emptied", ({ db }) => (write: () => void) => {
    db.exec(RENEW_STAMPS_SQL);
    write();
    const rows = db.prepare("SELECT scope, removal FROM page_stamp WHERE stamp = '' ORDER BY scope").all();
    const views = db.prepare("SELECT scope FROM page_stamp WHERE viewed = '' AND stamp <> '' ORDER BY scope").all();
    return {
      scopes: rows.map(({ scope }) => scope),
      views: views.map(({ scope }) => scope),
      removals: rows.filter(({ removal }) => removal === "").map(({ scope }) => scope),
    };
  });

test("any change of a shown row empties its stamps", ({ db, columnsOf, insert, emptied }) => {
  for (const [table, { scopes, left = [], with: more }] of Object.entries(TABLES)) {
    if (table.startsWith("board_item_") || table === "file") {
      insert("board_item", { board_code: "x", id: 1, deleted_date: 1 });
      db.exec(RENEW_STAMPS_SQL);
    }
    expect([table, emptied(() => insert(table, more)).scopes]).toEqual([table, scopes]);
    for (const { name } of columnsOf(table)) {
      const { scopes: found, removals } = emptied(() => db.exec(`UPDATE ${table} SET ${name} = ${name}`));
      expect([table, name, found]).toEqual([table, name, left.includes(name) ? [] : scopes]);
      const isCount = ["comment_count", "file_count"].includes(name);
      expect([table, name, removals]).toEqual([table, name, left.includes(name) || isCount ? [] : scopes]);
    }
    const gone = emptied(() => db.exec(`DELETE FROM ${table}`));
    expect([table, gone]).toEqual([table, { scopes, views: [], removals: scopes }]);
    db.exec("DELETE FROM board_item");
  }
});

test("no other table empties a stamp", ({ db, insert, emptied }) => {
  const tables = db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'page_stamp'",
    )
    .all()
    .map(({ name }) => String(name));
  for (const table of tables.filter((name) => !(name in TABLES)))
    expect([table, emptied(() => insert(table)).scopes]).toEqual([table, []]);
});

test("an item that moves empties the stamps of both boards", ({ db, insert, emptied }) => {
  insert("board_item", { board_code: "x", id: 1 });
  const { scopes } = emptied(() => db.exec("UPDATE board_item SET board_code = 'y'"));
  expect(scopes).toEqual(["boards", "item:7", "items:x", "items:y"]);
});

test("a change of an item empties its neighbours' stamps", ({ db, insert, emptied }) => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const NOW = 50;
  const pages = () => {
    const named = new Map<string, string>();
    for (const board of ["x", "y"]) {
      const rows = db
        .prepare(
          "SELECT item_no, title FROM board_item WHERE board_code = ? AND deleted_date IS NULL AND created_date <= ? ORDER BY created_date, item_no",
        )
        .all(board, NOW);
      for (const [at, row] of rows.entries())
        named.set(
          `${board} ${row.item_no}`,
          JSON.stringify([rows[at - 1], rows[at + 1]].map((each) => each && [each.item_no, each.title])),
        );
    }
    return named;
  };
  const rowOf = () => ({
    board_code: ["x", "y"][random(2)] ?? "x",
    title: `글 ${random(5)}`,
    created_date: random(60),
  });
  let changed = 0;
  let spared = 0;
  for (let id = 1; id <= 800; id += 1) {
    const before = pages();
    const one = `(SELECT id FROM board_item ORDER BY id LIMIT 1 OFFSET ${random(12)})`;
    const { board_code, title, created_date } = rowOf();
    const write = [
      () => db.exec(`DELETE FROM board_item WHERE id = ${one}`),
      () => db.exec(`DELETE FROM board_item WHERE created_date BETWEEN ${created_date} AND ${created_date + 2}`),
      () => db.exec(`UPDATE board_item SET deleted_date = iif(deleted_date IS NULL, 1, NULL) WHERE id = ${one}`),
      () => db.exec(`UPDATE board_item SET created_date = ${created_date}, title = '${title}' WHERE id = ${one}`),
      () => db.exec(`UPDATE board_item SET board_code = '${board_code}' WHERE id = ${one}`),
      () => db.exec("UPDATE board_item SET created_date = 60 - created_date WHERE item_no % 3 = 0"),
    ][random(18)];
    const add = () => insert("board_item", { id, item_no: id, ...rowOf(), deleted_date: random(4) === 0 ? 1 : null });
    const { scopes } = emptied(write ?? add);
    for (const [page, names] of pages()) {
      const scope = `item:${Number(page.split(" ")[1]) % ITEM_SCOPES}`;
      if (before.has(page) && before.get(page) !== names) {
        changed += 1;
        expect([id, page, scopes.includes(scope)]).toEqual([id, page, true]);
      } else if (!scopes.includes(scope)) spared += 1;
    }
  }
  expect(changed).toBeGreaterThan(100);
  expect(spared).toBeGreaterThan(1000);
});

test("a new item, comment or attached file is no removal", ({ db, insert, emptied }) => {
  insert("board_item", { board_code: "x", id: 1 });
  const added = [
    () => insert("board_item", { board_code: "x", id: 2, item_no: 7 + ITEM_SCOPES }),
    () => insert("board_item_comment", { item_id: 1 }),
    () => insert("file", { item_id: 1, status: "attached", purpose: "image" }),
  ];
  for (const add of added) {
    insert("file", { id: crypto.randomUUID(), status: "ready", purpose: "board" });
    const { scopes, removals } = emptied(add);
    expect([scopes.some((scope) => /^items?:[x7]$/.test(String(scope))), removals]).toEqual([true, []]);
  }
  const attach = "UPDATE file SET status = 'attached', item_id = 1 WHERE status = 'ready'";
  expect(emptied(() => db.exec(attach))).toEqual({ scopes: ["item:7", "items:x"], views: [], removals: [] });
});

test("a write of 500 rows writes each stamp once", ({ db, insert }) => {
  for (let id = 1; id <= 500; id += 1) insert("board_item", { board_code: "x", id, item_no: id });
  const writes = () => db.prepare("SELECT count(*) AS n FROM stamp_write").get()?.n;
  db.exec("CREATE TABLE stamp_write (n)");
  db.exec("CREATE TRIGGER counted AFTER UPDATE ON page_stamp BEGIN INSERT INTO stamp_write VALUES (1); END");
  db.exec("CREATE TRIGGER counted_new AFTER INSERT ON page_stamp BEGIN INSERT INTO stamp_write VALUES (1); END");
  db.exec(RENEW_STAMPS_SQL);
  db.exec("DELETE FROM stamp_write");
  for (let time = 0; time < 3; time += 1) db.exec("UPDATE board_item SET title = title || '.'");
  expect(writes()).toBe(2 + ITEM_SCOPES);
});

test("a guest sees only rounded views", ({ db, insert, emptied }) => {
  insert("board_item", { board_code: "x", id: 1, item_no: 7, view_count: 0 });
  const shown = { "item:7": 0, "items:x": 0 };
  for (let count = 1; count <= 12_000; count += 1) {
    const { scopes, views } = emptied(() => db.exec("UPDATE board_item SET view_count = view_count + 1"));
    expect([scopes, views.every((scope) => String(scope) in shown)]).toEqual([[], true]);
    for (const scope of views) shown[scope as keyof typeof shown] = count;
    expect(count - shown["item:7"]).toBeLessThan(Math.max(10, count / 10));
    expect(count).toBeLessThan(Math.max(10, shown["items:x"] * 2.5));
  }
  const { scopes, views } = emptied(() => db.exec("UPDATE board_item SET view_count = view_count"));
  expect([scopes, views]).toEqual([[], []]);
});

test("renewed stamps are unique", ({ db }) => {
  const texts = () => db.prepare("SELECT stamp, removal, viewed FROM page_stamp").all().flatMap(Object.values);
  db.exec("INSERT INTO page_stamp (scope) VALUES ('site'), ('boards')");
  db.exec(RENEW_STAMPS_SQL);
  const before = texts();
  expect(new Set(before).size).toBe(6);
  db.exec(RENEW_STAMPS_SQL);
  expect(texts()).toEqual(before);
  db.exec("UPDATE page_stamp SET stamp = '', removal = '', viewed = ''");
  db.exec(RENEW_STAMPS_SQL);
  expect(new Set([...before, ...texts()]).size).toBe(12);
});

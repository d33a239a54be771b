import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getTableName, is, Table } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import * as schema from "#db/schema.ts";

const ASSETS = resolve(import.meta.dirname, "../build/client/assets");
const scripts = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
const text = scripts.map((name) => readFileSync(join(ASSETS, name), "utf8")).join("\n");

// A table called like an English word proves nothing; those with an underscore stand nowhere else.
const tables = Object.values(schema)
  .filter((value) => is(value, Table))
  .map((table) => getTableName(table));
const telling = tables.filter((name) => name.includes("_"));

describe("what the browser is sent", () => {
  test("is there", () => {
    expect(scripts.length).toBeGreaterThan(3);
    expect(telling.length).toBeGreaterThan(3);
  });

  test.each([...telling, "password_hash", "drizzle-orm", "JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET"])(
    "does not hold %s",
    (word) => {
      expect(text.includes(word)).toBe(false);
    },
  );

  test("does not hold the text of a server module", () => {
    expect(text).not.toMatch(/\.server\.ts|\.prepare\(["'`]select|cloudflare:workers/i);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { getTableName, is, Table } from "drizzle-orm";
import { describe, expect, test } from "vitest";

const ASSETS = resolve(import.meta.dirname, "../build/client/assets");
const scripts = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
const text = scripts.map((name) => readFileSync(join(ASSETS, name), "utf8")).join("\n");

const SERVER = resolve(import.meta.dirname, "../build/server");
const isModule = (name: string) => /\.(?:js|wasm)$/.test(name);
const modules = readdirSync(SERVER, { recursive: true, encoding: "utf8" }).filter(isModule);

const schema = import.meta.glob<Record<string, unknown>>("../db/schema/*.ts", { eager: true });
const tables = Object.values(schema)
  .flatMap((area) => Object.values(area))
  .filter((value) => is(value, Table))
  .map((table) => getTableName(table));
// A table called like an English word proves nothing; those with an underscore stand nowhere else.
const distinctiveTables = tables.filter((name) => name.includes("_"));

describe("what the browser is sent", () => {
  test("is there", () => {
    expect(scripts.length).toBeGreaterThan(3);
    expect(distinctiveTables.length).toBeGreaterThan(3);
  });

  test.each([...distinctiveTables, "password_hash", "drizzle-orm", "JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET"])(
    "does not hold %s",
    (word) => {
      expect(text.includes(word)).toBe(false);
    },
  );

  // 25 kB gzip, and it tries to compile code, which the policy refuses: limits and patterns come from `rules.ts`.
  test("does not hold zod, on no page", () => {
    const found = scripts.filter((name) => /\._zod\b/.test(readFileSync(join(ASSETS, name), "utf8")));
    expect(found).toEqual([]);
  });

  test("does not hold the text of a server module", () => {
    expect(text).not.toMatch(/\.server\.ts|\.prepare\(["'`]select|cloudflare:workers/i);
  });
});

/** Built-ins that came after Chrome 109 (contract, section 7), or that Safari lacks; app/lib/floor.js adds the others that are used. */
const NEWER = [
  /\.(?:fromAsync|isWellFormed|toWellFormed|withResolvers|getOrInsert|getOrInsertComputed)\(/g,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|intersection|difference)\(/g,
  /\.(?:showPopover|togglePopover|requestClose|fromBase64|toBase64|fromHex|toHex)\(/g,
  /\b(?:Object|Map)\.groupBy\(|\bPromise\.try\(|\bURL\.parse\(|\bRegExp\.escape\(|\bAbortSignal\.any\(/g,
  /\bIterator\.(?:from|prototype)\b|\bscheduler\.yield\(|\brequestIdleCallback\(|\bTemporal\./g,
];
/** The reader of PDF files: its preview says where it cannot be shown, and that the file can be downloaded. */
const BY_ITSELF = /^pdfjs-/;

test("the browser's code calls no built-in that the oldest browsers lack", () => {
  const found = scripts
    .filter((name) => !BY_ITSELF.test(name))
    .flatMap((name) => {
      const code = readFileSync(join(ASSETS, name), "utf8");
      return NEWER.flatMap((pattern) => [...code.matchAll(pattern)].map(([call]) => `${name}: ${call}`));
    });
  expect(found).toEqual([]);
});

describe("what is uploaded as the Worker", () => {
  test("is below the 3 MiB that the smallest plan takes", () => {
    const sizes = modules.map((name) => gzipSync(readFileSync(join(SERVER, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3 * 1024 * 1024);
  });

  // What a start of the Worker evaluates before it answers anybody: a kept page needs none of these.
  test("leaves database, forms, pages and calls, sheets, passkeys and weak passwords to be loaded by whoever needs them", () => {
    const begun = new Set<string>();
    const begin = (name: string) => {
      if (begun.has(name)) return;
      begun.add(name);
      const code = readFileSync(join(SERVER, name), "utf8");
      for (const [, from = ""] of code.matchAll(/^(?:import|export)\b[^;"]*"(\.[^"]+\.js)";/gm))
        begin(join(dirname(name), from));
    };
    begin("index.js");
    for (const mark of [
      "drizzle:entityKind",
      "boardName",
      "react.fragment",
      "SheetJS",
      "verifyRegistrationResponse",
      "DecorateConstructor",
      "zxcvbn",
    ]) {
      const holders = modules.filter(
        (name) => name.endsWith(".js") && readFileSync(join(SERVER, name), "utf8").includes(mark),
      );
      expect(holders, mark).not.toEqual([]);
      expect(
        holders.filter((name) => begun.has(name)),
        mark,
      ).toEqual([]);
    }
  });

  test("holds nothing that no other module of it names", () => {
    const code = modules.filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(SERVER, name), "utf8"));
    const loose = modules.filter((name) => name !== "index.js" && !code.some((each) => each.includes(basename(name))));
    expect(loose).toEqual([]);
  });
});

describe("what the browser does", () => {
  const sources = readdirSync(resolve(import.meta.dirname, "../app"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(resolve(import.meta.dirname, "../app", name), "utf8")] as const);

  test("takes the limits of its fields from the contract", () => {
    const found = sources.filter(([, source]) => /\b(?:maxLength|minLength)=(?:\{\d|")/.test(source));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  // product.md G11: dialogs of ours, which trap focus and give it back.
  test("asks and tells in dialogs of the site, never in the browser's own", () => {
    const native = /(?<![\w.$])(?:window\.|globalThis\.)?(?:alert|confirm|prompt)\(/;
    const found = sources.flatMap(([name, source]) =>
      source
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && native.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test("shows HTML as a text of its own alone where the server cleaned it", () => {
    const found = sources.filter(([, source]) =>
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML/.test(source),
    );
    expect(found.map(([name]) => name).toSorted()).toEqual([
      "features/file/article.tsx",
      "features/mail/message-preview.tsx",
    ]);
  });
});

interface BuiltRoute {
  id: string;
  parentId?: string;
  module: string;
  imports: string[];
}

describe("what a page loads", () => {
  const read = (address: string) => readFileSync(join(ASSETS, basename(address)));
  const START = "window.__reactRouterManifest=";
  const manifest = scripts.map((name) => read(name).toString()).find((code) => code.startsWith(START)) ?? "";
  const { entry, routes } = JSON.parse(manifest.slice(START.length).replace(/;$/, "")) as {
    entry: { module: string; imports: string[] };
    routes: Record<string, BuiltRoute>;
  };
  const all = Object.values(routes);

  /** The scripts of whoever opens the page first: the application's, and those of its layouts and its own. */
  function scriptsOf(id: string): string[] {
    const files = new Set([entry.module, ...entry.imports]);
    for (let each = routes[id]; each; each = routes[each.parentId ?? ""])
      for (const file of [each.module, ...each.imports]) files.add(file);
    return [...files];
  }
  const kilobytesOf = (id: string) => scriptsOf(id).reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / 1000;

  test("is at most 12 scripts and 137 kB where a member comes first", () => {
    expect(scriptsOf("routes/home").length).toBeLessThanOrEqual(12);
    expect(kilobytesOf("routes/home")).toBeLessThanOrEqual(137);
  });

  // 32, 37 and 50 scripts when each shared part was a file.
  test("is at most 12 scripts on every page", () => {
    const counts = all.map(({ id }) => ({ id, count: scriptsOf(id).length }));
    expect(counts.filter(({ count }) => count > 12)).toEqual([]);
    expect(kilobytesOf("routes/board/list")).toBeLessThanOrEqual(170);
    expect(kilobytesOf("routes/board/view")).toBeLessThanOrEqual(170);
  });

  test("is not mostly scripts below 2 kB that several pages share", () => {
    const loads = all.flatMap(({ imports }) => imports);
    const shared = [...new Set(loads.filter((file, index) => loads.indexOf(file) !== index))];
    expect(shared.length).toBeGreaterThan(20);
    const tiny = shared.filter((file) => read(file).length < 2000);
    expect(tiny.length).toBeLessThanOrEqual(shared.length / 2);
  });

  // What is used while a file runs would be read before the file that it stands in has run.
  test("imports no file in a circle", () => {
    const importsOf = (name: string) =>
      [
        ...read(name)
          .toString()
          .matchAll(/\b(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g),
      ].map(([, imported = ""]) => imported);
    const finished = new Set<string>();
    const circles: string[] = [];
    const walk = (name: string, way: readonly string[]): void => {
      if (way.includes(name)) circles.push([...way, name].join(" > "));
      else if (!finished.has(name)) for (const imported of importsOf(name)) walk(imported, [...way, name]);
      finished.add(name);
    };
    for (const name of scripts) walk(name, []);
    expect(circles).toEqual([]);
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { getTableName, is, Table } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { NAMED_PAGES } from "../chunk-plan.ts";

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
// Only names with an underscore appear nowhere else; a table named like an English word proves nothing.
const distinctiveTables = tables.filter((name) => name.includes("_"));

describe("the browser bundle", () => {
  test("exists", () => {
    expect(scripts.length).toBeGreaterThan(3);
    expect(distinctiveTables.length).toBeGreaterThan(3);
  });

  test.each([...distinctiveTables, "password_hash", "drizzle-orm", "JWT_SECRET", "PASSWORD_PEPPER", "SIGNING_SECRET"])(
    "does not hold %s",
    (word) => {
      expect(text.includes(word)).toBe(false);
    },
  );

  // zod is 25 kB gzip and tries to compile code, which the CSP refuses; use `rules.ts`.
  test("contains no zod on any page", () => {
    const found = scripts.filter((name) => /\._zod\b/.test(readFileSync(join(ASSETS, name), "utf8")));
    expect(found).toEqual([]);
  });

  test("contains no text of a server module", () => {
    expect(text).not.toMatch(/\.server\.ts|\.prepare\(["'`]select|cloudflare:workers/i);
  });
});

/** Built-ins newer than Chrome 109 or missing in Safari. app/lib/floor.js polyfills the used ones. */
const NEWER = [
  /\.(?:fromAsync|isWellFormed|toWellFormed|withResolvers|getOrInsert|getOrInsertComputed)\(/g,
  /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|intersection|difference)\(/g,
  /\.(?:showPopover|togglePopover|requestClose|fromBase64|toBase64|fromHex|toHex)\(/g,
  /\b(?:Object|Map)\.groupBy\(|\bPromise\.try\(|\bURL\.parse\(|\bRegExp\.escape\(|\bAbortSignal\.any\(/g,
  /\bIterator\.(?:from|prototype)\b|\bscheduler\.yield\(|\brequestIdleCallback\(|\bTemporal\./g,
];
/** The PDF reader reports an unsupported browser itself and offers the download. */
const BY_ITSELF = /^pdfjs-/;

test("the browser code calls no built-in that the oldest supported browsers lack", () => {
  const found = scripts
    .filter((name) => !BY_ITSELF.test(name))
    .flatMap((name) => {
      const code = readFileSync(join(ASSETS, name), "utf8");
      return NEWER.flatMap((pattern) => [...code.matchAll(pattern)].map(([call]) => `${name}: ${call}`));
    });
  expect(found).toEqual([]);
});

describe("the Worker upload", () => {
  test("is below the 3 MiB limit of the smallest plan", () => {
    const sizes = modules.map((name) => gzipSync(readFileSync(join(SERVER, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3 * 1024 * 1024);
  });

  // Evaluated at the start of the Worker, before any request; a cached page needs none of these.
  test("loads database, forms, sheets or passkeys only on demand", () => {
    const begun = new Set<string>();
    const begin = (name: string) => {
      if (begun.has(name)) return;
      begun.add(name);
      const code = readFileSync(join(SERVER, name), "utf8");
      for (const [, from = ""] of code.matchAll(/(?:^|;)(?:import|export)\b[^;"(]*"(\.[^"]+\.js)"/gm))
        begin(join(dirname(name), from));
    };
    begin("index.js");
    for (const mark of [
      "drizzle:entityKind",
      "boardName",
      "react.fragment",
      "SheetJS",
      "Missing credential ID",
      "@reflect",
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

  test("contains no module that no other module imports", () => {
    const code = modules.filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(SERVER, name), "utf8"));
    const loose = modules.filter((name) => name !== "index.js" && !code.some((each) => each.includes(basename(name))));
    expect(loose).toEqual([]);
  });
});

describe("the browser code", () => {
  const sources = readdirSync(resolve(import.meta.dirname, "../app"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(resolve(import.meta.dirname, "../app", name), "utf8")] as const);

  test("takes its field limits from the contract", () => {
    const found = sources.filter(([, source]) => /\b(?:maxLength|minLength)=(?:\{\d|")/.test(source));
    expect(found.map(([name]) => name)).toEqual([]);
  });

  // Site dialogs trap and return focus (product.md G11).
  test("uses site dialogs, never the native dialogs of the browser", () => {
    const native = /(?<![\w.$])(?:window\.|globalThis\.)?(?:alert|confirm|prompt)\(/;
    const found = sources.flatMap(([name, source]) =>
      source
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line) && native.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test("renders raw HTML only where it was sanitized or escaped", () => {
    const found = sources.filter(([, source]) =>
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML/.test(source),
    );
    expect(found.map(([name]) => name).toSorted()).toEqual([
      "features/board/search-results.tsx",
      "features/mail/message-preview.tsx",
      // Drawings of lucide's package alone.
      "lib/markup/reader-markup.ts",
      "ui/article.tsx",
    ]);
  });
});

interface BuiltRoute {
  id: string;
  parentId?: string;
  module: string;
  imports: string[];
}

describe("the first load of a page", () => {
  const read = (address: string) => readFileSync(join(ASSETS, basename(address)));
  const START = "window.__reactRouterManifest=";
  const manifest = scripts.map((name) => read(name).toString()).find((code) => code.startsWith(START)) ?? "";
  const { entry, routes } = JSON.parse(manifest.slice(START.length).replace(/;$/, "")) as {
    entry: { module: string; imports: string[] };
    routes: Record<string, BuiltRoute>;
  };
  const all = Object.values(routes);

  /** Scripts of a first visit: those of the application, the layouts and the page. */
  function scriptsOf(id: string): string[] {
    const files = new Set([entry.module, ...entry.imports]);
    for (let each = routes[id]; each; each = routes[each.parentId ?? ""])
      for (const file of [each.module, ...each.imports]) files.add(file);
    return [...files];
  }
  const kilobytesOf = (id: string) => scriptsOf(id).reduce((sum, file) => sum + gzipSync(read(file)).length, 0) / 1000;

  test("is at most 135 kB on the entry pages of a member", () => {
    expect(scriptsOf("routes/home").length).toBeLessThanOrEqual(12);
    expect(kilobytesOf("routes/home")).toBeLessThanOrEqual(135);
  });

  test("is at most 12 scripts on every page", () => {
    const counts = all.map(({ id }) => ({ id, count: scriptsOf(id).length }));
    expect(counts.filter(({ count }) => count > 12)).toEqual([]);
    expect(kilobytesOf("routes/board/list")).toBeLessThanOrEqual(170);
    expect(kilobytesOf("routes/board/view")).toBeLessThanOrEqual(170);
  });

  test("knows every page or area that the plan of scripts names", () => {
    const files = readdirSync(resolve(import.meta.dirname, "../app/routes"), { recursive: true, encoding: "utf8" });
    const known = new Set(
      files.map((file) => file.replace(/^console\//, "").replace(/\.tsx$/, "")).concat("entry.client"),
    );
    expect([...NAMED_PAGES].filter((page) => !known.has(page))).toEqual([]);
  });

  test("has a minority of scripts below 2 kB among the shared ones", () => {
    const loads = all.flatMap(({ imports }) => imports);
    const shared = [...new Set(loads.filter((file, index) => loads.indexOf(file) !== index))];
    expect(shared.length).toBeGreaterThan(20);
    const tiny = shared.filter((file) => read(file).length < 2000);
    expect(tiny.length).toBeLessThanOrEqual(shared.length / 2);
  });

  // In an import cycle a value could be read before its module has run.
  test("has no import cycle", () => {
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

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** Each area may import only areas listed before it. */
const AREAS = [
  "kernel",
  "audit",
  "mail",
  "access",
  "file",
  "account",
  "member",
  "inquiry",
  "board",
  "alumni",
  "mailing",
  "event",
  "proposal",
  "content",
  "case-report",
  "privacy",
  "site",
  "moving",
  "operation",
];
const AREA = /^(?:worker\/(?:contract|domain|api)|app\/features)\/([a-z-]+)\//;
const areaOf = (file: string) => AREAS.indexOf(AREA.exec(file)?.[1] ?? "");

const sources = ["app", "worker", "db"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("public"))
    .map((name) => posix.join(folder, name)),
);
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)"([.#][^"?]*)/g;
const imports = new Map(
  sources.map((file) => [
    file,
    [...readFileSync(join(ROOT, file), "utf8").matchAll(SPECIFIER)]
      .map(([, name = ""]) => (name.startsWith("#") ? name.slice(1) : posix.join(dirname(file), name)))
      .filter((target) => sources.includes(target)),
  ]),
);

test("an area imports only earlier areas, in every layer", () => {
  const back = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => areaOf(file) >= 0 && areaOf(target) > areaOf(file))
      .map((target) => `${file} -> ${target}`),
  );
  expect(back).toEqual([]);
});

test("the generic form knows no area", () => {
  const FORM = ["form", "list", "editor"];
  const known = [...imports].flatMap(([file, targets]) =>
    FORM.some((folder) => file.startsWith(`app/features/${folder}/`))
      ? targets
          .filter((target) => {
            const [, area = ""] = AREA.exec(target) ?? [];
            return area !== "" && ![...FORM, "kernel"].includes(area);
          })
          .map((target) => `${file} -> ${target}`)
      : [],
  );
  expect(known).toEqual([]);
});

test("only a guarded batch sends letters", () => {
  const sending = sources.filter((file) => /\.deliver\(\)/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(sending).toEqual(["worker/domain/kernel/guarded-batch.server.ts"]);
});

test("every folder of the domain or the contract is an area", () => {
  const folders = ["worker/domain", "worker/contract"].flatMap((floor) =>
    readdirSync(join(ROOT, floor), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
  );
  expect(folders.map(({ name }) => name).filter((name) => !AREAS.includes(name))).toEqual([]);
});

test("no files import each other in a cycle, not even for types", () => {
  const circles: string[] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (file: string, path: readonly string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      return;
    }
    state.set(file, "open");
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, "done");
  };
  for (const file of sources) visit(file, []);
  expect(circles).toEqual([]);
});

test("the browser's modules take types alone from the domain", () => {
  const taking = [...imports].filter(
    ([file, targets]) =>
      /^app\/(?:ui|lib|features)\//.test(file) &&
      !/\.server\.tsx?$/.test(file) &&
      targets.some((target) => /^worker\/domain\/.*\.server\.ts$/.test(target)),
  );
  expect(taking.length).toBeGreaterThan(10);
  const VALUES = /^(?:import|export) (?!type\b)[^;]*from "#worker\/domain\/[^"]*\.server\.ts"/m;
  expect(taking.map(([file]) => file).filter((file) => VALUES.test(readFileSync(join(ROOT, file), "utf8")))).toEqual(
    [],
  );
});

test("the domain does not import the context that assembles it", () => {
  const knowing = [...imports].filter(
    ([file, targets]) => /^worker\/(domain|adapters)\//.test(file) && targets.includes("worker/context.server.ts"),
  );
  expect(knowing.map(([file]) => file)).toEqual([]);
});

test("no folder has a catch-all name", () => {
  expect(sources.filter((file) => /\/(?:utils?|helpers?|services?|common|admin|misc|shared)\//.test(file))).toEqual([]);
  expect(sources.filter((file) => /\/index\.tsx?$/.test(file) && !/^worker\/index|^app\/routes\//.test(file))).toEqual(
    [],
  );
});

test("only one module each uses browser storage or the clock", () => {
  const OWN = new Set(["app/lib/browser-store.ts", "app/lib/clock.ts"]);
  const own = /\b(?:localStorage|sessionStorage|indexedDB)\b|\bDate\.now\(\)|\bnew Date\(\)|returnUrl=\$\{/;
  const asking = sources.filter((file) => file.startsWith("app/") && !/\.server\.tsx?$/.test(file) && !OWN.has(file));
  const found = asking.filter((file) => own.test(readFileSync(join(ROOT, file), "utf8")));
  expect(found).toEqual(["app/lib/return-url.ts"]);
});

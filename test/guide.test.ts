import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { GUIDE, GUIDE_PICTURES, guidePictureAddress } from "#app/features/site/guide/guide-text.ts";
import { findConsolePage } from "#worker/contract/kernel/console/console-pages.ts";
import { PRODUCT_WORD_NAMES } from "#worker/contract/kernel/wording.ts";

const PUBLIC = join(import.meta.dirname, "../app/public");
const PICTURES_MAX_BYTES = 700 * 1024;

test("each step of the office guide links to a console screen", () => {
  expect(GUIDE.map(({ title }) => title)).toEqual([
    "시작하기",
    "매주",
    "매년",
    "행사를 열 때",
    "연구 제안을 받을 때",
    "문제가 생기면",
  ]);
  const lost = GUIDE.flatMap(({ steps }) => steps).filter(({ href }) => !findConsolePage(href));
  expect(lost).toEqual([]);
  const known = GUIDE.flatMap(({ steps }) => steps.map(({ title, text }) => title + text)).join("");
  const places = [...known.matchAll(/\{([^}:]+)/g)].map(([, name]) => name);
  expect(places.filter((name) => !PRODUCT_WORD_NAMES.some((word) => word === name))).toEqual([]);
});

test("each picture of the guide is used", () => {
  const used = new Set(GUIDE.flatMap(({ steps }) => steps.flatMap(({ picture }) => picture ?? [])));
  expect([...used].toSorted()).toEqual(Object.keys(GUIDE_PICTURES).toSorted());
  const files = [...used].map((name) => join(PUBLIC, guidePictureAddress(name)));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(readdirSync(join(PUBLIC, "guide")).toSorted()).toEqual([...used].map((name) => `${name}.jpg`).toSorted());
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(PICTURES_MAX_BYTES);
});

import { readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { expect, test } from "vitest";
import { PRODUCT_WORD_NAMES } from "#worker/contract/kernel/product-words.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** What reads other people's files, names the words themselves, or is seen where the things are alone. */
const EXEMPT = [
  /^worker\/contract\/kernel\/product-words\.ts$/,
  /^worker\/contract\/site\/word-hints\.ts$/,
  // How other offices head the columns of their sheets.
  /^worker\/contract\/alumni\/(?:header-words|column-values|people-table|table-rows)\.ts$/,
  // A society without centres has none of it.
  /^worker\/contract\/content\/center-input\.ts$/,
  /^worker\/domain\/content\/center-edit\.server\.ts$/,
  /^app\/features\/content\/edit\/center-difference\.tsx$/,
  // A developer's machine alone.
  /^worker\/local\//,
];
/** Institutions of the state and others that are called so. */
const NAMES = /신고센터|데이터센터/g;
const PLACE = /\{[가-힣]{1,9}(?::[가-힣/]+)?\}/g;

test("what one society calls its things stands in no text of ours but as a place to be filled in", () => {
  // Samples and hints, too: another society has neither its trade nor its addresses.
  const words = new RegExp([...PRODUCT_WORD_NAMES, "병원", "소아", "면역", "질환", "pid\\.example"].join("|"));
  const found = ["app", "worker"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join(folder, name))
      .filter((file) => /\.tsx?$/.test(file) && !EXEMPT.some((exempt) => exempt.test(file)))
      .flatMap((file) =>
        readFileSync(join(ROOT, file), "utf8")
          .split("\n")
          .flatMap((line, at) =>
            words.test(line.replace(PLACE, "").replace(NAMES, "")) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)
              ? [`${file}:${at + 1}: ${line.trim()}`]
              : [],
          ),
      ),
  );
  expect(found).toEqual([]);
});

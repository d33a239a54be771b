import { readdirSync, readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { expect, test } from "vitest";
import { PRODUCT_WORD_NAMES } from "#worker/contract/kernel/wording.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** Files that read external files, define the words, or are shown only with the feature. */
const EXEMPT = [
  /^worker\/contract\/kernel\/wording\.ts$/,
  /^app\/features\/site\/identity\/word-fields\.tsx$/,
  /^worker\/contract\/account\/shared-columns\.ts$/,
  /^worker\/contract\/alumni\/import\/(?:header-words|header|column-values|name-marks|people-table|table-rows)\.ts$/,
  /^worker\/contract\/alumni\/dues\/payer\.ts$/,
  /^worker\/contract\/content\/center-input\.ts$/,
  /^worker\/domain\/content\/center-edit\.server\.ts$/,
  /^app\/features\/content\/edit\/center-difference\.tsx$/,
  /^worker\/local\//,
];
const NAMES = /신고센터|데이터센터/g;
const PLACE = /\{[가-힣]{1,9}(?::[가-힣/]+)?\}/g;

test("terms of one society appear in texts only as placeholders", () => {
  // Samples and hints are included, because other societies have other trades and addresses.
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

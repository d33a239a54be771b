import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { demoSite, readDemoItems } from "#db/demo/texts.ts";
import { startCaseReportStub } from "../worker/local/case-report-stub.ts";

const ROOT = resolve(import.meta.dirname, "..");
const texts = globSync("db/demo/texts/*.html", { cwd: ROOT }).flatMap((path) =>
  readFileSync(resolve(ROOT, path), "utf8").split(/^<!--$/m),
);
const one = (pattern: RegExp) => Number(pattern.exec(texts.join("\n"))?.[1]?.replace(",", ""));

test("each figure of the demo has one date", async () => {
  const stub = await startCaseReportStub();
  const rows = (await (
    await fetch(`${stub.url}/KPID/pid/GetSubjectLocationCount`, { headers: { authorization: "demo", token: "" } })
  ).json()) as { count: number }[];
  stub.close();
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const lastYear = one(/2025년 말까지 등록된 ([\d,]+)명/);
  const firstHalf = one(/상반기에 ([\d,]+)명이 새로 등록/);
  const quarter = one(/이 기간에 ([\d,]+)명이 새로 등록/);
  expect([lastYear, firstHalf, quarter].every((count) => count > 0)).toBe(true);
  const june = lastYear + firstHalf;
  const september = june + quarter;
  expect(september).toBeLessThan(total);
  const dated = texts.flatMap((text) => [...text.matchAll(/.{0,30}1,839.{0,40}/g)].map(String));
  expect(dated.filter((line) => !/9월 말|end of September/.test(line))).toEqual([]);
  expect(dated.length).toBeGreaterThan(2);
  const told = texts.flatMap((text) =>
    [...text.matchAll(/누적 등록 환자(?:는)? ([\d,]+)명/g)].map((found) => found[1]),
  );
  expect(told.length).toBeGreaterThan(2);
  for (const each of [june, september]) expect(told).toContain(each.toLocaleString("ko-KR"));
  for (const count of told) expect(Number(count?.replace(",", ""))).toBeLessThanOrEqual(total);
});

test("each standing committee of the network has one name", () => {
  const known = texts.flatMap((text) => [...text.matchAll(/<li>(\S+위원회): /g)].map((found) => found[1]));
  expect(known.length).toBeGreaterThan(3);
  const named = texts.flatMap((text) => [
    ...text.matchAll(/(?<![가-힣·])(?:연구|학술|자료|등록|윤리|개인정보|대외협력)[가-힣·]*위원회/g),
  ]);
  const others = named.map(([name]) => name).filter((name) => !known.includes(name));
  expect(others).toEqual([]);
});

test("every text of the demo gives the symposium's one date", () => {
  const notice = readDemoItems("notice")[0]?.content;
  expect(demoSite.popup.content).toContain(
    "12월 11일(금)에 열리는 2026년 동계 심포지엄의 사전등록을 12월 4일(금) 18시까지",
  );
  expect(notice).toMatch(/일시: 2026\. 12\. 11\.\(금\)/);
  expect(notice).toMatch(/사전등록: 2026\. 12\. 4\.\(금\) 18:00까지/);
});

import { expect, test } from "vitest";
import { caseReportSettings } from "#worker/contract/case-report/case-report.ts";
import { provinceOf } from "#worker/contract/kernel/provinces.ts";
import { maskCounts } from "#worker/domain/case-report/case-report.server.ts";
import { callJson } from "../../support/api-client.ts";
import { createMemberSession, createSessionWith } from "../../support/people.ts";
import { expectLog } from "../../support/expected-log.ts";
import { readValue } from "../../support/test-database.ts";

test("a person without the permission gets the specified texts", async () => {
  const guest = await callJson("POST", "/api/case-report/token");
  expect([guest.status, guest.message]).toEqual([401, "로그인 후 이용해 주시기 바랍니다."]);
  const { accessToken: token } = await createSessionWith([]);
  const refused = await callJson("POST", "/api/case-report/token", { token });
  expect([refused.status, refused.message]).toEqual([403, "접근 권한이 없습니다. 관리자에게 문의하여 주시기 바랍니다"]);
});

test("both calls report a service in preparation without a host", async () => {
  expectLog(/case-report\/token","code":"UPSTREAM/, /subject-location-count","code":"UPSTREAM/);
  const { accessToken: token } = await createMemberSession();
  const handOver = await callJson("POST", "/api/case-report/token", { token });
  expect([handOver.status, handOver.code, handOver.message]).toEqual([
    503,
    "UPSTREAM_UNAVAILABLE",
    "서비스 준비중입니다",
  ]);
  const counts = await callJson("GET", "/api/case-report/subject-location-count");
  expect([counts.code, counts.message]).toEqual(["UPSTREAM_UNAVAILABLE", "서비스 준비중입니다"]);
  expect(await readValue("SELECT count(*) AS n FROM audit_log WHERE action LIKE 'caseReport%'")).toBe(0);
});

test("the site frame reports whether a host is configured", async () => {
  expect((await callJson("GET", "/api/site-setting/info")).data.caseReport).toEqual({ enabled: false });
});

test.each([
  ["서울", "seoul"],
  ["서울특별시", "seoul"],
  ["SEOUL", "seoul"],
  ["Busan", "pusan"],
  ["pusan", "pusan"],
  ["KR-26", "pusan"],
  ["26", "pusan"],
  ["강원도", "kangwon"],
  ["강원특별자치도", "kangwon"],
  ["Gyeonggi-do", "kyunggi"],
  ["경상북도", "gyungbuk"],
  ["KR-50", "sejong"],
  ["50", "jeju"],
  ["인천광역시".normalize("NFD"), "incheon"],
  ["평양", "other"],
  ["", "other"],
])("'%s' is understood as %s", (location, regionCode) => {
  expect(provinceOf(location).regionCode).toBe(regionCode);
});

const rows = (counts: Record<string, number>) => ({
  asOfDate: "2026-11-21T00:00:00.000Z",
  stale: false,
  locations: Object.entries(counts).map(([regionCode, count]) => ({ regionCode, regionName: regionCode, count })),
});
const shown = (counts: Record<string, number>, below: number) =>
  Object.fromEntries(maskCounts(rows(counts), below).locations.map((row) => [row.regionCode, row.count]));

test("small cells are hidden, never one alone", () => {
  expect(shown({ seoul: 40, sejong: 4, jeju: 5 }, 0)).toEqual({ seoul: 40, sejong: 4, jeju: 5 });
  expect(shown({ seoul: 40, sejong: 4, jeju: 5 }, 5)).toEqual({ seoul: 40, sejong: null, jeju: null });
  expect(shown({ seoul: 40, sejong: 4, jeju: 1, ulsan: 0, daegu: 5 }, 5)).toEqual({
    seoul: 40,
    sejong: null,
    jeju: null,
    ulsan: 0,
    daegu: 5,
  });
  expect(maskCounts(rows({ seoul: 40, sejong: 4 }), 5).total).toBe(44);
  expect(caseReportSettings.parse({ maskBelow: "다섯" })).toEqual({ maskBelow: 0 });
});

import { expect, test } from "vitest";
import { addMonths, eventDays, EVENT_MESSAGES, eventProblems, monthWeeks } from "#worker/contract/board/event-rules.ts";
import { otherLabels, partWords, searchParts } from "#worker/contract/board/search-parts.ts";
import { DEFAULT_SYNONYMS, synonymGroups, synonymProblem } from "#worker/contract/kernel/setting/synonyms.ts";

const korea = (text: string) => new Date(`${text}+09:00`);
const problems = (start: string, end: string, more: { isAllDay?: boolean; deadline?: Date } = {}) =>
  eventProblems({ isAllDay: false, startDate: korea(start), endDate: korea(end), ...more });

test("an event lasts at most a year", () => {
  expect(problems("2026-12-11T09:30", "2026-12-11T17:40")).toEqual({});
  expect(problems("2026-12-11T09:30", "2026-12-11T09:30")).toEqual({});
  expect(problems("2026-12-11T09:30", "2026-12-11T09:29")).toEqual({ endDate: EVENT_MESSAGES.order });
  expect(problems("2026-01-01T00:00", "2027-01-02T00:00", { isAllDay: true })).toEqual({});
  expect(problems("2026-01-01T00:00", "2027-01-03T00:00", { isAllDay: true })).toEqual({
    endDate: EVENT_MESSAGES.tooLong,
  });
  expect(problems("2026-12-11T00:00", "2026-12-11T00:00", { isAllDay: true })).toEqual({
    endDate: EVENT_MESSAGES.order,
  });
  expect(problems("2026-12-11T09:00", "2026-12-12T00:00", { isAllDay: true })).toEqual({
    startDate: EVENT_MESSAGES.allDay,
  });
  expect(problems("1999-12-31T23:59", "2000-01-01T01:00")).toEqual({ startDate: EVENT_MESSAGES.year });
  const deadline = korea("2026-12-11T18:00");
  expect(problems("2026-12-11T09:30", "2026-12-11T17:40", { deadline })).toEqual({ deadline: EVENT_MESSAGES.deadline });
});

test("an event until midnight ends the day before", () => {
  const days = (start: string, end: string) => eventDays({ startDate: korea(start), endDate: korea(end) });
  expect(days("2026-12-11T00:00", "2026-12-14T00:00")).toEqual({ first: "2026-12-11", last: "2026-12-13" });
  expect(days("2026-11-28T22:00", "2026-11-29T06:00")).toEqual({ first: "2026-11-28", last: "2026-11-29" });
  expect(days("2026-12-01T00:30", "2026-12-01T00:30")).toEqual({ first: "2026-12-01", last: "2026-12-01" });
});

test("a month has weeks from Sunday", () => {
  expect(monthWeeks("2026-12")[0]).toEqual(
    ["2026-11-29", "2026-11-30"].concat([1, 2, 3, 4, 5].map((day) => `2026-12-0${day}`)),
  );
  expect(monthWeeks("2026-12").at(-1)?.at(-1)).toBe("2027-01-02");
  expect(monthWeeks("2026-02")).toHaveLength(4);
  expect(monthWeeks("2028-02").flat()).toContain("2028-02-29");
  expect([addMonths("2026-12", 1), addMonths("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
});

const GROUPS = synonymGroups("MRI, 자기공명영상\n워크숍, 워크샵\n\n메일, 전자우편 , 이메일\n혼자\n코로나19, COVID-19");

const wordingsOf = (keyword: string) =>
  searchParts(keyword, GROUPS).map((part) => part.map(({ words }) => words.join("+")));

test("a word matches every synonym of its line", () => {
  expect(wordingsOf("mri")).toEqual([["mri", "자기공명영상"]]);
  expect(wordingsOf("자기공명영상")).toEqual([["자기공명영상", "mri"]]);
  expect(wordingsOf("자기 공명 영상 교육")).toEqual([["자기+공명+영상", "mri"], ["교육"]]);
  expect(wordingsOf("교육 자기공명 영상")).toEqual([["교육"], ["자기공명+영상", "mri"]]);
  expect(wordingsOf("covid 19")).toEqual([["covid+19", "코로나19"]]);
  expect(wordingsOf("혼자 연구 윤리")).toEqual([["혼자"], ["연구"], ["윤리"]]);
});

test("a synonym inside a longer word is replaced only if whole", () => {
  expect(wordingsOf("MRI검사")).toEqual([["mri검사", "자기공명영상검사"]]);
  expect(wordingsOf("춘계워크샵에서")).toEqual([["춘계워크샵에서", "춘계워크숍에서"]]);
  expect(wordingsOf("이메일주소")).toEqual([["이메일주소", "메일주소", "전자우편주소"]]);
  expect(wordingsOf("mribody 메일함 지메일")).toEqual([["mribody"], ["메일함"], ["지메일"]]);
});

test("the number of synonyms or search terms is limited", () => {
  const line = Array.from({ length: 30 }, (_each, at) => `낱말${String.fromCodePoint(0xac00 + at)}`).join(",");
  const parts = searchParts("낱말가 낱말각 하나 둘 셋", synonymGroups(line));
  expect(otherLabels(parts)).toHaveLength(8);
  expect(partWords(parts)).toContain("낱말가");
  const long = searchParts(Array.from({ length: 9 }, (_each, at) => "가나다라마바사아자".slice(at)).join(" "), []);
  expect(long.flat().flatMap(({ terms }) => terms).length).toBeLessThanOrEqual(32);
});

test("a synonym list with an incomplete line is refused", () => {
  expect(synonymProblem(DEFAULT_SYNONYMS)).toBeNull();
  expect(synonymProblem("")).toBeNull();
  expect(synonymProblem("MRI, 자기공명영상\n혼자,")).toContain("혼자");
  expect(synonymProblem("가, 나\n".repeat(201))).toContain("200줄");
});

import { expect, test } from "vitest";
import {
  noFindings,
  oldDate,
  oldHtml,
  oldLine,
  oldPlainText,
  repairMisread,
} from "#worker/domain/moving/old-text.server.ts";

const latin = (bytes: Uint8Array | number[]) => [...bytes].map((byte) => String.fromCharCode(byte)).join("");
const utf8 = (text: string) => new TextEncoder().encode(text);
const EUC_KR = [0xb0, 0xa1, 0xb3, 0xaa, 0xb4, 0xd9, 0x20, 0xc7, 0xd1, 0xb1, 0xdb];

test("Korean misread as Latin letters is restored: UTF-8, EUC-KR and with Windows-1252 signs", () => {
  expect(repairMisread(latin(utf8("가나다 한글")))).toBe("가나다 한글");
  expect(repairMisread(latin(EUC_KR))).toBe("가나다 한글");
  // 0x80 to 0x9f as Windows-1252 shows them: '안' is EC 95 88.
  expect(repairMisread("ì•ˆë…•í•˜ì„¸ìš”")).toBe("안녕하세요");
});

test.each([
  "가나다",
  "Café à la carte, Ärzte für Öl",
  "5 ± 0.3 µg/m² – “quoted” …",
  "Ω ≤ 3 日本語",
  "plain",
  "",
  latin([0xc3, 0x28, 0xb0, 0xa1]),
])("text that is not misread Korean stays unchanged: %s", (text) => {
  expect(repairMisread(text)).toBeNull();
});

test("repaired and irreparable texts are distinguished", () => {
  const [repaired, broken, sound] = [noFindings(), noFindings(), noFindings()];
  expect(oldLine(latin(EUC_KR), repaired, 100)).toBe("가나다 한글");
  expect(oldPlainText("회의\ufffd록", broken)).toBe("회의\ufffd록");
  expect(oldHtml("<p>회의록</p>", sound)).toBe("<p>회의록</p>");
  expect([repaired, broken, sound].map(({ isRepaired, isBroken }) => [isRepaired, isBroken])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

test.each([
  ["줄 하나\n줄 둘\n\n문단", "<p>줄 하나<br>줄 둘</p><p>문단</p>"],
  ["a < b &lt;p&gt;", "<p>a &lt; b &lt;p&gt;</p>"],
  ["<pq>이름</pq>", "<p>&lt;pq&gt;이름&lt;/pq&gt;</p>"],
  ["<b>굵게</b>\n다음 줄", "<b>굵게</b><br>다음 줄"],
  ["<P>문단</P>\n<P>문단</P>", "<P>문단</P>\n<P>문단</P>"],
  ["앞</h3>뒤", "앞</h3>뒤"],
  ["<b 끝이 없음", "<p>&lt;b 끝이 없음</p>"],
])("%j is plain or HTML by its tags", (text, html) => {
  expect(oldHtml(text, noFindings())).toBe(html);
});

test.each([
  ["20160504030201", "Asia/Seoul", "2016-05-03T18:02:01.000Z"],
  ["20160504030201", "UTC", "2016-05-04T03:02:01.000Z"],
  ["20160704030201", "Europe/Berlin", "2016-07-04T01:02:01.000Z"],
  ["20160504030201", "Nowhere/Land", "2016-05-03T18:02:01.000Z"],
  ["19000101000000", "Asia/Seoul", undefined],
  ["20991231235959", "Asia/Seoul", undefined],
  ["20230229000000", "Asia/Seoul", undefined],
  ["20230228240000", "Asia/Seoul", undefined],
  ["2016-05-04", "Asia/Seoul", undefined],
])("%s in %s is %s", (value, zone, iso) => {
  expect(oldDate(value, zone, new Date("2026-11-22T00:00:00Z"))?.toISOString()).toBe(iso);
});

import { expect, test, describe } from "vitest";
import { cleanLine, cleanText } from "#worker/contract/kernel/text.ts";
import { containsResidentNumber } from "#worker/contract/kernel/resident-number.ts";
import { withParticle, fillWords } from "#worker/contract/kernel/wording.ts";
import { highlightHtml, splitAtHits } from "#worker/contract/board/search-terms.ts";
import { decorateArticle } from "#app/features/file/article.server.ts";
import { findTextLinks } from "#app/ui/linked-text.tsx";
import { z } from "zod";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { callApi } from "#app/lib/api.ts";
import { lineField, requiredLineField, requiredTextField, textField } from "#worker/contract/kernel/fields.ts";
import { costInParts, MOST_LINEAR } from "../../support/cost-in-parts.ts";

const JOINED = ["👩‍⚕️", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️", "🧑🏽‍🔬", "❤️‍🔥", "👁️‍🗨️", "می‌خواهم", "क्‍ष", "श्‌र"];

test.each(JOINED)("%s keeps its joiners in any text", (sign) => {
  for (const text of [sign, `${sign}${sign}`, `회의 ${sign} 안내`, `안내${sign}`]) {
    expect(cleanLine(text)).toBe(text.normalize("NFC"));
    expect(cleanText(`${text}\n끝`)).toBe(`${text.normalize("NFC")}\n끝`);
  }
});

test.each(["\u200d", "\u200c", "\u200b", "\u2060", "\u3164", "\ufeff", "\u202e"])(
  "%j outside of a joined sign is removed",
  (sign) => {
    for (const [raw, clean] of [
      [`홍${sign}길동`, "홍길동"],
      [`${sign}관리자${sign}`, "관리자"],
      [`ad${sign}min`, "admin"],
      [`👩${sign}`, "👩"],
      [`${sign}👩`, "👩"],
      [sign.repeat(5), ""],
    ] as const)
      expect(cleanLine(raw)).toBe(clean);
    expect(containsResidentNumber(cleanText(`900101${sign}-${sign}1234567`))).toBe(true);
  },
);

test.for([
  ["아이디", "을/를", "아이디를"],
  ["이메일", "을/를", "이메일을"],
  ["이메일", "으로/로", "이메일로"],
  ["부산", "으로/로", "부산으로"],
  ["휴대전화번호", "으로/로", "휴대전화번호로"],
  ["010-1234-5670", "으로/로", "010-1234-5670으로"],
  ["010-1234-5671", "으로/로", "010-1234-5671로"],
  ["010-1234-5672", "으로/로", "010-1234-5672로"],
  ["hong@example.com", "으로/로", "hong@example.com으로"],
  ["hong@example.or.kr", "으로/로", "hong@example.or.kr로"],
  ["'광고 수신'", "은/는", "'광고 수신'은"],
  ["약관(선택)", "이/가", "약관(선택)이"],
  ["공지", "과/와", "공지와"],
  ["", "을/를", "를"],
  ["!!!", "이/가", "!!!가"],
] as const)("%s %s", ([word, pair, whole]) => {
  expect(withParticle(word, pair)).toBe(whole);
});

test.each([
  [{}, "{동문:을/를} 추가", "동문을 추가"],
  [{ 동문: "졸업생" }, "{동문:을/를} 추가", "졸업생을 추가"],
  [{ 동문: "친구" }, "{동문:을/를} 추가, {동문:이/가} 없음", "친구를 추가, 친구가 없음"],
  [{ 센터: "지부" }, "서울 {센터:으로/로}", "서울 지부로"],
  [{ 센터: "" }, "서울 {센터}", "서울 센터"],
  [{ 동문: "회원" }, "{이름}님과 {{동문}}", "{이름}님과 {회원}"],
])("%j makes of '%s' '%s'", (words, text, filled) => {
  expect(fillWords(words, text)).toBe(filled);
});

const hitsOf = (text: string, ...words: string[]) =>
  splitAtHits(text, words)
    .filter(({ hit }) => hit)
    .map((part) => part.text);

test("a hit may have up to three signs between its letters", () => {
  expect(hitsOf("연구 결과와 연-구, 연  /구, 연    구", "연구")).toEqual(["연구", "연-구", "연  /구"]);
  expect(hitsOf("연구결과 연구", "연구", "연구결과")).toEqual(["연구결과", "연구"]);
  expect(hitsOf("COVID-19 covid 19", "covid19")).toEqual(["COVID-19", "covid 19"]);
  expect(hitsOf("가가가가가나", "가가나")).toEqual(["가가나"]);
  expect(hitsOf("가나가나", "가나")).toEqual(["가나", "가나"]);
  expect(highlightHtml("a<b>글", ["글"])).toBe("a&lt;b&gt;<mark>글</mark>");
  expect(
    splitAtHits("앞 글 뒤", ["글"])
      .map(({ text }) => text)
      .join(""),
  ).toBe("앞 글 뒤");
});

const linked = (text: string) =>
  findTextLinks(text).map(({ start, end, href }) => `${text.slice(start, end)} → ${href}`);

test.for([
  ["전화 02-740-1234로 문의", ["02-740-1234 → tel:027401234"]],
  ["010-1234-5678, 1588-0000", ["010-1234-5678 → tel:01012345678", "1588-0000 → tel:15880000"]],
  [
    "(02) 740-1234 / 02)740-1234 / 02.740.1234",
    ["(02) 740-1234 → tel:027401234", "02)740-1234 → tel:027401234", "02.740.1234 → tel:027401234"],
  ],
  ["+82-2-740-1234", ["+82-2-740-1234 → tel:+8227401234"]],
  ["053-200-5114~6", ["053-200-5114 → tel:0532005114"]],
  ["문의: office@example.or.kr.", ["office@example.or.kr → mailto:office@example.or.kr"]],
  ["<a.b+c@mail.example.com>으로", ["a.b+c@mail.example.com → mailto:a.b+c@mail.example.com"]],
  [
    "https://example.or.kr/a?b=1&amp;c=2에서",
    ["https://example.or.kr/a?b=1&amp;c=2 → https://example.or.kr/a?b=1&amp;c=2"],
  ],
  ["(www.example.kr)", ["www.example.kr → https://www.example.kr"]],
  ["https://example.org/a_(b).", ["https://example.org/a_(b) → https://example.org/a_(b)"]],
  ["https://example.kr/010-1234-5678", ["https://example.kr/010-1234-5678 → https://example.kr/010-1234-5678"]],
  ["2026-11-21 10:00, 제2026-0123-4567호, 1,234건, a@b, http://, 12-34", []],
  ["https://a.kr&lt;b&gt;", ["https://a.kr → https://a.kr"]],
] as const)("%s", ([text, links]) => {
  expect(linked(text)).toEqual(links);
});

test("takes time linear in the text, even with repetitions", () => {
  for (const sign of ["a@", "02-", "www.", "https://", ")", "010-1234-", "http://a.b(", "&lt;", "<a", "@.", "1"]) {
    const read = (text: string) => {
      findTextLinks(text);
      decorateArticle(`<p>${text}</p>`);
    };
    expect(costInParts(read, sign, 400_000), sign).toBeLessThan(MOST_LINEAR);
  }
});

test("links are made only in text", () => {
  expect(
    decorateArticle('<p><a href="tel:02">02-740-1234</a> <code>a@b.kr</code> <strong>02-740-1234</strong></p>'),
  ).toBe(
    '<p><a href="tel:02">02-740-1234</a> <code>a@b.kr</code> <strong><a href="tel:027401234" data-found="">02-740-1234</a></strong></p>',
  );
  expect(decorateArticle("<p>www.example.kr</p>")).toBe(
    '<p><a href="https://www.example.kr" data-found="" title="새 창 열림" rel="noopener noreferrer nofollow" target="_blank">www.example.kr</a></p>',
  );
});

test("tables are named by their caption, the heading above or their number", () => {
  const names = (html: string) => [...decorateArticle(html).matchAll(/aria-label="([^"]*)"/g)].map((found) => found[1]);
  expect(names("<table><caption>설명회 일정</caption><tr><td>a</td></tr></table>")).toEqual(["설명회 일정"]);
  expect(
    names("<table><tr><td>a</td></tr></table><h2>모집 <strong>인원</strong></h2><table><tr><td>a</td></tr></table>"),
  ).toEqual(["표 1", "모집 인원 표"]);
  expect(names('<h2>"A" &amp; B</h2><table></table>')).toEqual(["&quot;A&quot; &amp; B 표"]);
});

test("a table of contacts shows a card for each row", () => {
  const row = (tag: string, ...texts: string[]) =>
    `<tr>${texts.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
  const table = (caption: string) =>
    `<table><caption>${caption}</caption><tbody>${row("th", "부서", "전화 &amp; 팩스")}${row("td", "사무국", "02-740-1234")}</tbody></table>`;
  const cards = decorateArticle(table("연락처"));
  expect(cards).toContain('<div class="table-frame contacts"><table role="table">');
  expect(cards).toContain('<td role="cell" data-head="부서">사무국</td>');
  expect(cards).toContain('<td role="cell" data-head="전화 &amp; 팩스"><a href="tel:027401234" data-found="">');
  expect(decorateArticle(table("연락처 변경"))).not.toMatch(/contacts|data-head/);
  expect(decorateArticle(table("연락처") + table("일정")).split("data-head")).toHaveLength(3);
});

const input = z.object({
  title: z.string().min(1),
  rows: z.array(z.object({ odd: z.string() })).optional(),
  size: z.number().max(5).optional(),
});
const failure = (value: unknown) => {
  try {
    parseInput(input, value);
  } catch (error) {
    const { message, fields } = error as { message: string; fields: Record<string, string> };
    return { message, fields };
  }
  return null;
};

test("a missing field is named in the message alone", () => {
  expect(failure({})).toEqual({ message: "제목 항목을 확인바랍니다.", fields: { title: "필수 항목입니다." } });
  expect(failure({ title: "" })?.message).toBe("제목 항목을 확인바랍니다.");
  // A field without a label is named by its key.
  expect(failure({ title: "a", rows: [{ odd: "" }, {}] })).toEqual({
    message: "odd 항목을 확인바랍니다.",
    fields: { "rows.1.odd": "필수 항목입니다." },
  });
  expect(failure({ title: "a", size: 9 })?.message).toBe("5 이하여야 합니다.");
});

const jsonAnswer = (status: number, body: object) => Promise.resolve(Response.json(body, { status })) as never;

test("a server error shows the request number of its log entry", async () => {
  const body = { code: "INTERNAL_ERROR", message: "일시적인 오류가 발생했습니다.", requestId: "3f2a" };
  await expect(callApi(jsonAnswer(500, body))).rejects.toThrow("일시적인 오류가 발생했습니다. (문의 번호 3f2a)");
});

test("a refusal has no request number", async () => {
  const body = { code: "FORBIDDEN", message: "접근 권한이 없습니다.", requestId: "3f2a" };
  await expect(callApi(jsonAnswer(403, body))).rejects.toThrow(/^접근 권한이 없습니다\.$/);
});

const modules = import.meta.glob<Record<string, unknown>>("../../../worker/contract/**/*.ts", { eager: true });
const schemas = Object.entries(modules).flatMap(([file, exported]) =>
  Object.entries(exported).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [[`${file.split("/contract/")[1]} ${name}`, value] as const] : [],
  ),
);

const TOO_LONG = "1 ".repeat(1_000_000);

type Def = { type: string; [key: string]: unknown };
const defOf = (schema: z.ZodType) => schema._zod.def as unknown as Def;

/** Values of the schema, each with the long text in a different place. */
function valuesWithText(schema: z.ZodType, depth = 0): unknown[] {
  const def = defOf(schema);
  const inner = (key: string) => valuesWithText(def[key] as z.ZodType, depth + 1);
  if (depth > 12) return [];
  switch (def.type) {
    case "string":
      return [TOO_LONG];
    case "object":
      return Object.entries(def.shape as Record<string, z.ZodType>).flatMap(([key, field]) =>
        valuesWithText(field, depth + 1).map((value) => ({ [key]: value })),
      );
    case "array":
      return inner("element").map((value) => [value]);
    case "record":
      return [...inner("valueType").map((value) => ({ key: value })), { [TOO_LONG]: "" }];
    case "union":
      return (def.options as z.ZodType[]).flatMap((option) => valuesWithText(option, depth + 1));
    case "pipe":
      return [...inner("in"), ...(defOf(def.in as z.ZodType).type === "transform" ? inner("out") : [])];
    case "enum":
    case "literal":
    case "transform":
      return [TOO_LONG];
    default:
      return def.innerType ? inner("innerType") : [];
  }
}

/** zod's search for surrogate pairs before it counts letters; a single pass. */
const LETTER_OF_ZOD = "[\\uD800-\\uDBFF]";
/** True for a pattern tried only once, at the start. Other tests show that it is linear. */
const isTriedOnce = ({ source }: RegExp) => source.startsWith("^") || source === LETTER_OF_ZOD;

const exec = RegExp.prototype.exec;
const replaceExec = (value: typeof exec) =>
  // Every pattern passes through `exec`.
  // oxlint-disable-next-line no-extend-native
  Object.defineProperty(RegExp.prototype, "exec", { value, configurable: true, writable: true });

/** Returns the patterns that met the long text during `act`; each match is cut short. */
function patternsThatMeetLongText(act: () => void): string[] {
  const met: string[] = [];
  replaceExec(function (this: RegExp, text: string) {
    if (text.length < TOO_LONG.length || isTriedOnce(this)) return exec.call(this, text);
    met.push(String(this));
    return null;
  });
  try {
    act();
  } finally {
    replaceExec(exec);
  }
  return met;
}

describe("an overlong text", () => {
  test("is noticed by the pattern counter", () => {
    expect(patternsThatMeetLongText(() => TOO_LONG.replace(/\s+/g, " "))).not.toEqual([]);
    expect(patternsThatMeetLongText(() => /^\d{6}$/.test(TOO_LONG))).toEqual([]);
    expect(schemas.length).toBeGreaterThan(100);
  });

  test.each(schemas)("reaches no unbounded pattern: %s", (_name, schema) => {
    const values = valuesWithText(schema);
    for (const value of values)
      expect(
        patternsThatMeetLongText(() => schema.safeParse(value)),
        `${value}`,
      ).toEqual([]);
  });

  test.each(Object.entries({ lineField, requiredLineField, textField, requiredTextField }))(
    "is refused before parsing: %s",
    (_name, field) => {
      const answer = field(20).safeParse("900101-1234567 900101-1234567");
      expect(answer.error?.issues.map(({ code }) => code)).toEqual(["too_big"]);
    },
  );
});

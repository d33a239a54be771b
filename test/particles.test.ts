import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
/** Alternative particles for an unknown word; `withParticle` chooses the right one. */
const BOTH = /을\(를\)|를\(을\)|이\(가\)|가\(이\)|은\(는\)|는\(은\)|\(으\)로|과\(와\)|와\(과\)|\(이\)라/;

test("no text leaves the choice of a particle to the reader", () => {
  const files = globSync("{app,worker,db}/**/*.{ts,tsx,html,json}", { cwd: ROOT });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    readFileSync(resolve(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, at) => (BOTH.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found).toEqual([]);
});

/** A particle that does not fit its word, left when the word was replaced. */
const FOLLOWS_WRONGLY = /([가-힣])(을|를)(?=[\s,.])/g;
const hasFinal = (syllable: string) => (syllable.charCodeAt(0) - 0xac00) % 28 !== 0;
const NAMES_ENDING_SO = /마을|가을|노을|다을/g;

test("a particle fits the word before it in every text", () => {
  const found = globSync("{app,worker,db}/**/*.{ts,tsx,json}", { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(resolve(ROOT, file), "utf8").replaceAll(NAMES_ENDING_SO, "").matchAll(FOLLOWS_WRONGLY)]
      .filter(([, syllable = "", particle]) => hasFinal(syllable) !== (particle === "을"))
      .map((match) => `${file}: ${match.input.slice(match.index - 10, match.index + 4)}`),
  );
  expect(found).toEqual([]);
});

/** Forbidden synonyms, with the word to use. */
const OTHER_WORDS: [said: RegExp, word: string][] = [
  [/전자우편|이메일 ?주소로 발송|메일주소/, "이메일"],
  [/글쓴이|게시자|쓴 사람:/, "작성자"],
  [/핸드폰|휴대폰|손전화/, "휴대전화"],
  [/패스워드|비번/, "비밀번호"],
  [/서버에|서버가|서버를|JavaScript|리다이렉트|캐시|토큰이|토큰을|쿼리|파라미터/, "a word of everyday life"],
  [/견주|까닭/, "비교, 사유 or 이유"],
  [/못하였|하여 주십|미리 보기/, "못했, 해 주십, 미리보기"],
  [/복원하|이전 판|해시|색인을/, "되살리, 이전 버전"],
  [/\} 님/, "님 behind the name without a space"],
  [/되어집|보여집|에 의해 |로 인해 |함에 있어|클릭/, "plain Korean"],
];
/** Synonyms in imported files and searches, and texts that no page shows. */
const MEANT = /header-words|cell-rules|synonyms\.ts|^worker\/local|^worker\/api\/kernel|texts\/english/;

test("each thing has one word on every page", () => {
  const files = globSync("{app,worker}/**/*.{ts,tsx,json}", { cwd: ROOT }).filter((file) => !MEANT.test(file));
  const found = files.flatMap((file) =>
    readFileSync(resolve(ROOT, file), "utf8")
      .split("\n")
      .filter((line) => /[가-힣]/.test(line) && !/^\s*(?:\/\/|\*|\/\*\*)/.test(line))
      .flatMap((line) =>
        OTHER_WORDS.flatMap(([said, word]) => (said.test(line) ? [`${file}: ${word}: ${line.trim()}`] : [])),
      ),
  );
  expect(found).toEqual([]);
});

const REFUSED =
  /\b(?:stands?|stood|whoever|anew|beside|hangs? on|goes on|went on|(?:is|are) told|lies|lay)\b|(?:^|[.:;] )(?:What|Who|Whoever|Of which|Of who|Of nobody) (?!(?:is|are|does|can)\b)(?![^.]*\?)/;
const COMMENT = /^\s*(?:\{?\/\*\*?|\/\/|\*)\s?(.*)$|(?:[\s;,{(])\/\/ (.*)$/gm;
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*(["'`])((?:(?!\1)[^\n\\])+)\1/g;
const files = globSync(["*.md", "{app,worker,db,test}/**/*.{ts,tsx,md}"], { cwd: ROOT });

const titlesOf = (file: string, text: string) =>
  file.startsWith("test/") ? [...text.matchAll(TITLE)].map(([, , title = ""]) => title) : [];

function linesOf(file: string): string[] {
  const text = readFileSync(resolve(ROOT, file), "utf8");
  if (file.endsWith(".md")) return text.split("\n");
  const comments = [...text.matchAll(COMMENT)].map(([, whole, trailing]) => whole ?? trailing ?? "");
  return [...comments, ...titlesOf(file, text)];
}

test("comments, test titles or pages use no refused word", () => {
  const lines = files.flatMap((file) => linesOf(file).map((line) => ({ file, line: line.trim() })));
  expect(lines.length).toBeGreaterThan(5_000);
  expect(lines.filter(({ line }) => REFUSED.test(line))).toEqual([]);
});

const TITLE_WORDS_MAX = 12;
const EXPRESSION = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;

test("a test title is one rule of at most twelve words", () => {
  const titles = files.flatMap((file) =>
    titlesOf(file, readFileSync(resolve(ROOT, file), "utf8")).map((title) => title.replaceAll(EXPRESSION, "it")),
  );
  expect(titles.length).toBeGreaterThan(1_500);
  expect(titles.filter((title) => title.split(" ").length > TITLE_WORDS_MAX || title.includes(" and "))).toEqual([]);
});

import { cleanLine } from "#worker/contract/kernel/text.ts";
import { isKoreanName } from "../korean-name.ts";

// Finds what lists write into a cell next to a name. Free of zod for the browser.

/** Each kind is decided once for all its rows. */
export const NAME_MARK_LABELS = {
  death: "작고 표시",
  title: "직함",
  sex: "성별 표시",
  inner: "이름 안의 빈칸",
} as const;

export type NameMark = keyof typeof NAME_MARK_LABELS;

export const NAME_MARK_MESSAGES: Record<NameMark, string> = {
  death: "이름에 작고하셨다는 표시가 있습니다.",
  title: "이름에 직함이 함께 적혀 있습니다.",
  sex: "이름에 성별 표시가 함께 적혀 있습니다.",
  inner: "이름 안에 빈칸이 있습니다.",
};

export const isNameMark = (fault: string): fault is NameMark => Object.hasOwn(NAME_MARK_LABELS, fault);

interface MarkedPart {
  kind: NameMark;
  text: string;
}

/** A name with the marks before and after it, in their order. */
interface MarkedName {
  before: MarkedPart[];
  core: string;
  after: MarkedPart[];
}

const DEATH_SIGNS = ["†", "✝", "✟", "▶◀", "故"];
const DEATH_WORDS = new Set("작고 사망 별세 타계 소천 영면 선종 고인 고 故人 deceased".split(" "));
const DEATH_ENDINGS = ["하심", "하셨음", "회원", "동문", "함", "자"];
const SEX_WORDS = new Set("남 여 男 女 남자 여자 남성 여성 m f male female".split(" "));
const SEX_SIGNS = ["男", "女", "♂", "♀"];

const byLength = (words: string) => words.split(" ").toSorted((a, b) => b.length - a.length);

const TITLES = byLength(
  "교수 명예교수 석좌교수 부교수 조교수 정교수 겸임교수 초빙교수 객원교수 임상교수 연구교수 특임교수 외래교수 전임교수 원장 병원장 부원장 의원장 대학원장 연구원장 선생 박사 회장 부회장 전회장 이사 이사장 대표 대표이사 상임이사 총무 간사 고문 감사 사장 부사장 전무 상무 부장 과장 차장 실장 팀장 센터장 소장 학장 총장 국장 본부장 지부장 지회장 학과장 대리 주임 강사 조교 전공의 전임의 전문의 의사 간호사 약사 변호사 회계사 세무사 변리사 목사 신부 수녀 스님 장로 권사 집사 여사 님 씨 귀하",
);
const LATIN_PREFIXES = new Set("dr prof professor mr mrs ms miss".split(" "));
const LATIN_SUFFIXES = new Set("phd md dds dmd rn esq".split(" "));

const withoutDots = (text: string) => text.replaceAll(".", "").trim().toLowerCase();

const isDeath = (text: string) => {
  const word = text.replace(/[\d\s.,/년월일~:-]/g, "").toLowerCase();
  const ending = DEATH_ENDINGS.find((each) => word.endsWith(each));
  const bare = ending ? word.slice(0, -ending.length) : word;
  return DEATH_WORDS.has(word) || DEATH_WORDS.has(bare) || DEATH_SIGNS.includes(word);
};

const isTitle = (text: string) =>
  TITLES.includes(text) || (text.endsWith("님") && TITLES.includes(text.slice(0, -1).trimEnd()));

/** The meaning of a word in brackets. */
function markOf(text: string): NameMark | null {
  const word = text.trim();
  if (isDeath(word)) return "death";
  if (SEX_WORDS.has(withoutDots(word)) || SEX_SIGNS.includes(word)) return "sex";
  return isTitle(word) || LATIN_SUFFIXES.has(withoutDots(word)) ? "title" : null;
}

const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["<", ">"],
] as const;

/** Stray signs between a name and a mark. */
const trimJoint = (text: string) => text.replace(/[\s,/·:-]$/u, "").trimEnd();

/** Looser than `isKoreanName`: of a rare family, in Chinese letters, or foreign. */
const isName = (text: string) =>
  /^[가-힣][가-힣 ]{0,11}[가-힣]$/.test(text) ||
  /^\p{Script=Han}{2,4}$/u.test(text) ||
  (/^\p{Script=Latin}[\p{L} .'-]+$/u.test(text) && text.length > 3);

type Cut = { rest: string; kind: NameMark } | null;

function cutEnd(text: string): Cut {
  for (const [open, close] of BRACKETS) {
    const from = text.endsWith(close) ? text.lastIndexOf(open) : -1;
    const kind = from > 0 ? markOf(text.slice(from + 1, -1)) : null;
    if (kind) return { rest: text.slice(0, from), kind };
  }
  const sign = DEATH_SIGNS.find((each) => text.endsWith(each));
  if (sign) return { rest: text.slice(0, -sign.length), kind: "death" };
  const sex = SEX_SIGNS.find((each) => text.endsWith(each));
  if (sex) return { rest: text.slice(0, -sex.length), kind: "sex" };
  const at = Math.max(...[" ", "/", ","].map((each) => text.lastIndexOf(each)));
  if (at > 0) {
    const rest = text.slice(0, at);
    const word = text.slice(at + 1).trim();
    const core = trimJoint(rest);
    if (word.length > 1 && isDeath(word)) return { rest, kind: "death" };
    // 이수 남 may be a spaced name.
    if (/^[남여]$/.test(word) && core.replace(/\s/g, "").length >= 3) return { rest, kind: "sex" };
    if (isTitle(word) || LATIN_SUFFIXES.has(withoutDots(word))) return { rest, kind: "title" };
  }
  // Written together: a name of three letters at least is left.
  const title = TITLES.find((each) => text.endsWith(each));
  const core = title ? text.slice(0, -title.length) : "";
  if (title && core.length >= 3 && (isKoreanName(core) || cutEnd(core)?.kind === "title"))
    return { rest: core, kind: "title" };
  return null;
}

function cutStart(text: string): Cut {
  for (const [open, close] of BRACKETS) {
    const to = text.startsWith(open) ? text.indexOf(close) : -1;
    const kind = to > 0 ? markOf(text.slice(1, to)) : null;
    if (kind) return { rest: text.slice(to + 1), kind };
  }
  const sign = DEATH_SIGNS.find((each) => text.startsWith(each));
  if (sign) return { rest: text.slice(sign.length), kind: "death" };
  if (text.startsWith("고)") || text.startsWith("고(故)"))
    return { rest: text.slice(text.indexOf(")") + 1), kind: "death" };
  const at = text.indexOf(" ");
  const rest = text.slice(at + 1);
  // 고 영희 may be a spaced name; 고 정민희 is none.
  if (/^(?:고|고\.|작고|사망) /.test(text) && isKoreanName(rest) && rest.replace(/\s/g, "").length >= 3)
    return { rest, kind: "death" };
  const word = /^[A-Za-z]{2,9}(?:\. ?| )/.exec(text)?.[0] ?? "";
  return LATIN_PREFIXES.has(withoutDots(word)) ? { rest: text.slice(word.length), kind: "title" } : null;
}

function readMarks(text: string): MarkedName {
  const before: MarkedPart[] = [];
  const after: MarkedPart[] = [];
  let core = text;
  for (let cut = cutStart(core); cut; cut = cutStart(core)) {
    const rest = cut.rest.replace(/^[\s.,:·-]/, "").trimStart();
    before.push({ kind: cut.kind, text: core.slice(0, core.length - rest.length) });
    core = rest;
  }
  for (let cut = cutEnd(core); cut; cut = cutEnd(core)) {
    const rest = trimJoint(cut.rest.trimEnd());
    after.unshift({ kind: cut.kind, text: core.slice(rest.length) });
    core = rest;
  }
  const isMarked = before.length + after.length > 0;
  return isMarked && !isName(core) ? { before: [], core: text, after: [] } : { before, core, after };
}

/** 김 교수 is no name with a space. */
const hasInnerSpace = (core: string) =>
  core.includes(" ") && isKoreanName(core) && !isTitle(core.slice(core.lastIndexOf(" ") + 1));

/** @param name a cleaned cell */
export function nameMarksIn(name: string): NameMark[] {
  const { before, core, after } = readMarks(name);
  const kinds = new Set([...before, ...after].map(({ kind }) => kind));
  if (hasInnerSpace(core)) kinds.add("inner");
  return [...kinds];
}

/** @returns the name without the marks of these kinds */
export function withoutNameMarks(name: string, kinds: readonly NameMark[]): string {
  const { before, core, after } = readMarks(name);
  const kept = (parts: readonly MarkedPart[]) =>
    parts
      .filter(({ kind }) => !kinds.includes(kind))
      .map(({ text }) => text)
      .join("");
  const bare = kinds.includes("inner") && hasInnerSpace(core) ? core.replaceAll(" ", "") : core;
  return cleanLine(`${kept(before)}${bare}${kept(after)}`);
}

/** A year or a day that a mark of death holds: 2019 작고. */
export const deathNote = (name: string): string | null => {
  const { before, after } = readMarks(name);
  const found = [...before, ...after].find(({ kind, text }) => kind === "death" && /\d/.test(text));
  return found ? found.text.replace(/[()[\]<>/,]/g, "").trim() : null;
};

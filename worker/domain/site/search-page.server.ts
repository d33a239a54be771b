import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { z } from "zod";
import type { AppContext, BatchRows, RequestScope, View } from "#worker/domain/kernel/context.ts";
import { searchInput, type searchPageQuery } from "#worker/contract/board/input.ts";
import type { PageHit, SearchHit } from "#worker/contract/board/view.ts";
import { englishPath, type Language, languageOf } from "#worker/contract/kernel/language.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { excerptAroundHit, foldSearchText, type SearchTarget, WORD_RUNS } from "#worker/contract/board/search-terms.ts";
import type { BoardRow } from "../kernel/authorize.server.ts";
import { hasEnglishSite, identityOf, requireLanguage } from "../kernel/site-identity.server.ts";
import { boardNameIn, boardView, categoryNameIn } from "../board/board.server.ts";
import { SCORES } from "../board/search-score.server.ts";
import { mayMiss, searchableBoards, searchAmong, searchedBoardsStatement } from "../board/search.server.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { center, content, contentFile, contentVersion } from "#db/schema/content.ts";
import { file } from "#db/schema/file.ts";
import { questionWords, type SearchQuestion } from "#worker/contract/board/search-parts.ts";
import { PROVINCE_NAMES } from "#worker/contract/kernel/provinces.ts";
import { centerPath } from "#worker/contract/content/view.ts";
import { infoPath, isLegalPage, LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";
import { contentValue } from "#worker/contract/content/input.ts";
import { shownPage } from "../content/info-page.server.ts";
import { hasEnglishText } from "../content/page.server.ts";
import { htmlToText } from "../kernel/html-text.server.ts";
import { searchedScreens } from "./search-screen.server.ts";

const PAGE_SIZE = 20;
/** Filters by writer or file exclude pages. */
const WITH_PAGES = new Set<SearchTarget>(["all", "title", "content", "titleContent"]);

const namedIn = (language: Language, row: BoardRow | undefined, hit: SearchHit): SearchHit =>
  row ? { ...hit, boardName: boardNameIn(language, row), category: categoryNameIn(language, row, hit.category) } : hit;

export async function getSearchPage(
  scope: RequestScope,
  address: z.output<typeof searchPageQuery>,
  within?: string,
  language: Language = "ko",
) {
  const { ctx, rows } = await scope.read([searchedBoardsStatement(scope.db, within)]);
  requireLanguage(ctx, language);
  const boards = searchableBoards(ctx, rows[0], within);
  const rowOf = new Map(boards.map((row) => [row.boardCode, row]));
  const { keyword, target, order, from = "", to = "" } = address;
  const boardCode = within ?? address.boardCode ?? "";
  const asked = {
    query: { keyword: keyword.trim(), target, boardCode, from, to, order },
    boards: boards.map((row) => ({ boardCode: row.boardCode, boardName: boardNameIn(language, row) })),
    board: within && boards[0] ? boardView(ctx, boards[0], language) : null,
    pages: [],
  };
  if (keyword.trim() === "") return { ...asked, result: null, error: null };
  try {
    const input = parseInput(searchInput, { keyword, target, from, to, boardCode, order });
    const everything = !boardCode && !from && !to && address.page === 1 && WITH_PAGES.has(target);
    const searched = within || !boardCode ? boards : searchableBoards(ctx, rows[0], boardCode);
    const pagesIn = (read: readonly unknown[]) => searchedPages(ctx, read as unknown as SearchedRows, language);
    const found = await searchAmong(
      ctx,
      searched,
      { ...input, page: address.page, size: PAGE_SIZE },
      {
        statements: (isFree, questions) => (everything ? searchedPagesStatements(ctx, isFree, questions) : []),
        answers: (read, question) => everything && foundPages(pagesIn(read), question).length > 0,
        texts: (read) => (everything ? pagesIn(read).flatMap(({ title, text }) => [title, text]) : []),
      },
    );
    const isAnswered = found.page.totalElements > 0 && !found.page.isNear;
    const places = everything ? nearestPages(pagesIn(found.rows), found.question, isAnswered) : NO_PAGES;
    const isRanked = order === "match";
    return {
      ...asked,
      result: {
        ...found.page,
        isNear: found.page.isNear || (places.isNear && !isAnswered),
        content: found.page.content.map((hit) => namedIn(language, rowOf.get(hit.boardCode), hit)),
      },
      pages: places.pages.map(({ hit, score }): PageHit => {
        const itemsBefore = isRanked ? found.scores.filter((each) => each > score).length : 0;
        return { ...hit, itemsBefore };
      }),
      error: null,
    };
  } catch (error) {
    if (!(error instanceof AppError) || !["INVALID_INPUT", "TOO_MANY_REQUESTS"].includes(error.code)) throw error;
    return { ...asked, result: null, error: error.message };
  }
}

export type SearchPageData = View<typeof getSearchPage>;

interface SearchedPage extends Omit<PageHit, "excerpt" | "itemsBefore" | "fileNames" | "phone"> {
  text: string;
  /** Headings of the text. */
  headings?: string;
  /** Words of buttons, the map or figures, searchable but not in excerpts. */
  labels?: string;
  phone?: string;
  files?: readonly FoundFile[];
}

interface FoundFile {
  fileName: string;
  /** Searched words within the file. */
  words: readonly string[];
}

const CENTER_LABELS = { ko: "길찾기 찾아오시는 길", en: "Directions" };
const ISLANDS: Record<string, Record<Language, string>> = {
  gyungbuk: { ko: "울릉도 독도", en: "Ulleungdo Dokdo" },
};
const labelsOf = (regionCode: string, language: Language) =>
  `${CENTER_LABELS[language]} ${lookUp(ISLANDS, regionCode)?.[language] ?? ""}`;

const PAGES_SHOWN = 6;

const joined = (...columns: SQLiteColumn[]) =>
  sql<string>`concat_ws(' ', ${sql.join(
    columns.map((each) => sql`nullif(${each}, '')`),
    sql`, `,
  )})`;

/** Selects published pages and centres; these are public. @param when SQL condition for reading anything */
function searchedPagesStatements(
  { db, now }: Pick<AppContext, "db" | "now">,
  when: SQL,
  questions: readonly SearchQuestion[],
) {
  const words = JSON.stringify([...new Set(questions.flatMap(questionWords))]);
  const text = sql`(SELECT lower(replace(text, ' ', '')) FROM file_text WHERE file_id = ${file.id})`;
  const newest = sql`(SELECT version_no FROM content_version AS v WHERE v.code = ${content.code} AND v.effective_date <= ${now().getTime()} ORDER BY v.effective_date DESC, v.version_no DESC LIMIT 1)`;
  return [
    db
      .select({ code: content.code, value: contentVersion.value })
      .from(content)
      .innerJoin(
        contentVersion,
        and(eq(contentVersion.code, content.code), sql`${contentVersion.versionNo} = ${newest}`),
      )
      .where(and(eq(content.status, "published"), when)),
    db
      .select({
        regionCode: center.regionCode,
        title: center.centerName,
        phone: center.phone,
        text: joined(
          center.regionName,
          center.director,
          center.address,
          center.phone,
          center.introduction,
          center.directions,
        ),
        englishTitle: center.englishName,
        englishText: joined(
          center.englishDirector,
          center.englishAddress,
          center.phone,
          center.englishIntroduction,
          center.englishDirections,
        ),
      })
      .from(center)
      .where(when)
      .orderBy(asc(center.sortOrder), asc(center.regionCode)),
    db
      .select({
        code: contentFile.code,
        fileName: file.fileName,
        words: sql<string>`(SELECT json_group_array(value) FROM json_each(${words}), (SELECT ${text} AS folded) WHERE instr(folded, value) > 0)`,
      })
      .from(contentFile)
      .innerJoin(content, and(eq(content.code, contentFile.code), eq(content.status, "published")))
      .innerJoin(file, eq(file.id, contentFile.fileId))
      .where(and(sql`${file.purpose} <> 'image'`, when))
      .orderBy(asc(file.createdDate)),
  ] as const;
}

type SearchedRows = BatchRows<ReturnType<typeof searchedPagesStatements>>;

interface RankedPage {
  hit: Omit<PageHit, "itemsBefore">;
  score: number;
}

const NO_PAGES = { pages: [] as RankedPage[], isNear: false };

/** Pages with every part of the question, or with most of them. */
function nearestPages(pages: readonly SearchedPage[], question: SearchQuestion, isAnswered: boolean): typeof NO_PAGES {
  const found = foundPages(pages, question);
  if (found.length > 0) return { pages: found, isNear: false };
  const near = foundPages(pages, question, mayMiss(question, isAnswered));
  return { pages: near, isNear: near.length > 0 };
}

/** Best first. @param missing how many parts may be missing */
function foundPages(pages: readonly SearchedPage[], question: SearchQuestion, missing = 0): RankedPage[] {
  const words = questionWords(question);
  return pages
    .flatMap((page): RankedPage[] => {
      const score = pageScore(page, question, missing);
      if (score === null) return [];
      const { kind, title, path, text, phone = "", files = [] } = page;
      const fileNames = files
        .filter((each) => each.words.length > 0 || includesAny(foldOnce(each.fileName), words))
        .map(({ fileName }) => fileName);
      return [{ hit: { kind, title, path, phone, fileNames, excerpt: excerptAroundHit(text, words) }, score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, PAGES_SHOWN);
}

const includesAny = (text: string, words: readonly string[]) => words.some((word) => text.includes(word));

/** Pages are kept up by the office, so they precede items of the same match. */
const PAGE_SCORES = { heading: 3, text: 2, repeated: 2, page: 2, phone: 3 } as const;
/** Each further place of a word counts less. */
const REPEATED_AT = 4;

/** The score on the scale of items, or null if a part is missing. */
function pageScore(page: SearchedPage, question: SearchQuestion, missing: number): number | null {
  const { parts, asides, phrase } = question;
  const [title, headings] = [foldOnce(page.title), foldOnce(page.headings ?? "")];
  const { files = [] } = page;
  const names = foldOnce(`${page.labels ?? ""} ${files.map(({ fileName }) => fileName).join(" ")}`);
  const text = foldOnce(page.text);
  const inFiles = new Set(files.flatMap((each) => each.words));
  const everywhere = `${title} ${headings} ${text} ${names}`;
  const isHere = (word: string) => everywhere.includes(word) || inFiles.has(word);
  const present = parts.filter((part) => part.some(({ words }) => words.every(isHere)));
  if (present.length === 0 || present.length < parts.length - missing) return null;
  const [headingWords, ownWords] = [wordsOnce(page.headings ?? ""), wordsOnce(page.text)];
  const startsIn = (list: readonly string[], word: string) => list.filter((each) => each.startsWith(word)).length;
  const scores = present.map((part) => {
    const words = [...new Set(part.flatMap((each) => each.words))];
    const own = part[0].words.join("");
    const counted = Math.max(...words.map((word) => startsIn(ownWords, word)));
    const shared = words.find((word) => title.includes(word))?.length ?? 0;
    return (
      (part.some((each) => each.words.every((word) => title.includes(word))) ? SCORES.title : 0) +
      (words.some((word) => title.startsWith(word)) ? SCORES.titleStart : 0) +
      (title.includes(own) ? SCORES.whole : 0) +
      (words.some((word) => startsIn(headingWords, word) > 0) ? PAGE_SCORES.heading : 0) +
      (includesAny(text, words) ? PAGE_SCORES.text : 0) +
      (PAGE_SCORES.repeated * Math.min(counted, REPEATED_AT)) / REPEATED_AT +
      (includesAny(names, words) ? SCORES.fileName : 0) +
      (SCORES.titleShare * shared) / Math.max(title.length, own.length)
    );
  });
  const ordering = asides.map(
    (words) =>
      (includesAny(title, words) ? SCORES.asideInTitle : 0) +
      (includesAny(headings + text, words) ? SCORES.asideInText : 0) +
      (page.phone && words.includes(ASKED_PHONE) ? PAGE_SCORES.phone : 0),
  );
  const together = [
    phrase && title.includes(phrase) ? SCORES.phraseInTitle : 0,
    phrase && (text.includes(phrase) || names.includes(phrase) || inFiles.has(phrase)) ? SCORES.phraseInText : 0,
  ];
  return [...scores, ...ordering, ...together].reduce((sum, each) => sum + each, PAGE_SCORES.page);
}

const ASKED_PHONE = "전화번호";

function searchedPages(ctx: AppContext, [pages, centers, files]: SearchedRows, language: Language): SearchedPage[] {
  const product = ctx.config.PRODUCT_CODE;
  const filesOf = (code: string) =>
    files
      .filter((row) => row.code === code)
      .map(({ fileName, words }) => ({ fileName, words: JSON.parse(words) as string[] }));
  const all = [
    ...pages.flatMap(({ code, value }) => pageOf(ctx, code, value, filesOf(code))),
    ...(identityOf(ctx).hasCenters ? centers : []).flatMap((row): SearchedPage[] => {
      const { regionCode, title, text, englishTitle, englishText, phone } = row;
      const path = centerPath(product, regionCode);
      const korean: SearchedPage = { kind: "center", title, path, text, phone, labels: labelsOf(regionCode, "ko") };
      if (!hasEnglishSite(ctx) || englishTitle === "") return [korean];
      const labels = labelsOf(regionCode, "en");
      const english = { title: englishTitle, path: englishPath(product, path), text: englishText, phone, labels };
      return [korean, { ...english, kind: "center" }];
    }),
    ...searchedScreens(ctx).map((screen): SearchedPage => ({ ...screen, kind: "screen" })),
  ];
  // Korean searches also find English pages.
  return all.filter(({ path }) => language === "ko" || languageOf(path) === "en");
}

const TEXTS_KEPT = 200;
const readTexts = new Map<string, string>();
const foldedTexts = new Map<string, string>();

/** Computes each text once per isolate: the text of the same HTML, folded or not, never changes. */
function computeOnce<T>(known: Map<string, T>, given: string, compute: (given: string) => T): T {
  const text = known.get(given) ?? compute(given);
  if (known.size >= TEXTS_KEPT) known.clear();
  known.set(given, text);
  return text;
}
const textOf = (html: string) => computeOnce(readTexts, html, htmlToText);
const textWords = new Map<string, readonly string[]>();
const wordsOnce = (text: string) => computeOnce(textWords, text, (given) => given.toLowerCase().match(WORD_RUNS) ?? []);
const foldOnce = (text: string) => computeOnce(foldedTexts, text, foldSearchText);

const headingsOf = (html: string): string =>
  html
    .split(/<h[2-4]/)
    .slice(1)
    .map((part) => textOf(part.slice(part.indexOf(">") + 1, part.indexOf("</h"))))
    .join(" ");
/** Words of figures. */
const PAGE_LABELS: Record<string, string> = { residence: PROVINCE_NAMES.join(" ") };

function pageOf(ctx: AppContext, code: string, value: unknown, files: readonly FoundFile[]): SearchedPage[] {
  const shown = shownPage(ctx, code);
  const path = shown ? infoPath(ctx.config.PRODUCT_CODE, code) : isLegalPage(code) ? LEGAL_PAGES[code].path : null;
  const page = contentValue.safeParse(value).data;
  if (path === null || !page) return [];
  const korean: SearchedPage = {
    kind: "page",
    title: page.title,
    path,
    text: textOf(page.content),
    headings: headingsOf(page.content),
    labels: lookUp(PAGE_LABELS, code) ?? "",
    files,
  };
  if (!hasEnglishSite(ctx) || !hasEnglishText(code, page)) return [korean];
  const english = {
    title: page.englishTitle,
    text: textOf(page.englishContent),
    headings: headingsOf(page.englishContent),
    files,
  };
  return [korean, { ...english, kind: "page", path: englishPath(ctx.config.PRODUCT_CODE, path) }];
}

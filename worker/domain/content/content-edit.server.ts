import { desc, sql } from "drizzle-orm";
import { content, contentVersion } from "#db/schema/content.ts";
import { cleanHtml, imageFileIds } from "#worker/adapters/clean-html.server.ts";
import type { AppContext, Parsed, View } from "#worker/domain/kernel/context.ts";
import { canHaveFiles } from "#worker/contract/content/rules.ts";
import type { ContentVersionInfo } from "#worker/contract/content/view.ts";
import type { DiffLine } from "#worker/contract/kernel/text.ts";
import {
  contentValue,
  type ContentValue,
  type PageTextDocument,
  type publishContentInput,
  type RestoreContentInput,
  type saveContentInput,
} from "#worker/contract/content/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import {
  type ContentCode,
  infoPath,
  isLegalPage,
  LEGAL_PAGES,
  type LegalPageCode,
} from "#worker/contract/content/info-pages.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { authorizeSetting, requireSignedIn } from "../kernel/authorize.server.ts";
import { publishTermsStatements } from "./agreement.server.ts";
import {
  checkContentFiles,
  contentFilesStatement,
  contentFileViews,
  keepContentFiles,
  publishContentFiles,
} from "./content-file.server.ts";
import { draftLegalText, followSettings } from "./legal-draft.server.ts";
import { isMoreThanText } from "./page.server.ts";
import { infoPagesOf, isWithout } from "./info-page.server.ts";
import * as drafts from "./draft-version.server.ts";
import { compareHtmlTexts, refuseProblems, textProblems, withoutMissingPicturesIn } from "./html-text.server.ts";
import type { Db } from "#db/client.ts";
import { eachProblem, type RowTransfer, stampOf, type TransferSite, writeRow } from "../kernel/row-transfer.server.ts";
import { IMPORT_NOTE, isVersionInForce, publishAtOnceStatements } from "./draft-version.server.ts";

const contentSubject = (code: ContentCode) => ({ code, type: "content" }) as const;
const authorizePages = (ctx: AppContext) => authorizeSetting(ctx, "pageTexts");

/** Also checks that the site has such a page. @throws AppError FORBIDDEN, NOT_FOUND */
function authorizePage(ctx: AppContext, code: ContentCode): void {
  authorizePages(ctx);
  if (code === "banner" || isLegalPage(code) || infoPagesOf(ctx).some((page) => page.code === code)) return;
  throw new AppError("NOT_FOUND", { message: "그런 페이지가 없습니다." });
}

function contentPlace(ctx: AppContext, code: ContentCode): { label: string; path: string } {
  if (code === "banner") return { label: "첫 화면 배너", path: "/" };
  if (isLegalPage(code)) return LEGAL_PAGES[code];
  const page = infoPagesOf(ctx).find((each) => each.code === code);
  return { label: page?.label ?? code, path: infoPath(ctx.config.PRODUCT_CODE, code) };
}

function contentInfoOf(
  ctx: AppContext,
  code: ContentCode,
  row: typeof content.$inferSelect | undefined,
  version: { versionNo: number; title: string } | undefined,
) {
  const { label, path } = contentPlace(ctx, code);
  return {
    code,
    label,
    path,
    title: version?.title ?? label,
    status: row?.status ?? "draft",
    versionNo: version?.versionNo ?? null,
    ...drafts.editStateOf(row),
  };
}

export async function listContents(ctx: AppContext) {
  authorizePages(ctx);
  const [rows, versions] = await ctx.db.batch([
    ctx.db.select().from(content),
    ctx.db
      .select({
        code: contentVersion.code,
        versionNo: contentVersion.versionNo,
        title: sql<string>`json_extract(${contentVersion.value}, '$.title')`,
      })
      .from(contentVersion)
      .where(sql`${contentVersion.effectiveDate} <= ${ctx.now().getTime()}`)
      .orderBy(desc(contentVersion.effectiveDate), desc(contentVersion.versionNo)),
  ]);
  const pages = infoPagesOf(ctx).filter(({ code }) => !isWithout(ctx, code));
  return [...pages.map(({ code }) => code), ...Object.keys(LEGAL_PAGES), "banner"].map((code) =>
    contentInfoOf(
      ctx,
      code,
      rows.find((row) => row.code === code),
      versions.find((row) => row.code === code),
    ),
  );
}

export async function getContentToEdit(ctx: AppContext, code: ContentCode) {
  authorizePage(ctx, code);
  const [[row], [inForce], files] = await ctx.db.batch([
    drafts.contentRowStatement(ctx.db, code),
    drafts.versionInForceStatement(ctx.db, code, ctx.now()),
    contentFilesStatement(ctx.db, code),
  ]);
  const published = inForce ? { ...contentValue.parse(inForce.value), ...drafts.versionInfoOf(inForce) } : null;
  const draft = row?.draft ? await followSettings(ctx, code, row.draft) : undefined;
  const info = contentInfoOf(ctx, code, row, published ?? undefined);
  return {
    ...info,
    title: draft?.title ?? info.title,
    content: draft?.content ?? published?.content ?? "",
    englishTitle: draft?.englishTitle ?? published?.englishTitle ?? "",
    englishContent: draft?.englishContent ?? published?.englishContent ?? "",
    files: contentFileViews(files, draft?.fileIds ?? published?.fileIds ?? []),
    published,
  };
}

export type ContentEdit = View<typeof getContentToEdit>;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

function cleanedText(html: string): string {
  const cleaned = cleanHtml(html);
  if (bytesOf(cleaned) > SIZE_LIMITS.contentBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  return cleaned;
}

/** Saves a draft, which readers do not see. @throws AppError CONFLICT, PAYLOAD_TOO_LARGE */
export async function saveContent(ctx: AppContext, code: ContentCode, input: Parsed<typeof saveContentInput>) {
  authorizePage(ctx, code);
  const [cleaned, englishContent] = [cleanedText(input.content), cleanedText(input.englishContent)];
  const { title, englishTitle, fileIds, version } = input;
  const problem = textProblems({ content: cleaned, englishTitle, englishContent }).englishTitle;
  if (problem) throw invalidInput({ englishTitle: problem });
  if (fileIds.length > 0 && !canHaveFiles(code)) throw invalidInput({ fileIds: "이 글에는 파일을 붙일 수 없습니다." });
  await checkContentFiles(ctx, code, fileIds);
  const [stored] = await drafts.contentRowStatement(ctx.db, code).all();
  const value = await followSettings(ctx, code, {
    facts: stored?.draft?.facts,
    title,
    content: cleaned,
    englishTitle,
    englishContent,
    fileIds,
  });
  if (bytesOf(JSON.stringify(value)) > SIZE_LIMITS.storedTextBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  const shown = [...picturesIn(value), ...fileIds];
  const also = shown.length > 0 ? keepContentFiles(ctx, code, shown, drafts.isDraftSaved(code, version)) : [];
  const saved = await drafts.saveSubjectDraft(ctx, contentSubject(code), value, version, also);
  return { ...saved, content: value.content, englishContent };
}

/** Writes a legal page's draft again from the settings; its English text and its published versions stay. @throws AppError CONFLICT */
export async function draftContent(ctx: AppContext, code: LegalPageCode, version: number) {
  authorizePages(ctx);
  const { englishTitle, englishContent } = await getContentToEdit(ctx, code);
  const draft = { ...(await draftLegalText(ctx, code)), englishTitle, englishContent, fileIds: [] };
  return saveContent(ctx, code, { ...draft, version });
}

export async function dropContentDraft(ctx: AppContext, code: ContentCode, version: number) {
  authorizePage(ctx, code);
  return drafts.dropSubjectDraft(ctx, contentSubject(code), version);
}

const picturesIn = ({ content: korean, englishContent }: ContentValue) => [
  ...imageFileIds(korean),
  ...imageFileIds(englishContent),
];

/** Publishes the draft as the newest version, in force now or from a later day. */
export async function publishContent(ctx: AppContext, code: ContentCode, input: Parsed<typeof publishContentInput>) {
  authorizePage(ctx, code);
  const draft = await drafts.readDraftToPublish(ctx, contentSubject(code), input.version);
  const value = contentValue.parse(await followSettings(ctx, code, draft));
  refuseProblems(textProblems(value, !isMoreThanText(code)));
  const when = drafts.isDraftPublished(code, input.version);
  return drafts.publishSubjectDraft(ctx, contentSubject(code), value, input, [
    publishContentFiles(ctx, code, [...picturesIn(value), ...value.fileIds], when),
    ...(code === "terms" ? publishTermsStatements(ctx, value, input.effectiveDate ?? ctx.now(), when) : []),
  ]);
}

/** Withdraws a page, which shows '서비스 준비중입니다' until it is published again. */
export async function withdrawContent(ctx: AppContext, code: ContentCode, version: number) {
  authorizePage(ctx, code);
  return drafts.withdrawSubject(ctx, contentSubject(code), version);
}

export async function listContentHistory(
  ctx: AppContext,
  code: ContentCode,
): Promise<(ContentVersionInfo & { title: string })[]> {
  authorizePage(ctx, code);
  const rows = await drafts.versionRowsStatement(ctx.db, code);
  return rows.map((row) => ({ ...drafts.versionInfoOf(row), title: contentValue.parse(row.value).title }));
}

export async function getContentVersion(
  ctx: AppContext,
  { code, versionNo }: { code: ContentCode; versionNo: number },
): Promise<ContentValue & ContentVersionInfo & { difference: DiffLine[]; englishDifference: DiffLine[] }> {
  authorizePage(ctx, code);
  const [[row], versions] = await ctx.db.batch([
    drafts.contentRowStatement(ctx.db, code),
    drafts.versionRowsStatement(ctx.db, code),
  ]);
  const version = versions.find((candidate) => candidate.versionNo === versionNo);
  if (!version) throw new AppError("NOT_FOUND", { message: "그 버전을 찾을 수 없습니다." });
  const value = contentValue.parse(version.value);
  const newest = contentValue.parse(row?.draft ?? versions[0]?.value ?? version.value);
  return {
    ...value,
    ...drafts.versionInfoOf(version),
    difference: compareHtmlTexts(value.content, newest.content),
    englishDifference: compareHtmlTexts(value.englishContent, newest.englishContent),
  };
}

export async function restoreContent(ctx: AppContext, code: ContentCode, input: RestoreContentInput) {
  authorizePage(ctx, code);
  return drafts.restoreSubjectVersion(ctx, contentSubject(code), input);
}

const pageTextsStatement = (db: Db, now: Date) =>
  db
    .select({
      code: content.code,
      status: content.status,
      draft: content.draft,
      value: contentVersion.value,
      versionCount: sql<number>`(SELECT count(*) FROM content_version AS v WHERE v.code = ${content.code})`.as(
        "versions",
      ),
      fileNames: sql<string>`(SELECT json_group_object(f.id, f.file_name) FROM content_file AS l
        JOIN file AS f ON f.id = l.file_id WHERE l.code = ${content.code} AND f.purpose <> 'image')`.as("file_names"),
    })
    .from(content)
    .leftJoin(contentVersion, isVersionInForce(now))
    .where(sql`${content.code} NOT LIKE 'center.%'`)
    .orderBy(content.code);
type PageTextRow = Awaited<ReturnType<typeof pageTextsStatement>>[number];

export const pageTextLength = sql<number>`(SELECT coalesce(sum(length(CAST(value AS BLOB))), 0) FROM content_version AS v
  JOIN content AS c ON c.code = v.code WHERE c.status = 'published' AND c.code NOT LIKE 'center.%'
    AND v.version_no = (SELECT max(version_no) FROM content_version AS n WHERE n.code = v.code))`;

/** A file never changes a legal text: an existing one gets a draft, to publish for a day. */
const comesAsDraft = ({ code }: PageTextDocument, here: PageTextRow | undefined, { agreements }: TransferSite) =>
  isLegalPage(code) && ((here?.versionCount ?? 0) > 0 || agreements.has(code));

const valueOf = ({ code: _code, files, ...texts }: PageTextDocument) => ({
  ...texts,
  fileIds: files.map(({ fileId }) => fileId),
});

export const pageTextTransfer: RowTransfer<PageTextRow, PageTextDocument> = {
  select: pageTextsStatement,
  stamp: stampOf(content, content.code, content.version),
  documentOf({ code, status, value, fileNames }) {
    const text = contentValue.safeParse(value).data;
    if (status !== "published" || !text) return null;
    const names = JSON.parse(fileNames) as Record<string, string>;
    const { fileIds, ...texts } = text;
    return { code, ...texts, files: fileIds.map((fileId) => ({ fileId, fileName: names[fileId] ?? "" })) };
  },
  keyOf: ({ code }) => code,
  rowKeyOf: ({ code }) => code,
  nameOf: ({ title }) => title,
  adapt(document, { files }) {
    const { left, ...texts } = withoutMissingPicturesIn(document, files);
    const isHere = ({ fileId }: { fileId: string }) => files.has(`${document.code} ${fileId}`);
    const missing = document.files.filter((file) => !isHere(file)).map(({ fileName }) => `파일 '${fileName}'`);
    return {
      document: { ...document, ...texts, files: document.files.filter(isHere) },
      left: [...left, ...missing],
    };
  },
  problems: (documents) => eachProblem(documents, (document) => textProblems(document, !isMoreThanText(document.code))),
  judge(document, here, site) {
    if (!comesAsDraft(document, here, site))
      return {
        follows: isLegalPage(document.code)
          ? ["이 사이트에 게시한 적이 없는 글이라 바로 게시하고 시행합니다."]
          : ["바로 게시합니다.", ...(here?.value ? ["지금 글은 이력에 남아 되돌릴 수 있습니다."] : [])],
      };
    if (JSON.stringify(here?.draft) === JSON.stringify(valueOf(document)))
      return { kept: "이미 초안으로 들어 있습니다. 내용 관리에서 살펴본 뒤 시행일을 정해 게시해 주십시오." };
    if (here?.draft) return { kept: "쓰던 초안이 있어 그대로 둡니다. 초안을 게시하거나 버린 뒤 다시 불러와 주십시오." };
    return {
      follows: [
        "시행 중인 글은 바뀌지 않습니다. 초안으로 넣으니, 내용 관리에서 비교한 뒤 시행일을 정해 게시해 주십시오.",
      ],
    };
  },
  write: (ctx, document, here, site) =>
    comesAsDraft(document, here, site) ? draftStatements(ctx, document) : publishStatements(ctx, document),
};

function draftStatements(ctx: AppContext, document: PageTextDocument) {
  const { userId, userName } = requireSignedIn(ctx);
  return [
    writeRow(ctx, content, content.code, {
      code: document.code,
      draft: valueOf(document),
      modifiedDate: ctx.now(),
      modifiedUserId: userId,
      modifiedUserName: userName,
    }),
  ];
}

const publishStatements = (ctx: AppContext, document: PageTextDocument) => [
  ...publishAtOnceStatements(ctx, document.code, valueOf(document), IMPORT_NOTE),
  ...(document.code === "terms" ? publishTermsStatements(ctx, document, ctx.now(), sql`1`) : []),
];

import { desc, sql } from "drizzle-orm";
import { content, contentVersion } from "#db/schema/content.ts";
import { cleanHtml, imageIds } from "#worker/adapters/clean-html.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { CONTENT_CODES, hasFiles } from "#worker/contract/content/rules.ts";
import type { ContentEdit, ContentInfo, VersionInfo } from "#worker/contract/content/view.ts";
import type { DiffLine } from "#worker/contract/kernel/diff.ts";
import {
  type PageValue,
  pageValue,
  type PublishInput,
  type RestoreInput,
  type SaveContentInput,
} from "#worker/contract/content/input.ts";
import { AppError, invalid } from "#worker/contract/kernel/errors.ts";
import {
  type ContentCode,
  INFO_PAGES,
  type InfoPageCode,
  infoPath,
  LEGAL_PAGES,
  type LegalPageCode,
} from "#worker/contract/content/info-pages.ts";
import { SIZES } from "#worker/contract/kernel/limits.ts";
import { permit } from "../kernel/authorize.server.ts";
import { agreementStatements } from "./agreement-in-force.server.ts";
import { checkFiles, contentFiles, filesOf, keepFiles, publishFiles } from "./files.server.ts";
import {
  contentRow,
  draftToPublish,
  dropDraft,
  isPublished,
  isSaved,
  publishDraft,
  restoreVersion,
  saveDraft,
  versionInfo,
  versionInForce,
  versionRows,
  withdraw,
} from "./store.server.ts";
import { compareTexts } from "./text.server.ts";

const subject = (code: ContentCode) => ({ code, type: "content" }) as const;
const administer = (ctx: AppContext) => permit(ctx, { action: "ADMIN_Access" });

function place(ctx: AppContext, code: ContentCode): { label: string; path: string } {
  if (code === "banner") return { label: "첫 화면 배너", path: "/" };
  if (code in LEGAL_PAGES) return LEGAL_PAGES[code as LegalPageCode];
  const page = code as InfoPageCode;
  return { label: INFO_PAGES[page].label, path: infoPath(ctx.config.PRODUCT_CODE, page) };
}

function infoOf(
  ctx: AppContext,
  code: ContentCode,
  row: typeof content.$inferSelect | undefined,
  version: { versionNo: number; title: string } | undefined,
): ContentInfo {
  const { label, path } = place(ctx, code);
  return {
    code,
    label,
    path,
    title: version?.title ?? label,
    status: row?.status ?? "draft",
    hasDraft: row?.draft != null,
    versionNo: version?.versionNo ?? null,
    modifiedDate: row?.modifiedDate.toISOString() ?? null,
    modifiedUserName: row?.modifiedUserName ?? null,
    version: row?.version ?? 0,
  };
}

/** Every page that can be edited, in the order of the menu. Needs ADMIN_Access, like all below. */
export async function listContents(ctx: AppContext): Promise<ContentInfo[]> {
  administer(ctx);
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
  return CONTENT_CODES.map((code) =>
    infoOf(
      ctx,
      code,
      rows.find((row) => row.code === code),
      versions.find((row) => row.code === code),
    ),
  );
}

/** What the editor opens: the draft, or else what is published. */
export async function contentToEdit(ctx: AppContext, code: ContentCode): Promise<ContentEdit> {
  administer(ctx);
  const [[row], [inForce], files] = await ctx.db.batch([
    contentRow(ctx.db, code),
    versionInForce(ctx.db, code, ctx.now()),
    contentFiles(ctx.db, code),
  ]);
  const published = inForce ? { ...pageValue.parse(inForce.value), ...versionInfo(inForce) } : null;
  const draft = pageValue.safeParse(row?.draft).data;
  const info = infoOf(ctx, code, row, published ?? undefined);
  return {
    ...info,
    title: draft?.title ?? info.title,
    content: draft?.content ?? published?.content ?? "",
    files: filesOf(files, draft?.fileIds ?? published?.fileIds ?? []),
    published,
  };
}

/** Keeps a draft; readers see nothing of it. @throws AppError CONFLICT, PAYLOAD_TOO_LARGE */
export async function saveContent(ctx: AppContext, code: ContentCode, input: SaveContentInput) {
  administer(ctx);
  const cleaned = cleanHtml(input.content);
  if (new TextEncoder().encode(cleaned).length > SIZES.contentBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  const { title, fileIds, version } = input;
  if (fileIds.length > 0 && !hasFiles(code)) throw invalid({ fileIds: "이 글에는 파일을 붙일 수 없습니다." });
  await checkFiles(ctx, code, fileIds);
  const shown = [...imageIds(cleaned), ...fileIds];
  const value = { title, content: cleaned, fileIds };
  const also = shown.length > 0 ? keepFiles(ctx, code, shown, isSaved(code, version)) : [];
  const saved = await saveDraft(ctx, subject(code), value, version, also);
  return { ...saved, content: cleaned };
}

export async function dropContentDraft(ctx: AppContext, code: ContentCode, version: number) {
  administer(ctx);
  return dropDraft(ctx, subject(code), version);
}

/** The draft becomes the newest version, in force at once or from a later day. */
export async function publishContent(ctx: AppContext, code: ContentCode, input: PublishInput) {
  administer(ctx);
  const value = pageValue.parse(await draftToPublish(ctx, subject(code), input.version));
  const when = isPublished(code, input.version);
  return publishDraft(ctx, subject(code), value, input, [
    publishFiles(ctx, code, [...imageIds(value.content), ...value.fileIds], when),
    ...(code === "terms" ? agreementStatements(ctx, value.content, input.effectiveDate ?? ctx.now(), when) : []),
  ]);
}

/** Takes a page off; it says '서비스 준비중입니다' until something is published again. */
export async function withdrawContent(ctx: AppContext, code: ContentCode, version: number) {
  administer(ctx);
  return withdraw(ctx, subject(code), version);
}

export async function contentHistory(ctx: AppContext, code: ContentCode): Promise<(VersionInfo & { title: string })[]> {
  administer(ctx);
  const rows = await versionRows(ctx.db, code);
  return rows.map((row) => ({ ...versionInfo(row), title: pageValue.parse(row.value).title }));
}

/** One version, and what the draft (or else the newest version) changed since. */
export async function contentVersionView(
  ctx: AppContext,
  { code, versionNo }: { code: ContentCode; versionNo: number },
): Promise<PageValue & VersionInfo & { difference: DiffLine[] }> {
  administer(ctx);
  const [[row], versions] = await ctx.db.batch([contentRow(ctx.db, code), versionRows(ctx.db, code)]);
  const version = versions.find((candidate) => candidate.versionNo === versionNo);
  if (!version) throw new AppError("NOT_FOUND", { message: "그 판을 찾을 수 없습니다." });
  const value = pageValue.parse(version.value);
  const newest = pageValue.parse(row?.draft ?? versions[0]?.value ?? version.value);
  return { ...value, ...versionInfo(version), difference: compareTexts(value.content, newest.content) };
}

export async function restoreContent(ctx: AppContext, code: ContentCode, input: RestoreInput) {
  administer(ctx);
  return restoreVersion(ctx, subject(code), input);
}

import { and, desc, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "#db/client.ts";
import { prepareOnce } from "#db/prepared.ts";
import { content, contentVersion } from "#db/schema/content.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import type { publishContentInput, RestoreContentInput } from "#worker/contract/content/input.ts";
import type { ContentVersionInfo } from "#worker/contract/content/view.ts";
import { AppError, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { auditIfChanged } from "../kernel/audit-entry.server.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";

// Drafts and versions of pages, legal texts and centers. The caller authorizes.

type DraftValue = Record<string, unknown>;
type ContentVersionRow = typeof contentVersion.$inferSelect;
/** `type` prefixes the audit action, as in `{type}.publish`. */
interface ContentSubject {
  code: string;
  type: "content" | "center";
}

export const contentRowStatement = (db: Db, code: string) => preparedContentRow(db, { code });

const preparedContentRow = prepareOnce((db) =>
  db
    .select()
    .from(content)
    .where(eq(content.code, sql.placeholder("code"))),
);

export const versionInForceStatement = (db: Db, code: string, now: Date) =>
  preparedVersionInForce(db, { code, now: now.getTime() });

const preparedVersionInForce = prepareOnce((db) =>
  db
    .select()
    .from(contentVersion)
    .where(
      and(
        eq(contentVersion.code, sql.placeholder("code")),
        sql`${contentVersion.effectiveDate} <= ${sql.placeholder("now")}`,
      ),
    )
    .orderBy(desc(contentVersion.effectiveDate), desc(contentVersion.versionNo))
    .limit(1),
);

export const isVersionInForce = (now: Date) =>
  and(
    eq(contentVersion.code, content.code),
    sql`${contentVersion.versionNo} = (SELECT version_no FROM content_version AS v WHERE v.code = ${content.code}
      AND v.effective_date <= ${now.getTime()} ORDER BY v.effective_date DESC, v.version_no DESC LIMIT 1)`,
  );

export const versionRowsStatement = (db: Db, code: string) =>
  db.select().from(contentVersion).where(eq(contentVersion.code, code)).orderBy(desc(contentVersion.versionNo));

export const versionInfoOf = (row: Omit<ContentVersionRow, "value" | "code">): ContentVersionInfo =>
  fieldsOf(row, "versionNo", "effectiveDate", "createdDate", "createdUserName", "note");

export const editStateOf = (row: typeof content.$inferSelect | undefined) => ({
  hasDraft: row?.draft != null,
  modifiedDate: row?.modifiedDate.toISOString() ?? null,
  modifiedUserName: row?.modifiedUserName ?? null,
  version: row?.version ?? 0,
});

const auditTargetOf = ({ code, type }: ContentSubject) => ({ targetType: type, targetId: code });
const isAtVersion = (subject: ContentSubject, version: number) =>
  and(eq(content.code, subject.code), eq(content.version, version));

function modifierOf(ctx: AppContext) {
  const { userId, userName } = requireSignedIn(ctx);
  return { modifiedUserId: userId, modifiedUserName: userName };
}

export const isDraftSaved = (code: string, version: number) =>
  sql`EXISTS (SELECT 1 FROM content WHERE code = ${code} AND version = ${version + 1})`;

/** @param version that the editor read, 0 for a first save @throws AppError CONFLICT */
export async function saveSubjectDraft(
  ctx: AppContext,
  subject: ContentSubject,
  value: DraftValue,
  version: number,
  also: BatchItem<"sqlite">[] = [],
): Promise<NewVersion> {
  const changed = { draft: value, modifiedDate: ctx.now(), ...modifierOf(ctx) };
  const [saved] = await ctx.db.batch([
    ctx.db
      .insert(content)
      .values({ code: subject.code, ...changed })
      .onConflictDoUpdate({
        target: content.code,
        set: { ...changed, version: sql`${content.version} + 1` },
        setWhere: eq(content.version, version),
      })
      .returning({ version: content.version }),
    auditIfChanged(ctx, { action: `${subject.type}.draft`, ...auditTargetOf(subject) }),
    ...also,
  ]);
  if (!saved[0]) throw new AppError("CONFLICT");
  return saved[0];
}

export async function dropSubjectDraft(ctx: AppContext, subject: ContentSubject, version: number): Promise<NewVersion> {
  return changeSubject(ctx, subject, version, { draft: null }, "dropDraft");
}

/** Withdraws the published text and keeps its versions. @param also statements that run only after the change */
export async function withdrawSubject(
  ctx: AppContext,
  subject: ContentSubject,
  version: number,
  also: BatchItem<"sqlite">[] = [],
): Promise<NewVersion> {
  return changeSubject(ctx, subject, version, { status: "draft" }, "withdraw", also);
}

async function changeSubject(
  ctx: AppContext,
  subject: ContentSubject,
  version: number,
  set: Partial<typeof content.$inferInsert>,
  action: "dropDraft" | "withdraw" | "restore",
  also: BatchItem<"sqlite">[] = [],
): Promise<NewVersion> {
  const [changed] = await ctx.db.batch([
    ctx.db
      .update(content)
      .set({ ...set, modifiedDate: ctx.now(), ...modifierOf(ctx), version: version + 1 })
      .where(isAtVersion(subject, version))
      .returning({ version: content.version }),
    auditIfChanged(ctx, { action: `${subject.type}.${action}`, ...auditTargetOf(subject) }),
    ...also,
  ]);
  if (!changed[0]) throw new AppError("CONFLICT");
  return changed[0];
}

export const isDraftPublished = (code: string, version: number) =>
  sql`EXISTS (SELECT 1 FROM content WHERE code = ${code} AND version = ${version + 1} AND status = 'published')`;

/** The draft to publish. @throws AppError CONFLICT when it changed, INVALID_INPUT without one */
export async function readDraftToPublish(ctx: AppContext, subject: ContentSubject, version: number) {
  const [row] = await contentRowStatement(ctx.db, subject.code).all();
  if (!row || row.version !== version) throw new AppError("CONFLICT");
  if (!row.draft) throw new AppError("INVALID_INPUT", { message: "발행할 초안이 없습니다." });
  return row.draft;
}

/** Publishes the version, its row, the audit row and `also` in one batch. @throws AppError CONFLICT */
export async function publishSubjectDraft(
  ctx: AppContext,
  subject: ContentSubject,
  value: DraftValue,
  input: Parsed<typeof publishContentInput>,
  also: BatchItem<"sqlite">[] = [],
): Promise<{ version: number; versionNo: number }> {
  const me = requireSignedIn(ctx);
  const now = ctx.now();
  const effectiveDate = input.effectiveDate ?? now;
  const current = sql`(SELECT version FROM content WHERE code = ${subject.code}) = ${input.version}`;
  const [inserted, changed] = await ctx.db.batch([
    ctx.db
      .insert(contentVersion)
      .select(
        sql`SELECT ${subject.code}, coalesce((SELECT max(version_no) FROM content_version WHERE code = ${subject.code}), 0) + 1,
          ${JSON.stringify(value)}, ${effectiveDate.getTime()}, ${now.getTime()}, ${me.userId}, ${me.userName}, ${input.note} WHERE ${current}`,
      )
      .returning({ versionNo: contentVersion.versionNo }),
    ctx.db
      .update(content)
      .set({ draft: null, status: "published", modifiedDate: now, ...modifierOf(ctx), version: input.version + 1 })
      .where(isAtVersion(subject, input.version))
      .returning({ version: content.version }),
    auditIfChanged(ctx, {
      action: `${subject.type}.publish`,
      ...auditTargetOf(subject),
      detail: { effectiveDate: effectiveDate.toISOString(), note: input.note },
    }),
    ...also,
  ]);
  if (!inserted[0] || !changed[0]) throw new AppError("CONFLICT");
  return { ...inserted[0], ...changed[0] };
}

export const IMPORT_NOTE = "설정 파일에서 불러옴";

/** For a guarded batch: publishes a text with a new version and keeps any draft. */
export function publishAtOnceStatements(ctx: AppContext, code: string, value: DraftValue, note: string) {
  const { userId, userName } = requireSignedIn(ctx);
  const now = ctx.now();
  const shown = { status: "published" as const, modifiedDate: now, ...modifierOf(ctx) };
  return [
    ctx.db
      .insert(content)
      .values({ code, ...shown })
      .onConflictDoUpdate({ target: content.code, set: { ...shown, version: sql`${content.version} + 1` } }),
    ctx.db.insert(contentVersion).values({
      code,
      versionNo: sql`(SELECT coalesce(max(version_no), 0) + 1 FROM content_version WHERE code = ${code})`,
      value,
      effectiveDate: now,
      createdDate: now,
      createdUserId: userId,
      createdUserName: userName,
      note,
    }),
  ];
}

export async function restoreSubjectVersion(ctx: AppContext, subject: ContentSubject, input: RestoreContentInput) {
  const [old] = await ctx.db
    .select({ value: contentVersion.value })
    .from(contentVersion)
    .where(and(eq(contentVersion.code, subject.code), eq(contentVersion.versionNo, input.versionNo)));
  if (!old) throw new AppError("NOT_FOUND", { message: "그 버전을 찾을 수 없습니다." });
  return changeSubject(ctx, subject, input.version, { draft: old.value }, "restore");
}

import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { siteSetting } from "#db/schema/kernel.ts";
import type { AppContext, BatchRows, BatchStatement, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import type {
  exportSettingsQuery,
  importSettingsInput,
  SettingDocument,
} from "#worker/contract/site/transfer-input.ts";
import type { SettingChange, SettingImport } from "#worker/contract/site/view.ts";
import { retentionConsequences } from "#worker/contract/audit/retention-consequences.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { SETTING_FILE_LIMITS, SETTING_FILE_TOO_LARGE } from "#worker/contract/site/rules.ts";
import {
  administratorRemainsGuard,
  authorizeRoleChanges,
  notifyAdministrators,
} from "../access/account-authority.server.ts";
import { confirmConsoleEntry } from "../access/password-attempt.server.ts";
import { requireWrittenPagesKept } from "../content/info-page.server.ts";
import { pageTextLength } from "../content/content-edit.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeFields } from "../kernel/field-change.server.ts";
import { authorizeConsole } from "../kernel/authorize.server.ts";
import { type BatchGuard, conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import type { TransferSite } from "../kernel/row-transfer.server.ts";
import { guardFields } from "../mail/field-change.server.ts";
import { authorizeImportedTemplates } from "../mail/template.server.ts";
import { countDueRules } from "../privacy/due.server.ts";
import { authorizeAuthenticationChange } from "./setting.server.ts";
import {
  adaptDocument,
  authorizeHiddenSections,
  authorizeSections,
  changedFields,
  checkDocument,
  findExistingFiles,
  hiddenSections,
  permissionChanges,
  settingChangesOf,
} from "./setting-changes.server.ts";
import {
  DOCUMENT_SECTIONS,
  documentTransferOf,
  ROW_SECTIONS,
  type RowSection,
  rowTransferOf,
  SETTING_STAMP,
  settingDocumentOf,
  type StoredSettings,
  TEXT_SECTIONS,
} from "./setting-sections.server.ts";
import { inOrder } from "#db/sql.ts";
import { grantNewBoard } from "../board/board-transfer.server.ts";
import { storeLogoStatements } from "./identity.server.ts";

const STATEMENTS_MAX = 900;
const TEXTS_READ_MAX = 4 * SETTING_FILE_LIMITS.bytes;

const siteStatement = (db: RequestScope["db"]) =>
  db
    .select({
      memberCount: sql<number>`(SELECT count(*) FROM user WHERE status = 'active')`.as("members"),
      agreements: sql<string>`(SELECT json_group_array(DISTINCT code) FROM agreement)`.as("agreement_codes"),
      pages: sql<string>`(SELECT json_group_array(code) FROM content)`.as("page_codes"),
      stamp: sql<string>`${SETTING_STAMP}`.as("stamp"),
    })
    .from(sql`(SELECT 1) AS one`);

const settingsStatement = (db: RequestScope["db"]) =>
  db.select({ key: siteSetting.key, value: siteSetting.value }).from(siteSetting);

const textLengthStatement = (db: RequestScope["db"]) =>
  db
    .select({
      bytes:
        sql<number>`${pageTextLength} + (SELECT coalesce(sum(length(CAST(content AS BLOB)) + length(CAST(english_content AS BLOB))), 0) FROM agreement WHERE is_current = 1)
        + (SELECT coalesce(sum(length(CAST(content AS BLOB)) + length(CAST(english_content AS BLOB))), 0) FROM popup)`.as(
          "bytes",
        ),
    })
    .from(sql`(SELECT 1) AS one`);

const tooLarge = (message = SETTING_FILE_TOO_LARGE) => new AppError("PAYLOAD_TOO_LARGE", { message });

function storedStatements(db: RequestScope["db"], now: Date, without: readonly string[]) {
  const sections = ROW_SECTIONS.filter((section) => !without.includes(section));
  const statements = [
    siteStatement(db),
    settingsStatement(db),
    ...sections.map((section) => rowTransferOf(section).select(db, now) as unknown as BatchStatement),
  ] as const;
  const read = ([[site], settings, ...rows]: BatchRows<typeof statements>) => ({
    site,
    stored: {
      ...Object.fromEntries(ROW_SECTIONS.map((section) => [section, []])),
      ...Object.fromEntries(sections.map((section, index) => [section, rows[index]])),
      settings,
    } as unknown as StoredSettings,
  });
  return { statements, read };
}

/** Exports in the import format. @throws AppError PAYLOAD_TOO_LARGE */
export async function exportSettings(
  scope: RequestScope,
  { texts }: Parsed<typeof exportSettingsQuery> = {},
): Promise<SettingDocument> {
  const length = await scope.readFor(authorizeConsole, [textLengthStatement(scope.db)]);
  if (texts !== "none" && (length.rows[0][0]?.bytes ?? 0) > SETTING_FILE_LIMITS.bytes) throw tooLarge();
  const without: string[] = texts === "none" ? [...TEXT_SECTIONS] : [];
  const { statements, read } = storedStatements(scope.db, scope.now(), without);
  const { ctx, rows } = await scope.readFor(authorizeConsole, [...statements]);
  without.push(...hiddenSections(ctx));
  const whole = Object.entries(settingDocumentOf(read(rows as never).stored));
  const document = Object.fromEntries(whole.filter(([section]) => !without.includes(section)));
  if (texts !== "none" && new TextEncoder().encode(JSON.stringify(document)).length > SETTING_FILE_LIMITS.bytes)
    throw tooLarge();
  ctx.defer(audit(ctx, { action: "setting.export", targetId: "all" }).run());
  return document as SettingDocument;
}

async function readSite(ctx: AppContext, document: SettingDocument) {
  const without = TEXT_SECTIONS.filter((section) => document[section] === undefined);
  if (without.length < TEXT_SECTIONS.length) {
    const [length] = await textLengthStatement(ctx.db);
    if ((length?.bytes ?? 0) > TEXTS_READ_MAX)
      throw tooLarge(
        "이 사이트의 글이 많아 파일의 글과 비교할 수 없습니다. '글도 함께'를 끄고 내보낸 파일을 불러와 주십시오.",
      );
  }
  const { statements, read } = storedStatements(ctx.db, ctx.now(), without);
  const { site: row, stored } = read((await ctx.db.batch([...statements])) as never);
  const { memberCount = 0, agreements = "[]", pages = "[]", stamp = "" } = row ?? {};
  const texts = (document.pageTexts ?? []).map(({ code }) => code);
  const site: TransferSite = {
    now: ctx.now(),
    memberCount,
    agreements: new Set(JSON.parse(agreements) as string[]),
    pages: new Set([...(JSON.parse(pages) as string[]), ...texts]),
    files: await findExistingFiles(ctx, document),
  };
  return { stored, site, stamp };
}

/**
 * Previews without a fingerprint; with one, applies all or nothing. @throws AppError INVALID_INPUT at its place in the
 * document, FORBIDDEN, PAYLOAD_TOO_LARGE, CONFLICT when something changed since the preview
 */
export async function importSettings(
  ctx: AppContext,
  input: Parsed<typeof importSettingsInput>,
): Promise<SettingImport> {
  authorizeConsole(ctx);
  authorizeHiddenSections(ctx, input.document);
  const { stored, site, stamp } = await readSite(ctx, input.document);
  const { document, left } = adaptDocument(input.document, site);
  checkDocument(document, stored);
  authorizeImportedTemplates(ctx, document.mailTemplates ?? [], stored.mailTemplates);
  if (document.pages) await requireWrittenPagesKept(ctx, document.pages, "document.pages");
  const { changes: found, stays } = settingChangesOf(document, input.document, stored, site, left);
  const changes = await withRetention(ctx, document, stored, found);
  const applied = changes.filter(({ kind }) => kind !== "kept");
  const roleChanges = permissionChanges(document, stored);
  const fields = changedFields(ctx, document, stored, applied);
  authorizeFields(
    ctx,
    fields.flatMap((each) => each.changes),
  );
  const rightGuards = [
    ...(await authorizeSections(ctx, document, stored, applied)),
    ...(await authorizeRoleChanges(ctx, roleChanges)),
    ...(await authorizeImportedAuthentication(ctx, document, stored)),
  ];
  const statements = importStatements(ctx, document, stored, site, applied);
  if (statements.length > STATEMENTS_MAX)
    throw tooLarge("한 번에 바꿀 수 있는 것보다 많습니다. 파일에서 몇 부분을 빼고 나누어 불러와 주십시오.");
  const fingerprint = createHash("sha256").update(stamp).digest("hex").slice(0, 32);
  const named = changes.map(({ section, code, name, kind }) => ({ section, code, ...(name ? { name } : {}), kind }));
  const note = { targetType: "setting", targetId: "all", detail: { changes: named } };
  if (input.fingerprint === undefined) {
    await audit(ctx, { action: "setting.import-preview", ...note });
    return { changes, stays, fingerprint, isApplied: false };
  }
  if (input.fingerprint !== fingerprint)
    throw conflict("미리보기를 한 뒤에 설정이 바뀌었습니다. 파일을 다시 골라 바뀌는 내용을 확인해 주십시오.");
  if (applied.length === 0) return { changes, stays, fingerprint, isApplied: true };

  const leaving = roleChanges.filter(({ removed }) => removed.includes("ADMIN_Access")).map(({ roleCode }) => roleCode);
  const enters = roleChanges.some(({ added }) => added.includes("ADMIN_Access"));
  if (enters) await confirmConsoleEntry(ctx, input);
  const letters = await guardFields(ctx, fields, input.reason);
  if (leaving.length > 0 || enters)
    letters.push(...(await notifyAdministrators(ctx, "설정 파일을 불러와 역할의 관리 화면 권한이 바뀌었습니다.")));
  const guards: BatchGuard[] = [{ holds: sql`${SETTING_STAMP} = ${stamp}`, error: () => conflict() }, ...rightGuards];
  if (leaving.length > 0) {
    guards.push(
      administratorRemainsGuard(
        sql`user.user_type <> 'Admin' AND user.role_code IN (SELECT value FROM json_each(${JSON.stringify(leaving)}))`,
        false,
      ),
    );
  }
  await runGuardedBatch(ctx, guards, [
    ...statements,
    audit(ctx, { action: "setting.import", reason: input.reason ?? "", ...note }),
    ...letters,
  ]);
  return { changes, stays, fingerprint, isApplied: true };
}

/** Reports new or stricter deletion rules with their due counts. */
async function withRetention(
  ctx: AppContext,
  { retention }: SettingDocument,
  stored: StoredSettings,
  changes: SettingImport["changes"],
): Promise<SettingImport["changes"]> {
  if (!retention || !changes.some(({ section }) => section === "retention")) return changes;
  const due = await countDueRules(ctx, settingDocumentOf(stored).retention);
  const follows = retentionConsequences(due, retention.rules);
  return changes.map((change) => (change.section === "retention" ? { ...change, follows } : change));
}

async function authorizeImportedAuthentication(ctx: AppContext, document: SettingDocument, stored: StoredSettings) {
  const after = document.authentication;
  if (!after) return [];
  const before = settingDocumentOf(stored).authentication;
  const guestRole = [...(document.roles ?? []), ...stored.roles].find(
    ({ roleCode }) => roleCode === after.roleCodeForGuest,
  );
  return authorizeAuthenticationChange(ctx, before, after, guestRole?.permissions ?? []);
}

/** @param changes applied ones: a row, or the order of a section with an empty code */
function importStatements(
  ctx: AppContext,
  document: SettingDocument,
  stored: StoredSettings,
  site: TransferSite,
  changes: readonly SettingChange[],
): BatchStatement[] {
  const touched = (section: SettingChange["section"], code = "") =>
    changes.some((change) => change.section === section && change.code === code);
  const documents = DOCUMENT_SECTIONS.flatMap((section) => {
    const value = document[section];
    if (value === undefined || !touched(section)) return [];
    const { key, stored: asStored, firstVersion = 1 } = documentTransferOf(section);
    return [storeStatement(ctx, key, asStored(value), firstVersion)];
  });
  const logo = document.logo !== undefined && touched("logo") ? storeLogoStatements(ctx, document.logo) : [];
  return [...documents, ...logo, ...ROW_SECTIONS.flatMap(rowStatements), ...newBoardGrants()];

  function rowStatements(section: RowSection): BatchStatement[] {
    const transfer = rowTransferOf(section);
    const rows: readonly object[] = document[section] ?? [];
    const written =
      transfer.isWhole && touched(section) ? rows : rows.filter((row) => touched(section, transfer.keyOf(row)));
    if (written.length === 0 && !touched(section)) return [];
    const here = new Map<string, object>((stored[section] as object[]).map((row) => [transfer.rowKeyOf(row), row]));
    const { ordered } = transfer;
    return [
      ...(transfer.also?.(ctx) ?? []),
      ...written.flatMap((row) => transfer.write(ctx, row, here.get(transfer.keyOf(row)), site)),
      ...(ordered
        ? [ctx.db.update(ordered).set({ sortOrder: inOrder(ordered, rows.map(transfer.keyOf)) } as object)]
        : []),
    ];
  }

  /** Default rights for new boards, when the file has no roles. */
  function newBoardGrants(): BatchStatement[] {
    if (document.roles) return [];
    return (document.boards ?? [])
      .filter(({ boardCode }) => stored.boards.every((row) => row.boardCode !== boardCode))
      .flatMap(({ boardCode }) => grantNewBoard(ctx, boardCode));
  }
}

const storeStatement = (ctx: AppContext, key: string, value: Record<string, unknown>, version: number) => {
  const modifiedDate = ctx.now();
  return ctx.db
    .insert(siteSetting)
    .values({ key, value, version, modifiedDate })
    .onConflictDoUpdate({
      target: siteSetting.key,
      set: {
        value: sql`json_patch(${siteSetting.value}, ${JSON.stringify(value)})`,
        version: sql`${siteSetting.version} + 1`,
        modifiedDate,
      },
    });
};

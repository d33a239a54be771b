import { createHash } from "node:crypto";
import { and, asc, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { agreement, content } from "#db/schema/content.ts";
import { columnsOf } from "#db/sql.ts";
import { cleanHtml, imageFileIds } from "#worker/adapters/clean-html.server.ts";
import type { AppContext, Parsed, RequestScope, View } from "#worker/domain/kernel/context.ts";
import type { agreementDocument, publishAgreementInput } from "#worker/contract/content/input.ts";
import { AGREEMENT_LIMITS } from "#worker/contract/content/rules.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { audit, auditIfChanged } from "../kernel/audit-entry.server.ts";
import {
  compareHtmlTexts,
  refuseProblems,
  textProblems,
  type TwoTexts,
  withoutMissingPicturesIn,
} from "./html-text.server.ts";
import { keepContentFiles, publishContentFiles } from "./content-file.server.ts";
import { conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { authorizeConsole, authorizeSetting } from "#worker/domain/kernel/authorize.server.ts";
import { eachProblem, type RowTransfer, stampOf } from "../kernel/row-transfer.server.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";

const AGREEMENT_COLUMNS = {
  ...columnsOf(agreement, "code", "title", "required", "version", "effectiveDate", "isCurrent", "isAnnounced"),
  mailedCount: agreement.mailedCount,
  isMailing: sql<boolean>`${agreement.mailedThrough} IS NOT NULL`.mapWith(Boolean).as("is_mailing"),
  textHash: agreement.textHash,
};
const TEXT_COLUMNS = columnsOf(agreement, "content", "englishTitle", "englishContent");
/** Announced, current, then former versions; on one day, the current one comes first. */
export const NEWEST_FIRST = [
  desc(agreement.isAnnounced),
  desc(agreement.isCurrent),
  desc(agreement.effectiveDate),
  desc(agreement.version),
];
export const agreementNotFound = () => new AppError("NOT_FOUND", { message: "약관을 찾을 수 없습니다." });

export async function listAgreements(scope: RequestScope) {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select(AGREEMENT_COLUMNS)
      .from(agreement)
      .orderBy(asc(agreement.sortOrder), asc(agreement.code), ...NEWEST_FIRST),
  ]);
  return rows[0].map((row) => ({ ...row, effectiveDate: row.effectiveDate.toISOString() }));
}

export type AdminAgreement = View<typeof listAgreements>[number];

export async function getAgreement(scope: RequestScope, at: { code: string; version: string }) {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select({ ...AGREEMENT_COLUMNS, ...TEXT_COLUMNS })
      .from(agreement)
      .where(and(eq(agreement.code, at.code), eq(agreement.version, at.version))),
  ]);
  const [row] = rows[0];
  if (!row) throw agreementNotFound();
  return { ...row, effectiveDate: row.effectiveDate.toISOString() };
}

/**
 * Replaces the current version now or on the announced day; published versions never change. @throws AppError CONFLICT
 * when `baseVersion` is outdated, ALREADY_EXISTS
 */
export async function publishAgreement(
  ctx: AppContext,
  input: Parsed<typeof publishAgreementInput>,
): Promise<{ code: string; version: string; textHash: string }> {
  authorizeSetting(ctx, "agreements");
  const { baseVersion, ...typed } = input;
  const written = { ...typed, content: cleanHtml(typed.content), englishContent: cleanHtml(typed.englishContent) };
  const { code, version, effectiveDate } = written;
  if (written.content.trim() === "") throw invalidInput({ content: "내용을 입력해 주십시오." });
  refuseProblems(textProblems(written));
  const isAnnounced = effectiveDate > ctx.now();
  if (effectiveDate.getTime() > ctx.now().getTime() + AGREEMENT_LIMITS.announceDays * DAY_MS)
    throw invalidInput({ effectiveDate: "시행일은 1년 안의 날짜로 정해 주십시오." });
  const textHash = textHashOf(written);
  const guards = [
    currentVersionGuard(code, baseVersion),
    notFromContentsGuard(code),
    ...(isAnnounced ? [nothingAnnouncedGuard(code)] : []),
  ];
  await refuseExisting("이미 공포한 버전 이름입니다. 다른 이름을 입력해 주십시오.", () =>
    runGuardedBatch(ctx, guards, [
      ...(isAnnounced ? [] : [ctx.db.update(agreement).set({ isCurrent: false }).where(eq(agreement.code, code))]),
      ...newVersionStatements(ctx, { ...written, textHash }, baseVersion),
      ...storeIdempotentAnswer(ctx, { code, version, textHash }),
    ]),
  );
  return { code, version, textHash };
}

/** Of both languages, because a member agrees to either. */
export const textHashOf = (text: Pick<TwoTexts, "content" | "englishContent">) =>
  createHash("sha256")
    .update(text.content + text.englishContent)
    .digest("hex");

type NewAgreementVersion = Pick<
  typeof agreement.$inferSelect,
  | "code"
  | "version"
  | "title"
  | "required"
  | "content"
  | "englishTitle"
  | "englishContent"
  | "textHash"
  | "effectiveDate"
>;

/** For a guarded batch: in force now, or announced for a later day. */
function newVersionStatements(ctx: AppContext, row: NewAgreementVersion, baseVersion: string) {
  const { code, version, title, required, textHash, effectiveDate } = row;
  const isAnnounced = effectiveDate > ctx.now();
  const pictures = imageFileIds(row.content + row.englishContent);
  return [
    ctx.db.insert(agreement).values({
      ...row,
      sortOrder: sql<number>`coalesce((SELECT max(sort_order) FROM agreement WHERE code = ${code}), (SELECT coalesce(max(sort_order), 0) + 1 FROM agreement))`,
      isAnnounced,
      isCurrent: !isAnnounced,
      mailedThrough: isAnnounced ? "" : null,
    }),
    ...keepContentFiles(ctx, `agreement.${code}`, pictures, sql`1`),
    publishContentFiles(ctx, `agreement.${code}`, pictures, sql`1`),
    audit(ctx, {
      action: isAnnounced ? "agreement.announce" : "agreement.publish",
      targetId: code,
      detail: {
        before: { version: baseVersion },
        after: { version, title, required, textHash, effectiveDate: effectiveDate.toISOString() },
      },
    }),
  ];
}

/** Removes the agreement from sign-up; earlier consents stay. */
export async function closeAgreement(
  ctx: AppContext,
  code: string,
  input: { baseVersion: string },
): Promise<{ code: string }> {
  authorizeSetting(ctx, "agreements");
  const rows = await ctx.db.select({ code: agreement.code }).from(agreement).where(eq(agreement.code, code)).limit(1);
  if (rows.length === 0) throw agreementNotFound();
  const guards = [currentVersionGuard(code, input.baseVersion), nothingAnnouncedGuard(code)];
  await runGuardedBatch(ctx, guards, [
    ctx.db.update(agreement).set({ isCurrent: false }).where(eq(agreement.code, code)),
    audit(ctx, {
      action: "agreement.close",
      targetId: code,
      detail: { before: { version: input.baseVersion } },
    }),
  ]);
  return { code };
}

const currentVersionGuard = (code: string, version: string) => ({
  holds: sql`coalesce((SELECT version FROM agreement WHERE code = ${code} AND is_current = 1), '') = ${version}`,
  error: () => conflict(),
});

/** Allows one announced version at a time, because it is compared with the current one. */
const nothingAnnouncedGuard = (code: string) => ({
  holds: sql`NOT EXISTS (SELECT 1 FROM agreement WHERE code = ${code} AND is_announced = 1)`,
  error: () => conflict("이미 예고한 버전이 있습니다. 그 예고를 먼저 취소해 주십시오."),
});

/** The terms of /terms are published with that page, so that both are identical. */
const notFromContentsGuard = (code: string) => ({
  holds: sql`(${code} <> 'terms' OR NOT EXISTS (SELECT 1 FROM content WHERE code = 'terms'))`,
  error: () => conflict("이용약관은 내용 관리의 이용약관에서 게시해 주십시오."),
});

export async function compareAgreements(
  scope: RequestScope,
  asked: { code: string; from?: string | undefined; to?: string | undefined },
) {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select({ ...AGREEMENT_COLUMNS, content: agreement.content })
      .from(agreement)
      .where(eq(agreement.code, asked.code))
      .orderBy(...NEWEST_FIRST),
  ]);
  const [versions] = rows;
  const newer = asked.to === undefined ? versions[0] : versions.find(({ version }) => version === asked.to);
  const before = versions[versions.findIndex((row) => row === newer) + 1] ?? newer;
  const older = asked.from === undefined ? before : versions.find(({ version }) => version === asked.from);
  if (!newer || !older) throw agreementNotFound();
  return {
    code: asked.code,
    title: newer.title,
    versions: versions.map(({ content: _content, effectiveDate, ...rest }) => ({
      ...rest,
      effectiveDate: effectiveDate.toISOString(),
    })),
    from: older.version,
    to: newer.version,
    lines: compareHtmlTexts(older.content, newer.content),
  };
}

type AgreementRow = typeof agreement.$inferSelect & { isOfPage: boolean };

const memberText = (count: number) =>
  count === 0 ? "" : ` 지금 회원 ${formatCount(count)}명에게는 다음 로그인 때 동의 여부를 묻습니다.`;

/** A file can add the first version only, because versions are evidence of consent. */
export const agreementTransfer: RowTransfer<AgreementRow, Parsed<typeof agreementDocument>> = {
  select: (db) =>
    db
      .select({
        ...getTableColumns(agreement),
        isOfPage: sql<boolean>`EXISTS (SELECT 1 FROM ${content} WHERE code = "agreement"."code")`
          .mapWith(Boolean)
          .as("page"),
      })
      .from(agreement)
      .where(sql`${agreement.isCurrent} = 1`)
      .orderBy(asc(agreement.sortOrder), asc(agreement.code)),
  stamp: stampOf(agreement, sql`code || '/' || version`, sql`is_current || is_announced`),
  documentOf: ({ isOfPage, code, version, title, required, content: text, englishTitle, englishContent }) =>
    isOfPage ? null : { code, version, title, required, content: text, englishTitle, englishContent },
  keyOf: ({ code }) => code,
  rowKeyOf: ({ code }) => code,
  nameOf: ({ title }) => title,
  adapt(document, { files }) {
    const { left, ...texts } = withoutMissingPicturesIn(document, files);
    return { document: { ...document, ...texts }, left };
  },
  problems: (documents) => eachProblem(documents, (document) => textProblems(document)),
  judge: ({ code, required }, _here, { agreements, pages, memberCount }) =>
    agreements.has(code) || pages.has(code)
      ? {
          kept: "이 사이트에 공포한 판이 있어 그대로 둡니다. 바꾸려면 동의 문서 화면에서 새 판을 시행일과 함께 공포해 주십시오.",
        }
      : { follows: [`바로 시행합니다.${required ? memberText(memberCount) : " 동의는 선택입니다."}`] },
  write: (ctx, document) =>
    newVersionStatements(ctx, { ...document, textHash: textHashOf(document), effectiveDate: ctx.now() }, ""),
};

/** Publishes the agreement from the text of /terms, so that both are identical. */
export function publishTermsStatements(ctx: AppContext, text: TwoTexts, effectiveDate: Date, when: SQL) {
  const isNow = effectiveDate <= ctx.now() ? 1 : 0;
  const day = koreanDay(effectiveDate);
  return [
    ctx.db
      .update(agreement)
      .set({ isCurrent: false })
      .where(sql`${agreement.code} = 'terms' AND ${agreement.isCurrent} = 1 AND ${isNow} = 1 AND ${when}`),
    ctx.db.insert(agreement).select(sql`
      SELECT 'terms', ${day} || '.' || (SELECT max(version_no) FROM content_version WHERE code = 'terms'), title, required,
        ${text.content}, ${text.englishTitle}, ${text.englishContent}, ${textHashOf(text)}, ${effectiveDate.getTime()}, ${isNow}, sort_order, 1 - ${isNow}, ${isNow ? null : ""}, 0
      FROM (SELECT title, required, sort_order, effective_date, version FROM agreement WHERE code = 'terms'
        UNION ALL SELECT '이용약관', 1, 0, -1, '')
      WHERE ${when} ORDER BY effective_date DESC, version DESC LIMIT 1`),
  ];
}

/** Activates announced versions that are due; a newer version published meanwhile stays current. */
export async function activateDueAgreements(ctx: AppContext): Promise<void> {
  const due = await ctx.db
    .select({ code: agreement.code, version: agreement.version, effectiveDate: agreement.effectiveDate })
    .from(agreement)
    .where(sql`${agreement.isAnnounced} = 1 AND ${agreement.effectiveDate} <= ${ctx.now().getTime()}`)
    .orderBy(agreement.effectiveDate, agreement.version);
  for (const { code, version, effectiveDate } of due) {
    await ctx.db.batch([
      ctx.db
        .update(agreement)
        .set({ isCurrent: false })
        .where(
          sql`code = ${code} AND is_current = 1 AND effective_date < ${effectiveDate.getTime()}
            AND EXISTS (SELECT 1 FROM agreement a WHERE a.code = ${code} AND a.version = ${version} AND a.is_announced = 1)`,
        ),
      ctx.db
        .update(agreement)
        .set({
          isAnnounced: false,
          mailedThrough: null,
          isCurrent: sql`NOT EXISTS (SELECT 1 FROM agreement c WHERE c.code = ${code} AND c.is_current = 1)`,
        })
        .where(sql`code = ${code} AND version = ${version} AND is_announced = 1`),
      auditIfChanged(ctx, {
        action: "agreement.begin",
        targetId: code,
        detail: { after: { version } },
      }),
    ]);
  }
}

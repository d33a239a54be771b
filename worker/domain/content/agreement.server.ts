import { createHash } from "node:crypto";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import { agreement } from "#db/schema/content.ts";
import { cleanHtml, imageFileIds } from "#worker/adapters/clean-html.server.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AdminAgreement, AdminAgreementText, AgreementComparison } from "#worker/contract/content/view.ts";
import type { PublishAgreementInput } from "#worker/contract/content/agreement-input.ts";
import { AGREEMENT_LIMITS, PLACE_TO_FILL, PLACES_LEFT_MESSAGE } from "#worker/contract/content/rules.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { DAY_MS } from "#worker/contract/kernel/limits.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { compareHtmlTexts } from "./html-text.server.ts";
import { keepContentFiles, publishContentFiles } from "./content-file.server.ts";
import { authorizeConsole, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import { refuseExisting } from "../kernel/guard.server.ts";

const AGREEMENT_COLUMNS = {
  code: agreement.code,
  title: agreement.title,
  required: agreement.required,
  version: agreement.version,
  effectiveDate: agreement.effectiveDate,
  isCurrent: agreement.isCurrent,
  isAnnounced: agreement.isAnnounced,
  mailedCount: agreement.mailedCount,
  isMailing: sql<boolean>`${agreement.mailedThrough} IS NOT NULL`.mapWith(Boolean).as("is_mailing"),
  textHash: agreement.textHash,
};
/** Announced, current, then former versions; on one day, the current one comes first. */
export const NEWEST_FIRST = [
  desc(agreement.isAnnounced),
  desc(agreement.isCurrent),
  desc(agreement.effectiveDate),
  desc(agreement.version),
];
export const agreementNotFound = () => new AppError("NOT_FOUND", { message: "약관을 찾을 수 없습니다." });

export async function listAgreements(scope: RequestScope): Promise<AdminAgreement[]> {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select(AGREEMENT_COLUMNS)
      .from(agreement)
      .orderBy(asc(agreement.sortOrder), asc(agreement.code), ...NEWEST_FIRST),
  ]);
  return rows[0].map((row) => ({ ...row, effectiveDate: row.effectiveDate.toISOString() }));
}

export async function getAgreement(
  scope: RequestScope,
  at: { code: string; version: string },
): Promise<AdminAgreementText> {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db
      .select({ ...AGREEMENT_COLUMNS, content: agreement.content })
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
  input: PublishAgreementInput,
): Promise<{ code: string; version: string; textHash: string }> {
  authorizeConsole(ctx);
  const { baseVersion, code, version, title, required, effectiveDate } = input;
  const content = cleanHtml(input.content);
  if (content.trim() === "") throw invalidInput({ content: "내용을 입력해 주십시오." });
  if (content.includes(PLACE_TO_FILL)) throw invalidInput({ content: PLACES_LEFT_MESSAGE });
  const isAnnounced = effectiveDate > ctx.now();
  if (effectiveDate.getTime() > ctx.now().getTime() + AGREEMENT_LIMITS.announceDays * DAY_MS)
    throw invalidInput({ effectiveDate: "시행일은 1년 안의 날짜로 정해 주십시오." });
  const textHash = textHashOf(content);
  await refuseExisting("이미 공포한 버전 이름입니다. 다른 이름을 입력해 주십시오.", () =>
    runGuardedBatch(
      ctx,
      [
        currentVersionGuard(code, baseVersion),
        notFromContentsGuard(code),
        ...(isAnnounced ? [nothingAnnouncedGuard(code)] : []),
      ],
      [
        ...(isAnnounced ? [] : [ctx.db.update(agreement).set({ isCurrent: false }).where(eq(agreement.code, code))]),
        ...newVersionStatements(ctx, { code, version, title, required, content, textHash, effectiveDate }, baseVersion),
        ...storeIdempotentAnswer(ctx, { code, version, textHash }),
      ],
    ),
  );
  return { code, version, textHash };
}

export const textHashOf = (content: string) => createHash("sha256").update(content).digest("hex");

type NewAgreementVersion = Pick<
  typeof agreement.$inferSelect,
  "code" | "version" | "title" | "required" | "content" | "textHash" | "effectiveDate"
>;

/** For a guarded batch: in force now, or announced for a later day. */
export function newVersionStatements(ctx: AppContext, row: NewAgreementVersion, baseVersion: string) {
  const { code, version, title, required, content, textHash, effectiveDate } = row;
  const isAnnounced = effectiveDate > ctx.now();
  const pictures = imageFileIds(content);
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
      targetType: "agreement",
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
  authorizeConsole(ctx);
  const rows = await ctx.db.select({ code: agreement.code }).from(agreement).where(eq(agreement.code, code)).limit(1);
  if (rows.length === 0) throw agreementNotFound();
  await runGuardedBatch(
    ctx,
    [currentVersionGuard(code, input.baseVersion), nothingAnnouncedGuard(code)],
    [
      ctx.db.update(agreement).set({ isCurrent: false }).where(eq(agreement.code, code)),
      audit(ctx, {
        action: "agreement.close",
        targetType: "agreement",
        targetId: code,
        detail: { before: { version: input.baseVersion } },
      }),
    ],
  );
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
): Promise<AgreementComparison> {
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

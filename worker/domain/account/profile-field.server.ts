import { asc, eq, sql } from "drizzle-orm";
import { profileField } from "#db/schema/account.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AdminProfileField } from "#worker/contract/account/view.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import type {
  CreateProfileFieldInput,
  ProfileFieldDocument,
  UpdateProfileFieldInput,
} from "#worker/contract/account/setting-input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import type { ProfileInputType } from "#worker/contract/account/rules.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { authorizeConsole, conflict, refuseExisting, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { lastPlace, orderRows, requireRow, unchangedRow, updateRow } from "../kernel/ordered-rows.server.ts";
import { type RowTransfer, stampOf, writeOrderedRow } from "../kernel/row-transfer.server.ts";

export const PROFILE_FIELDS_MAX = 50;
const valueCount = sql<number>`(SELECT count(*) FROM user WHERE json_extract(user.profile, '$."' || "profile_field"."code" || '"') IS NOT NULL)`;

const PROFILE_FIELDS = {
  table: profileField,
  key: profileField.code,
  auditName: "profile-field" as const,
  notFoundMessage: "가입 항목을 찾을 수 없습니다.",
};

export async function listProfileFields(scope: RequestScope): Promise<AdminProfileField[]> {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db.select({ field: profileField, valueCount }).from(profileField).orderBy(asc(profileField.sortOrder)),
  ]);
  return rows[0].map(({ field: { sortOrder, inputType, ...field }, valueCount: count }) => ({
    ...field,
    inputType: inputType as ProfileInputType,
    order: sortOrder,
    valueCount: count,
  }));
}

/** @throws AppError ALREADY_EXISTS, INVALID_INPUT */
export async function createProfileField(ctx: AppContext, input: CreateProfileFieldInput): Promise<{ code: string }> {
  authorizeConsole(ctx);
  const fits = {
    holds: sql`(SELECT count(*) FROM profile_field) < ${PROFILE_FIELDS_MAX}`,
    error: () => invalidInput({ code: `가입 항목은 ${PROFILE_FIELDS_MAX}개까지 만들 수 있습니다.` }),
  };
  await refuseExisting("이미 사용 중인 코드입니다. 다른 코드를 입력해 주십시오.", () =>
    runGuardedBatch(
      ctx,
      [fits],
      [
        ctx.db.insert(profileField).values({ ...input, sortOrder: lastPlace(profileField) }),
        audit(ctx, {
          action: "profile-field.create",
          targetType: "profile-field",
          targetId: input.code,
          detail: { after: input },
        }),
        ...storeIdempotentAnswer(ctx, { code: input.code }),
      ],
    ),
  );
  return { code: input.code };
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function updateProfileField(
  ctx: AppContext,
  code: string,
  input: UpdateProfileFieldInput,
): Promise<NewVersion> {
  authorizeConsole(ctx);
  const before = await requireRow(ctx, PROFILE_FIELDS, code);
  const { version, ...value } = input;
  return updateRow(ctx, PROFILE_FIELDS, { key: code, version }, before, value);
}

/** Closes a used field and keeps its values; deletes an unused one. */
export async function removeProfileField(
  ctx: AppContext,
  code: string,
  version: number,
): Promise<{ closed: boolean; valueCount: number }> {
  authorizeConsole(ctx);
  const [row] = await ctx.db.select({ valueCount }).from(profileField).where(eq(profileField.code, code));
  if (!row) throw new AppError("NOT_FOUND", { message: PROFILE_FIELDS.notFoundMessage });
  const used = row.valueCount > 0;
  const path = `$."${code}"`;
  const stillUnused = {
    holds: sql`NOT EXISTS (SELECT 1 FROM user WHERE json_extract(profile, ${path}) IS NOT NULL)`,
    error: () => conflict(),
  };
  await runGuardedBatch(
    ctx,
    used ? [unchangedRow(profileField, code, version)] : [unchangedRow(profileField, code, version), stillUnused],
    [
      used
        ? ctx.db
            .update(profileField)
            .set({ isClosed: true, version: version + 1 })
            .where(eq(profileField.code, code))
        : ctx.db.delete(profileField).where(eq(profileField.code, code)),
      audit(ctx, {
        action: used ? "profile-field.close" : "profile-field.delete",
        targetType: "profile-field",
        targetId: code,
        detail: { valueCount: row.valueCount },
      }),
    ],
  );
  return { closed: used, valueCount: row.valueCount };
}

export async function orderProfileFields(ctx: AppContext, codes: string[]): Promise<{ codes: string[] }> {
  authorizeConsole(ctx);
  return orderRows(ctx, profileField, "profile-field", codes);
}

export const profileFieldTransfer: RowTransfer<typeof profileField.$inferSelect, ProfileFieldDocument> = {
  select: (db) => db.select().from(profileField).orderBy(asc(profileField.sortOrder), asc(profileField.code)),
  stamp: stampOf(profileField, profileField.code, profileField.version),
  documentOf: ({ code, name, inputType, required, detail, englishName, englishDetail, isClosed }) => ({
    code,
    name,
    inputType: inputType as ProfileInputType,
    required,
    detail,
    englishName,
    englishDetail,
    isClosed,
  }),
  keyOf: ({ code }) => code,
  rowKeyOf: ({ code }) => code,
  nameOf: ({ name }) => name,
  problems(documents, here) {
    const codes = new Set([...here, ...documents].map(({ code }) => code));
    return {
      ...Object.fromEntries(
        documents.flatMap(({ inputType, detail }, at) =>
          ["select", "radio"].includes(inputType) && detail.length === 0
            ? [[`${at}.detail`, "고를 수 있는 항목이 없습니다."]]
            : [],
        ),
      ),
      ...(codes.size > PROFILE_FIELDS_MAX && { "": `가입 항목은 ${PROFILE_FIELDS_MAX}개까지 만들 수 있습니다.` }),
    };
  },
  write: (ctx, document) => [writeOrderedRow(ctx, profileField, profileField.code, document)],
  ordered: profileField,
};

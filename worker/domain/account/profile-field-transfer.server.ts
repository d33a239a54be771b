import { asc } from "drizzle-orm";
import { profileField } from "#db/schema/account.ts";
import type { ProfileFieldDocument } from "#worker/contract/account/setting-input.ts";
import type { ProfileInputType } from "#worker/contract/account/rules.ts";
import { type RowTransfer, stampOf, writeOrderedRow } from "../kernel/row-transfer.server.ts";
import { PROFILE_FIELDS_MAX } from "./profile-field.server.ts";

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

import { sql } from "drizzle-orm";
import { profileField } from "#db/schema/account.ts";
import { PROFILE_FIELDS_MAX, profileFieldRow } from "#worker/contract/account/rows.ts";
import { profileFieldInputs } from "#worker/contract/account/setting-input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { rowsOf } from "../kernel/rows.server.ts";

const FULL = `가입 항목은 ${PROFILE_FIELDS_MAX}개까지 만들 수 있습니다.`;
const valueCount = sql<number>`(SELECT count(*) FROM user WHERE json_extract(user.profile, '$."' || "profile_field"."code" || '"') IS NOT NULL)`;

export const profileFields = rowsOf(profileFieldRow, profileField, {
  inputs: profileFieldInputs,
  newCode: async (_ctx, { code }) => ({ code }),
  full: () => invalidInput({ code: FULL }),
  taken: (cause) =>
    new AppError("ALREADY_EXISTS", { message: "이미 사용 중인 코드입니다. 다른 코드를 입력해 주십시오.", cause }),
  view: ({ sortOrder }) => ({ order: sortOrder }),
  values: { count: valueCount, exist: sql`${valueCount} > 0` },
  transfer: {
    problems: (documents, here): Record<string, string> =>
      new Set([...here, ...documents].map(({ code }) => code)).size > PROFILE_FIELDS_MAX ? { "": FULL } : {},
  },
});

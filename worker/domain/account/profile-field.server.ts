import { type SQL, sql } from "drizzle-orm";
import { profileField, user } from "#db/schema/account.ts";
import { mailing } from "#db/schema/mailing.ts";
import { PROFILE_FIELDS_MAX, profileFieldRow } from "#worker/contract/account/rows.ts";
import { profileFieldInputs } from "#worker/contract/account/setting-input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import {
  type ChoiceChange,
  type ChoiceHolder,
  changeOf,
  isOldPart,
  renamedInJson,
  renameStatements,
  requireRenames,
  usesOf,
} from "../kernel/choice-rename.server.ts";
import { rowsOf } from "../kernel/rows.server.ts";

const FULL = `가입 항목은 ${PROFILE_FIELDS_MAX}개까지 만들 수 있습니다.`;
const valueCount = sql<number>`(SELECT count(*) FROM user WHERE json_extract(user.profile, '$."' || "profile_field"."code" || '"') IS NOT NULL)`;

const pathOf = ({ code }: ChoiceChange) => `$.${code}`;
const MAILED_WORD = "$.filter.profileValue";
const isMailed = (code: SQL) =>
  sql`${mailing.source} = 'member' AND ${mailing.target} ->> '$.filter.profileCode' = ${code}`;

/** Places that hold the choices of sign-up fields: a rename changes all of them in one batch. */
export const PROFILE_CHOICE_HOLDERS: readonly ChoiceHolder[] = [
  {
    table: user,
    column: user.profile,
    holds: (change) => sql`json_type(${user.profile}, ${pathOf(change)}) IN ('text', 'array')`,
    renamed: (change) => renamedInJson(change, sql`${user.profile}`, pathOf(change)),
  },
  {
    table: mailing,
    column: mailing.target,
    holds: ({ code }) => isMailed(sql`${code}`),
    renamed: (change) => renamedInJson(change, sql`${mailing.target}`, MAILED_WORD),
    use: {
      label: "메일·문자",
      name: sql`${mailing.subject}`,
      where: ({ code }) => sql`${isMailed(code)} AND ${mailing.status} = 'draft'`,
    },
    keeps: (change) => isOldPart(change, sql`(${mailing.target} ->> ${MAILED_WORD})`),
  },
];

export const profileFields = rowsOf(profileFieldRow, profileField, {
  section: "profileFields",
  inputs: profileFieldInputs,
  async check(ctx, value, change) {
    if (change) await requireRenames(ctx, PROFILE_CHOICE_HOLDERS, { ...change, value, choices: "detail" });
    return value;
  },
  also: ({ db }, _code, value, change) =>
    change && value ? renameStatements(db, PROFILE_CHOICE_HOLDERS, changeOf(change, value)) : [],
  newCode: async (_ctx, { code }) => ({ code }),
  full: () => invalidInput({ code: FULL }),
  taken: (cause) =>
    new AppError("ALREADY_EXISTS", { message: "이미 사용 중인 코드입니다. 다른 코드를 입력해 주십시오.", cause }),
  uses: usesOf(PROFILE_CHOICE_HOLDERS, {
    code: sql`"profile_field"."code"`,
    name: sql`"profile_field"."name"`,
  }),
  view: ({ sortOrder }) => ({ order: sortOrder }),
  values: { count: valueCount, exist: sql`${valueCount} > 0` },
  transfer: {
    problems: (documents, here): Record<string, string> =>
      new Set([...here, ...documents].map(({ code }) => code)).size > PROFILE_FIELDS_MAX ? { "": FULL } : {},
  },
});

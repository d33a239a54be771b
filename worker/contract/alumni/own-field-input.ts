import { z } from "zod";
import { cleanLine } from "../kernel/text.ts";
import { codeField, flagField, idField, requiredLineField } from "../kernel/fields.ts";
import { renameFields, rowInputs } from "../kernel/row-input.ts";
import {
  OWN_FIELD_ACCESS,
  OWN_FIELD_CODES,
  OWN_FIELD_KINDS,
  OWN_FIELD_LIMITS,
  type OwnFieldCode,
} from "./own-fields.ts";
import { isChoiceText, needsChoices } from "./own-values.ts";
import { alumniFieldRow } from "./rows.ts";

const choice = requiredLineField(OWN_FIELD_LIMITS.choice).refine(
  isChoiceText,
  "고를 수 있는 말에는 쉼표(,)와 세미콜론(;)을 쓸 수 없습니다.",
);

const choiceList = z
  .array(choice)
  .max(OWN_FIELD_LIMITS.choices, `고를 수 있는 말은 ${OWN_FIELD_LIMITS.choices}개까지입니다.`)
  .refine(
    (choices) => new Set(choices.map((text) => cleanLine(text).toLowerCase())).size === choices.length,
    "같은 말이 두 번 있습니다.",
  )
  .default([]);

export const CHOICES_MISSING_ISSUE = {
  path: ["choices"],
  message: "고를 수 있는 말을 한 줄에 하나씩 입력해 주십시오.",
};

const NOT_LISTED = "목록에 있는 것 가운데 골라 주십시오.";

export const ownFieldCode = z.enum(OWN_FIELD_CODES as [OwnFieldCode, ...OwnFieldCode[]]);

export const alumniFieldInputs = rowInputs(alumniFieldRow, {
  shape: {
    code: ownFieldCode,
    kind: z.enum(OWN_FIELD_KINDS, NOT_LISTED),
    access: z.enum(OWN_FIELD_ACCESS, NOT_LISTED),
    choices: choiceList,
  },
  change: {
    ...renameFields(choice, OWN_FIELD_LIMITS.choices),
    isClosed: flagField.default(false),
  },
  rules: [
    [(field) => !needsChoices(field), CHOICES_MISSING_ISSUE],
    [
      ({ access, personEdits }) => access !== "office" || !personEdits,
      { path: ["personEdits"], message: "담당자만 보는 항목은 본인이 고칠 수 없습니다." },
    ],
  ],
});

/** The caller's own upload or the current file; the name comes from the upload. */
const uploadedFile = z.object({ fileId: idField });

export const ownValuesInput = z.partialRecord(
  ownFieldCode,
  z.union([
    z.string().max(4000),
    z.number(),
    z.array(z.string().max(200)).max(OWN_FIELD_LIMITS.choices),
    uploadedFile,
    z.null(),
  ]),
);

export const ownFilePath = z.object({ id: idField, code: codeField });

export type OwnValuesInput = z.output<typeof ownValuesInput>;

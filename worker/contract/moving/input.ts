import { valuesOf } from "../kernel/labels.ts";
import { z } from "zod";
import { roleCode } from "../access/input.ts";
import { boardCode } from "../board/input.ts";
import { BOARD_LIMITS, RESERVED_BOARD_CODES } from "../board/rules.ts";
import { PROFILE_FIELD_LIMITS } from "../account/rules.ts";
import { codeField, flagField, idField, requiredLineField, reasonField, versionField } from "../kernel/fields.ts";
import { BOARD_ACCESS, DOUBTFUL_CHOICES, MOVING_LIMITS } from "./rules.ts";

export const movingPath = z.object({ id: idField });

export const archivePath = z.object({ id: idField, archiveId: idField });

export const archivePartPath = archivePath.extend({
  partNo: z
    .string()
    .regex(/^[1-9]\d{0,4}$/)
    .transform(Number),
});

const originField = z
  .string()
  .max(200)
  .transform((value) => value.trim())
  .refine(
    (value) => value === "" || isOrigin(value),
    "이전 사이트의 주소를 https://example.kr 형식으로 입력해 주십시오.",
  )
  .transform((value) => (value === "" ? "" : new URL(value).origin));

function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export const openMovingInput = z.object({
  site: requiredLineField(MOVING_LIMITS.siteName),
  oldOrigin: originField.default(""),
});

export const openArchiveInput = z.object({
  kind: z.enum(["rdx", "files"]),
  fileName: requiredLineField(MOVING_LIMITS.fileName),
  size: z
    .number()
    .int()
    .min(1, "빈 파일입니다.")
    .max(MOVING_LIMITS.archiveBytes, "64GB까지 올릴 수 있습니다. 나누어 내보내 주십시오."),
});

const newBoardCode = boardCode.refine((code) => !RESERVED_BOARD_CODES.includes(code), "쓸 수 없는 게시판 코드입니다.");
const accessField = z.enum(valuesOf(BOARD_ACCESS));

const boardTarget = z.discriminatedUnion("to", [
  z.object({ to: z.literal("skip") }),
  z.object({ to: z.literal("board"), boardCode }),
  z.object({
    to: z.literal("new"),
    boardCode: newBoardCode,
    boardName: requiredLineField(BOARD_LIMITS.boardName),
    boardType: z.enum(["list", "gallery", "faq"]),
    access: accessField,
  }),
]);

const fieldTarget = z.discriminatedUnion("to", [
  z.object({ to: z.literal("skip") }),
  z.object({ to: z.literal("field"), code: codeField }),
  z.object({ to: z.literal("new"), name: requiredLineField(PROFILE_FIELD_LIMITS.name) }),
]);

const oldName = z.string().max(200);
const doubtfulChoice = z.enum(valuesOf(DOUBTFUL_CHOICES));

export const startMovingInput = z.object({
  boards: z.record(oldName, boardTarget),
  groups: z.record(oldName, roleCode),
  fields: z.record(oldName, fieldTarget),
  keepItemFields: flagField.default(true),
  /** Members whose memo leaves their state open: by old ID, and all others. */
  doubtful: z.record(oldName, doubtfulChoice).default({}),
  doubtfulOthers: doubtfulChoice.optional(),
  version: versionField,
});

/** IDs or mail addresses of members whom the old site blocked. */
export const blockedMembersInput = z.object({
  ids: z
    .array(z.string().max(200))
    .max(MOVING_LIMITS.blocked, `한 번에 ${MOVING_LIMITS.blocked}명까지 넣을 수 있습니다.`),
});

export const undoMovingInput = z.object({ reason: reasonField, version: versionField });

const exportKey = z.string().min(1).max(64);

/** An archive as `SiteExportPart` names it. */
export const siteExportInput = z
  .object({
    kind: z.enum(["members", "items", "files"]),
    first: exportKey,
    last: exportKey,
    partNo: z.number().int().min(1).max(10_000),
    /** Adds the stored password hashes to the members. */
    withPasswords: flagField.default(false),
    reason: reasonField,
  })
  .refine(({ kind, first, last }) => kind !== "items" || [first, last].every((key) => /^\d{1,15}$/.test(key)), {
    path: ["first"],
    message: "없는 묶음입니다.",
  })
  .refine(({ kind, withPasswords }) => !withPasswords || kind === "members", {
    path: ["withPasswords"],
    message: "비밀번호는 회원 묶음에만 담습니다.",
  });

export type SiteExportInput = z.output<typeof siteExportInput>;
export type MappingInput = z.output<typeof startMovingInput>;
export type MovingMapping = Omit<MappingInput, "version">;
export type BoardTarget = z.output<typeof boardTarget>;
export type FieldTarget = z.output<typeof fieldTarget>;

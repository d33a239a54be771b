import { z } from "zod";
import { requiredLineField, lineField, flagField, versionField } from "../kernel/fields.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { BOARD_LIMITS, FILE_EXTENSIONS, RESERVED_BOARD_CODES } from "./rules.ts";
import { roleCode } from "../access/input.ts";
import { BOARD_ACTIONS } from "../kernel/permissions.ts";
import { boardCode } from "./input.ts";

const wholeNumber = (min: number, max: number) => z.number().int().min(min).max(max);

const boardShape = {
  boardName: requiredLineField(BOARD_LIMITS.boardName),
  description: lineField(BOARD_LIMITS.description),
  boardType: z.enum(["list", "gallery", "faq"]),
  categories: z.array(requiredLineField(BOARD_LIMITS.category)).max(BOARD_LIMITS.categoriesMax),
  /** Optional: a change without them keeps the stored ones. */
  englishName: lineField(BOARD_LIMITS.englishName).optional(),
  englishDescription: lineField(BOARD_LIMITS.englishDescription).optional(),
  /** In the order of `categories`; empty for a category without an English name. */
  englishCategories: z.array(lineField(BOARD_LIMITS.englishCategory)).max(BOARD_LIMITS.categoriesMax).optional(),
  pageSize: wholeNumber(BOARD_LIMITS.pageSizeMin, BOARD_LIMITS.pageSizeMax),
  useComment: flagField,
  useSecret: flagField,
  useEvents: flagField,
  fileMaxCount: wholeNumber(0, BOARD_LIMITS.filesMax),
  fileMaxSize: wholeNumber(0, SIZE_LIMITS.documentBytes),
  fileExtensions: z.array(z.enum(FILE_EXTENSIONS)),
  /** Role code to board actions; omitted roles keep their grant. */
  grant: z.record(roleCode, z.array(z.enum(BOARD_ACTIONS))),
};

const newBoardCode = boardCode.refine((code) => !RESERVED_BOARD_CODES.includes(code), "쓸 수 없는 게시판 코드입니다.");

export const createBoardInput = z.object({
  boardCode: newBoardCode,
  boardName: boardShape.boardName,
  description: boardShape.description.default(""),
  boardType: boardShape.boardType.default("list"),
  categories: boardShape.categories.default([]),
  englishName: boardShape.englishName,
  englishDescription: boardShape.englishDescription,
  englishCategories: boardShape.englishCategories,
  pageSize: boardShape.pageSize.default(10),
  useComment: flagField.default(true),
  useSecret: flagField.default(false),
  useEvents: flagField.default(false),
  fileMaxCount: boardShape.fileMaxCount.default(10),
  fileMaxSize: boardShape.fileMaxSize.default(SIZE_LIMITS.documentBytes),
  fileExtensions: boardShape.fileExtensions.default(FILE_EXTENSIONS),
  /** Absent: the default grant of contract section 1. */
  grant: boardShape.grant.optional(),
});

/** Permissions are exported with the roles. */
export const boardDocument = createBoardInput.omit({ grant: true }).extend({ isClosed: flagField });

export type BoardDocument = z.output<typeof boardDocument>;

export type CreateBoardInput = z.output<typeof createBoardInput>;

export const updateBoardInput = z.object({ ...boardShape, version: versionField });

export type UpdateBoardInput = z.output<typeof updateBoardInput>;

export const copyBoardInput = z.object({
  boardCode: newBoardCode,
  boardName: requiredLineField(BOARD_LIMITS.boardName),
});

export type CopyBoardInput = z.output<typeof copyBoardInput>;

export const boardStateInput = z.object({ isClosed: flagField, version: versionField });

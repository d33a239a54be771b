import { z } from "zod";
import { requiredLine, line, flag, version } from "../kernel/fields.ts";
import { SIZES } from "../kernel/limits.ts";
import { extensions, RESERVED_CODES } from "./rules.ts";
import { roleCode } from "../access/input.ts";
import { BOARD_ACTIONS } from "../kernel/permissions.ts";
import { boardCode } from "./input.ts";

const whole = (min: number, max: number) => z.number().int().min(min).max(max);

const boardShape = {
  boardName: requiredLine(50),
  description: line(200),
  boardType: z.enum(["list", "gallery", "faq"]),
  categories: z.array(requiredLine(20)).max(30),
  pageSize: whole(5, 100),
  useComment: flag,
  useSecret: flag,
  fileMaxCount: whole(0, 50),
  fileMaxSize: whole(0, SIZES.documentBytes),
  fileExtensions: z.array(z.enum(extensions)),
  /** Role code to what that role may do here; a role that is not named keeps what it has. */
  grant: z.record(roleCode, z.array(z.enum(BOARD_ACTIONS))),
};

const newBoardCode = boardCode.refine((code) => !RESERVED_CODES.includes(code), "쓸 수 없는 게시판 코드입니다.");

export const createBoardInput = z.object({
  boardCode: newBoardCode,
  boardName: boardShape.boardName,
  description: boardShape.description.default(""),
  boardType: boardShape.boardType.default("list"),
  categories: boardShape.categories.default([]),
  pageSize: boardShape.pageSize.default(10),
  useComment: flag.default(true),
  useSecret: flag.default(false),
  fileMaxCount: boardShape.fileMaxCount.default(10),
  fileMaxSize: boardShape.fileMaxSize.default(SIZES.documentBytes),
  fileExtensions: boardShape.fileExtensions.default(extensions),
  /** Absent: the default grant of contract section 1. */
  grant: boardShape.grant.optional(),
});

export type CreateBoardInput = z.output<typeof createBoardInput>;

export const updateBoardInput = z.object({ ...boardShape, version });

export type UpdateBoardInput = z.output<typeof updateBoardInput>;

export const copyBoardInput = z.object({ boardCode: newBoardCode, boardName: requiredLine(50) });

export type CopyBoardInput = z.output<typeof copyBoardInput>;

export const boardStateInput = z.object({ isClosed: flag, version });

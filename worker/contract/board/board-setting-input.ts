import { z } from "zod";
import { flagField, requiredLineField, versionField } from "../kernel/fields.ts";
import { documentShape, fieldShape, newFieldShape } from "../kernel/row-input.ts";
import { BOARD_FIELDS } from "./fields.ts";
import { BOARD_LIMITS, RESERVED_BOARD_CODES } from "./rules.ts";
import { roleCode } from "../access/input.ts";
import { BOARD_ACTIONS } from "../kernel/permissions.ts";
import { boardCode } from "./input.ts";

/** Role code to board actions; omitted roles keep their grant. */
const grant = z.record(roleCode, z.array(z.enum(BOARD_ACTIONS)));
const newBoardCode = boardCode.refine((code) => !RESERVED_BOARD_CODES.includes(code), "쓸 수 없는 게시판 코드입니다.");

/** Without `grant`, the default one of contract section 1. */
export const createBoardInput = z.object({
  boardCode: newBoardCode,
  ...newFieldShape(BOARD_FIELDS),
  grant: grant.optional(),
});

/** Permissions are exported with the roles. */
export const boardDocument = z.object({ boardCode: newBoardCode, ...documentShape(BOARD_FIELDS), isClosed: flagField });

export type BoardDocument = z.output<typeof boardDocument>;

export type CreateBoardInput = z.output<typeof createBoardInput>;

export const updateBoardInput = z.object({ ...fieldShape(BOARD_FIELDS), grant, version: versionField });

export const copyBoardInput = z.object({
  boardCode: newBoardCode,
  boardName: requiredLineField(BOARD_LIMITS.boardName),
});

export const boardStateInput = z.object({ isClosed: flagField, version: versionField });

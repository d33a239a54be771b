import { z } from "zod";
import { optional, line, pageNumber, pageSize, id, flag, requiredLine, requiredText } from "../kernel/fields.ts";

export const listMessagesQuery = z.object({
  status: optional(z.enum(["queued", "sent", "failed"])),
  keyword: line(100).optional(),
  page: pageNumber,
  size: pageSize(30),
});

export type ListMessagesQuery = z.output<typeof listMessagesQuery>;

/** Some of the failed ones, or all of them. */
export const retryMessagesInput = z.union([
  z.object({ ids: z.array(id).min(1).max(200) }),
  z.object({ all: z.literal(true) }),
]);

export type RetryMessagesInput = z.output<typeof retryMessagesInput>;

/** Nothing is to be said but that it be done. */
export const followInput = z.object({});

export const noticesInput = z.object({ comments: flag });

export const offPath = z.object({ token: z.string().min(1).max(300) });

/** A kind that is not there is a path that is not there; the verb says so. */
export const letterPath = z.object({ kind: z.string().max(40) });

export const wordingShape = { subject: requiredLine(150), text: requiredText(5000) };

export const letterTextInput = z.object(wordingShape);

/** 0 until the office words it for the first time. */
export const letterVersion = z.number().int().min(0);

export const updateLetterInput = z.object({ ...wordingShape, version: letterVersion });

export type UpdateLetterInput = z.output<typeof updateLetterInput>;

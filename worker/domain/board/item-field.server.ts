import { cleanHtml } from "#worker/adapters/clean-html.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { CreateItemInput } from "#worker/contract/board/input.ts";
import { EVENT_MESSAGES } from "#worker/contract/board/event-rules.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { containsResidentNumber, residentNumberMessage } from "#worker/contract/kernel/resident-number.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { can } from "../kernel/authorize.server.ts";
import { type BoardRow } from "../kernel/resource.server.ts";
import { htmlToText, isBlankHtml } from "../kernel/html-text.server.ts";

type ItemFields = Omit<Partial<CreateItemInput>, "content">;

/** Checks rules of the board beyond the input schema. @throws AppError FORBIDDEN, INVALID_INPUT */
export function checkItemFields(ctx: AppContext, row: BoardRow, input: ItemFields): void {
  const manages = can(ctx.actor, { action: "Board.Manage", board: row });
  if (!manages && (input.isPinned || input.showItemToMain || input.publishDate || input.pinnedUntil))
    throw new AppError("FORBIDDEN");
  const errors: Record<string, string> = {};
  if (input.category && !row.categories.includes(input.category)) errors.category = "선택할 수 없는 분류입니다.";
  if (input.isSecret && !row.useSecret) errors.isSecret = "이 게시판에서는 비밀글을 쓸 수 없습니다.";
  if (input.event && !row.useEvents) errors.event = EVENT_MESSAGES.unused;
  if (input.fileIds && new Set(input.fileIds).size > row.fileMaxCount) {
    errors.fileIds = `파일은 ${row.fileMaxCount}개까지 첨부할 수 있습니다.`;
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors);
}

export function cleanItemContent(content: string): string {
  const cleaned = cleanHtml(content);
  if (isBlankHtml(cleaned)) throw invalidInput({ content: "내용을 입력해 주십시오." });
  const text = htmlToText(cleaned);
  if (containsResidentNumber(text)) throw invalidInput({ content: residentNumberMessage(text) });
  if (new TextEncoder().encode(cleaned).length > SIZE_LIMITS.contentBytes) {
    throw new AppError("PAYLOAD_TOO_LARGE", {
      message: "본문이 너무 깁니다. 그림은 파일로 올리고 글을 나누어 주십시오.",
    });
  }
  return cleaned;
}

/** A published item keeps its date; a scheduled one can move, or appear now with null. */
export function publishDateOf(createdDate: Date, wanted: Date | null | undefined, now: Date): Date {
  if (wanted === undefined || createdDate <= now) return createdDate;
  return wanted && wanted > now ? wanted : now;
}

import { SIZE_LIMITS } from "../kernel/limits.ts";
import { choice, line } from "../kernel/row.ts";

export const MESSAGE_STATUS_NAMES = { queued: "보낼 예정", sent: "보냄", failed: "실패", held: "보류" } as const;

export const MESSAGE_FILTERS = {
  status: choice("상태", MESSAGE_STATUS_NAMES),
  keyword: line("받는 사람이나 제목", { type: "search", max: SIZE_LIMITS.keywordLength, isWide: true }),
};

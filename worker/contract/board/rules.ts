import { defineDesk } from "../kernel/desk.ts";
import { valuesOf } from "../kernel/labels.ts";
import { FILE_TYPES } from "../file/rules.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const FILE_EXTENSIONS = valuesOf(FILE_TYPES);

export const BOARD_TYPES = { list: "목록형", gallery: "사진형", faq: "질문과 답" } as const;

/** Route segments that would collide with a board code. */
export const RESERVED_BOARD_CODES = ["bin", "search", "images", "download-data"];

const BOARD_SORT_FIELDS = ["createdDate", "viewCount", "title", "itemNo"] as const;

export const BULK_ITEMS_MAX = 100;

export const REPORT_REASONS = {
  abuse: "욕설이나 비방",
  privacy: "개인정보 노출",
  advertisement: "광고나 도배",
  copyright: "저작권 침해",
  other: "그 밖의 사유",
} as const;

/** A decision closes all open reports of an item or comment. */
export const REPORT_DESK = defineDesk({
  states: { open: "처리할 신고", dismissed: "문제없음", hidden: "숨김" },
  tones: { open: "danger", dismissed: "gray", hidden: "primary" },
  commands: {
    dismiss: { by: "office", from: ["open"], to: "dismissed" },
    hide: { by: "office", from: ["open"], to: "hidden" },
  },
  letters: {},
});

export type ReportStatus = keyof typeof REPORT_DESK.states;

export const REPORT_REASON_CODES = valuesOf(REPORT_REASONS);

export const REPORT_TEXT_LENGTH = 500;

export const BOARD_LIMITS = {
  boardName: 50,
  boardCode: SIZE_LIMITS.codeLength,
  category: 20,
  categoriesMax: 30,
} as const;

export type BoardSortField = (typeof BOARD_SORT_FIELDS)[number];

export type ReportReason = keyof typeof REPORT_REASONS;

export type BoardSort = { field: BoardSortField; descending: boolean };

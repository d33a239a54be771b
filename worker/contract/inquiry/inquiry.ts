import { FILE_TYPES } from "../file/rules.ts";
import { defineDesk } from "../kernel/desk.ts";
import { valuesOf } from "../kernel/labels.ts";
import { choice } from "../kernel/row.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const INQUIRY_CATEGORY_NAMES = {
  account: "로그인·계정",
  member: "회원정보",
  board: "게시판·자료",
  event: "행사·교육",
  other: "기타",
};

export type InquiryCategory = keyof typeof INQUIRY_CATEGORY_NAMES;

export const INQUIRY_CATEGORIES = valuesOf(INQUIRY_CATEGORY_NAMES);

const OPEN = ["waiting", "answered"] as const;

/** `waiting` until the office answers, and again after each message of the member. */
export const INQUIRY_DESK = defineDesk({
  states: { waiting: "접수", answered: "답변 완료", closed: "종료" },
  tones: { waiting: "primary", answered: "success", closed: "gray" },
  commands: {
    add: { by: "person", from: OPEN, to: "waiting" },
    close: { by: "person", from: OPEN, to: "closed" },
    answer: { by: "office", from: OPEN, to: "answered" },
    closeByOffice: { by: "office", from: OPEN, to: "closed" },
  },
  letters: { answer: "inquiryAnswered" },
});

export type InquiryStatus = keyof typeof INQUIRY_DESK.states;

export const INQUIRY_FILTERS = {
  status: choice("상태", INQUIRY_DESK.states),
  category: choice("분류", INQUIRY_CATEGORY_NAMES),
};

export const INQUIRY_LIMITS = { subject: 100, content: 4000, messages: 50 } as const;

export const INQUIRY_FILES = {
  maxCount: 5,
  maxSize: SIZE_LIMITS.documentBytes,
  extensions: Object.keys(FILE_TYPES),
} as const;

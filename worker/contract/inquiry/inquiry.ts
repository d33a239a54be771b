import { FILE_TYPES } from "../file/rules.ts";
import { valuesOf } from "../kernel/labels.ts";
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

/** `waiting` until the office answers, and again after each message of the member. */
export const INQUIRY_STATUS_NAMES = { waiting: "접수", answered: "답변 완료", closed: "종료" };

export type InquiryStatus = keyof typeof INQUIRY_STATUS_NAMES;

export const INQUIRY_STATUSES = valuesOf(INQUIRY_STATUS_NAMES);

export const INQUIRY_LIMITS = { subject: 100, content: 4000, messages: 50 } as const;

export const INQUIRY_FILES = {
  maxCount: 5,
  maxSize: SIZE_LIMITS.documentBytes,
  extensions: Object.keys(FILE_TYPES),
} as const;

export interface InquiryRow {
  id: string;
  category: InquiryCategory;
  subject: string;
  status: InquiryStatus;
  createdDate: string;
  lastDate: string;
  version: number;
}

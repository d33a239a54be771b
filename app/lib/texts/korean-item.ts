import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

export const KOREAN_ITEM_TEXTS = {
  pageTitle: (_board: string, _itemNo: number, title: string): string => title,
  list: "목록",
  share: "공유",
  copy: "링크 복사",
  copied: "링크를 복사하였습니다.",
  copyFailed: "링크를 복사하지 못했습니다. 주소창의 주소를 복사해 주십시오.",
  print: "인쇄",
  neighbours: "이전글 다음글",
  previous: "이전글",
  next: "다음글",
  noPrevious: "이전글이 없습니다.",
  noNext: "다음글이 없습니다.",
  comments: "댓글",
  reply: "답글",
  deletedComment: UI_MESSAGES.deletedComment as string,
  memberOnly: UI_MESSAGES.memberOnly as string,
  signin: "로그인",
};

export type ItemTexts = typeof KOREAN_ITEM_TEXTS;

import type { ItemTexts } from "#app/lib/texts/korean-item.ts";
import { isKorean } from "#worker/contract/kernel/language.ts";

export const ENGLISH_ITEM_TEXTS: ItemTexts = {
  pageTitle: (board, itemNo, title) => (isKorean(title) ? `${board} no. ${itemNo} (in Korean)` : title),
  list: "List",
  share: "Share",
  copy: "Copy link",
  copied: "The link has been copied.",
  copyFailed: "The link could not be copied. Please copy the address from the address bar.",
  print: "Print",
  neighbours: "Previous and next post",
  previous: "Previous",
  next: "Next",
  noPrevious: "This is the oldest post.",
  noNext: "This is the newest post.",
  comments: "Comments",
  reply: "Reply",
  deletedComment: "This comment has been deleted.",
  memberOnly: "Please sign in to comment.",
  signin: "Sign in",
};

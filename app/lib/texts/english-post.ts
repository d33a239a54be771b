import type { PostTexts } from "#app/lib/texts/korean-post.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

export const ENGLISH_POST_TEXTS: PostTexts = {
  onlyInKorean: {
    item: "This post is available in Korean only.",
    list: "Posts are shown as they were written, most of them in Korean.",
  },
  doInKorean: "Posting, commenting, following and managing are done on the Korean page.",
  koreanPage: "Open the Korean page",
  titleOf: (title) => (title === UI_MESSAGES.secretTitle ? "Private post" : title),
  pinned: "Pinned",
  writer: "Author",
  date: "Date",
  views: "Views",
};

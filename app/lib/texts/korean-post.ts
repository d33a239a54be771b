/** What a list of items and an item have in common. */
export const KOREAN_POST_TEXTS = {
  /** Beside a text of a person in the other language than the page's; the whole sentence. */
  onlyInKorean: { item: "", list: "" },
  /** Where a signed-in person does what the English pages only show. */
  doInKorean: "",
  koreanPage: "",
  /** Of an item, or what the server puts in its place where it may not be read. */
  titleOf: (title: string): string => title,
  pinned: "공지",
  writer: "작성자",
  date: "등록일",
  views: "조회",
};

export type PostTexts = typeof KOREAN_POST_TEXTS;

export const KOREAN_POST_TEXTS = {
  onlyInKorean: { item: "", list: "" },
  doInKorean: "",
  koreanPage: "",
  titleOf: (title: string): string => title,
  pinned: "공지",
  writer: "작성자",
  writerOf: (name: string): string => name,
  date: "등록일",
  views: "조회",
};

export type PostTexts = typeof KOREAN_POST_TEXTS;

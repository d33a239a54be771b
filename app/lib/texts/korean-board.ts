import type { SearchTarget } from "#worker/contract/board/search-terms.ts";

export const KOREAN_BOARD_TEXTS = {
  pager: undefined as Record<"first" | "previous" | "next" | "last" | "page", string> | undefined,
  list: {
    caption: (name: string) => `${name} 목록: 번호, 제목, 작성자, 등록일, 조회`,
    number: "번호",
    title: "제목",
    total: { before: "총 ", after: "건" },
    /** @param page without one the address is after the last */
    pageOf: (page: string | undefined, total: string) => `${page ? `${page}/` : ""}${total} 페이지`,
    asCalendar: "달력으로 보기",
    sizes: "한 페이지에 볼 글 수",
    each: "개씩 보기",
    categories: "분류",
    allCategories: "전체",
    empty: "등록된 게시물이 없습니다.",
    emptyCategory: "이 분류에는 게시물이 없습니다.",
    emptyPage: "이 페이지에는 게시물이 없습니다.",
    firstPage: "첫 페이지로",
    pager: (name: string) => `${name} 페이지 이동`,
    pageTitle: (number: number) => `${number}페이지`,
    write: "글쓰기",
    all: "전체 목록",
    whole: (files: number) => `글 전체 보기${files > 0 ? `, 첨부파일 ${files}개` : ""}`,
  },
  search: {
    resultsOf: (words: string) => `${words} 검색 결과`,
    targetLabel: "검색 대상",
    targets: {
      titleContent: "제목+내용",
      title: "제목",
      content: "내용",
      writer: "작성자",
      file: "첨부파일",
      all: "전체",
    } satisfies Record<SearchTarget, string>,
    keyword: "검색어",
    placeholder: "검색어를 입력해 주십시오",
    submit: "검색",
  },
};

export type BoardTexts = typeof KOREAN_BOARD_TEXTS;

import { UNCOUNTED_MESSAGE } from "#worker/contract/kernel/limits.ts";
import type { SearchTarget } from "#worker/contract/board/search-terms.ts";

/** What the boards' public pages say by themselves: list, search. */
export const KOREAN_BOARD_TEXTS = {
  /** Those of the pager itself where they are other than it says. */
  pager: undefined as Record<"first" | "previous" | "next" | "last" | "page", string> | undefined,
  list: {
    caption: (name: string) => `${name} 목록: 번호, 제목, 작성자, 등록일, 조회`,
    number: "번호",
    title: "제목",
    total: { before: "총 ", after: "건" },
    pages: "페이지",
    uncounted: UNCOUNTED_MESSAGE as string,
    asCalendar: "달력으로 보기",
    sizes: "한 페이지에 볼 글 수",
    each: "개씩",
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
    title: "통합검색",
    places: (hasCenters: boolean): string =>
      hasCenters ? "글과 첨부파일, 안내 화면과 {권역센터}에서 찾습니다." : "글과 첨부파일, 안내 화면에서 찾습니다.",
    resultsOf: (words: string) => `${words} 검색 결과`,
    targetLabel: "검색 대상",
    /** In the order of the choice. */
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
    board: "게시판",
    allBoards: "전체 게시판",
    from: "등록일 시작",
    to: "등록일 끝",
    newest: "최신순",
    best: "정확도순",
    order: "정렬",
    results: "검색 결과",
    found: { between: " 검색 결과 총 ", after: (isMore: boolean) => `건${isMore ? " 이상" : ""}` },
    also: (words: string) => `같은 뜻의 ${words}도 함께 찾았습니다.`,
    near: "낱말이 모두 든 글이 없어, 하나가 빠진 글을 보여 드립니다.",
    none: "검색 결과가 없습니다.",
    noneHelp: "낱말을 줄이거나 비슷한 다른 말로 찾아보십시오. 게시판이나 기간을 정하셨다면 넓혀 보십시오.",
    noItems: "이 검색어가 든 게시글은 없습니다. 위의 안내를 확인해 주십시오.",
    pager: "검색 결과 페이지 이동",
    pages: "안내와 {센터}",
    page: "안내",
    center: "{센터}",
    inFile: (name: string) => `첨부 ${name}`,
    file: "첨부파일",
    views: (count: string) => `조회 ${count}`,
    /** Why nothing was looked for, as the server says it. */
    problem: (said: string): string => said,
  },
};

export type BoardTexts = typeof KOREAN_BOARD_TEXTS;

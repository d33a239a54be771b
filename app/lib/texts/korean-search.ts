import type { PageHit } from "#worker/contract/board/view.ts";

export const KOREAN_SEARCH_TEXTS = {
  title: "통합검색",
  places: (hasCenters: boolean): string =>
    hasCenters
      ? "게시글과 댓글, 첨부파일, 안내 페이지, {권역센터:을/를} 검색합니다."
      : "게시글과 댓글, 첨부파일, 안내 페이지를 검색합니다.",
  board: "게시판",
  allBoards: "전체 게시판",
  from: "등록일 시작",
  to: "등록일 끝",
  newest: "최신순",
  best: "정확도순",
  order: "정렬",
  results: "검색 결과",
  found: { between: " 검색 결과 총 ", after: (isMore: boolean) => `건${isMore ? " 이상" : ""}` },
  also: (words: string) => `비슷한 말인 ${words}도 함께 검색했습니다.`,
  near: "검색어를 모두 포함한 글이 없어 일부만 포함한 글을 보여 드립니다.",
  corrected: (words: string): string => `‘${words}’, 이 낱말로 찾았습니다.`,
  suggested: "이 낱말을 찾으셨습니까?",
  none: "검색 결과가 없습니다.",
  noneHelp: "검색어를 줄이거나 다른 말로 검색해 보십시오. 게시판이나 기간을 정하셨다면 넓혀 보십시오.",
  office: (phone: string): string => `운영사무국 ${phone}`,
  inquiry: "1:1 문의하기",
  noItems: "이 검색어가 든 게시글은 없습니다. 위의 안내를 확인해 주십시오.",
  pager: "검색 결과 페이지 이동",
  pages: "안내와 {센터}",
  kinds: { page: "안내", center: "{센터}", screen: "바로 가기" } as Record<PageHit["kind"], string>,
  phone: "전화",
  comment: "댓글",
  inFile: (name: string) => `첨부 ${name}`,
  file: "첨부파일",
  views: (count: string) => `조회 ${count}`,
  problem: (said: string): string => said,
};

export type SearchTexts = typeof KOREAN_SEARCH_TEXTS;

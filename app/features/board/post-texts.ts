import { useSection, useTexts } from "#app/lib/page-language.ts";
import { KOREAN_POST_TEXTS } from "#app/lib/texts/korean-post.ts";
import { type BoardListChoice, boardItemHref, boardListHref } from "#app/features/board/board-paths.ts";

export const usePostTexts = () => useSection("post", KOREAN_POST_TEXTS);

export function useBoardHrefs() {
  const { pathOf } = useTexts();
  return {
    list: (boardCode: string, choice?: BoardListChoice) => pathOf("", boardListHref(boardCode, choice)),
    item: (boardCode: string, itemNo: number, choice?: BoardListChoice) =>
      pathOf("", boardItemHref(boardCode, itemNo, choice)),
    to: (path: string) => pathOf("", path),
  };
}

import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import { KOREAN_BOARD_TEXTS } from "#app/lib/texts/korean-board.ts";

export const useBoardTexts = () => useSection("board", KOREAN_BOARD_TEXTS);

export const boardTextsOf = (matches: Matches) => sectionOf(matches, "board", KOREAN_BOARD_TEXTS);

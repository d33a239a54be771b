import { SIZE_LIMITS } from "../kernel/limits.ts";
import { bytes, choice, choices, flag, kept, line, lines, whole } from "../kernel/row.ts";
import { BOARD_LIMITS, BOARD_TYPES, FILE_EXTENSIONS } from "./rules.ts";

const basic = { section: "기본" } as const;
const english = { section: "영문 페이지", lang: "en" } as const;
const attached = { section: "첨부파일" } as const;

/** Fields that each reader of a board gets. */
export const BOARD_READER_FIELDS = {
  boardName: line("게시판 이름", { ask: "이름", required: true, max: BOARD_LIMITS.boardName, ...basic }),
  boardType: choice("모양", BOARD_TYPES, "list", basic),
  description: line("설명", { max: 200, isWide: true, ...basic }),
  categories: lines("분류", {
    hint: "한 줄에 하나씩 적습니다.",
    max: BOARD_LIMITS.category,
    maxLines: BOARD_LIMITS.categoriesMax,
    ...basic,
  }),
  pageSize: whole("한 페이지의 글 수", { hint: "5~100", min: 5, max: 100, start: 10, ...basic }),
  useComment: flag("댓글", { ask: "댓글을 쓸 수 있습니다", start: true, ...basic }),
  useSecret: flag("비밀글", { ask: "비밀글을 쓸 수 있습니다", ...basic }),
  useEvents: flag("일정", { ask: "글에 일정(일시와 장소)을 적을 수 있습니다", ...basic }),
};

export const BOARD_FIELDS = {
  ...BOARD_READER_FIELDS,
  englishName: kept(
    line("영문 이름", { hint: "비워 두면 영문 페이지에도 한글 이름이 나옵니다.", max: 100, ...english }),
  ),
  englishDescription: kept(line("영문 설명", { max: 400, ...english })),
  englishCategories: kept(
    lines("영문 분류", {
      hint: "위의 분류와 같은 차례로 한 줄에 하나씩 적습니다.",
      max: 40,
      maxLines: BOARD_LIMITS.categoriesMax,
      ...english,
    }),
  ),
  fileMaxCount: whole("첨부파일 개수", {
    ask: "글 하나에 올릴 수 있는 개수",
    hint: "0이면 올릴 수 없습니다.",
    max: 50,
    start: 10,
    ...attached,
  }),
  fileMaxSize: bytes("첨부파일 크기(바이트)", {
    ask: "파일 하나의 크기 (MB)",
    hint: "20MB까지",
    max: SIZE_LIMITS.documentBytes,
    start: SIZE_LIMITS.documentBytes,
    ...attached,
  }),
  fileExtensions: choices("올릴 수 있는 형식", FILE_EXTENSIONS, { isWide: true, ...attached }),
};

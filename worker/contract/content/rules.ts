import { isLegalPage } from "./info-pages.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";

export const CONTENT_FILES = {
  maxCount: 10,
  maxSize: SIZE_LIMITS.documentBytes,
  extensions: ["hwp", "hwpx", "pdf", "docx", "xlsx", "pptx", "zip"],
} as const;

/** These pages show figures, a map or one line, without room for files. */
export const canHaveFiles = (code: string) => !isLegalPage(code) && !["center", "residence", "banner"].includes(code);

export const CENTER_LIMITS = {
  regionCode: 20,
  regionName: 20,
  centerName: 100,
  director: 100,
  address: SIZE_LIMITS.addressLength,
  phone: SIZE_LIMITS.phoneLength,
  fax: SIZE_LIMITS.phoneLength,
  url: 300,
  directions: 2000,
  introduction: 5000,
  imageAlt: 200,
  englishName: 150,
  englishDirector: 150,
  englishAddress: SIZE_LIMITS.addressLength,
  englishDirections: 3000,
  englishIntroduction: 8000,
  englishImageAlt: 300,
} as const;

export const AGREEMENT_LIMITS = { code: SIZE_LIMITS.codeLength, title: 100, version: 20, announceDays: 365 } as const;

export const ENGLISH_TITLE_MISSING = "영문 내용이 있으면 영문 제목도 적어 주십시오.";

export const ENGLISH_TEXT_MISSING = "영문 제목만 있습니다. 영문 내용을 적거나 영문 제목을 지워 주십시오.";

/** Marks a gap in a draft; a text that contains it cannot be published. */
export const PLACE_TO_FILL = "〔적을 것:";

export const PLACES_LEFT_MESSAGE = `'${PLACE_TO_FILL} …〕'이라고 표시된 곳이 남아 있습니다. 그 자리에 알맞은 내용을 적은 뒤 게시해 주십시오.`;

export const PUBLISH_NOTE_MAX = 200;

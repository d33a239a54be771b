import { MINUTE_SECONDS, HOUR_SECONDS, DAY_SECONDS, TOKEN_LIMITS } from "./token-limits.ts";
import { formatCount } from "./wording.ts";

export const DAY_MS = DAY_SECONDS * 1000;

export const HOUR_MS = HOUR_SECONDS * 1000;

export const SIZE_LIMITS = {
  jsonBytes: 256 * 1024,
  strangerBytes: 16 * 1024,
  strangerFormBytes: 64 * 1024,
  postBytes: 1024 * 1024,
  contentBytes: 500 * 1024,
  /** Below D1's limit of a value. */
  storedTextBytes: 1_900_000,
  imageBytes: 10 * 1024 * 1024,
  imagePixels: 40_000_000,
  documentBytes: 20 * 1024 * 1024,
  titleLength: 200,
  commentLength: 2000,
  keywordLength: 100,
  reasonLength: 200,
  codeLength: 30,
  phoneLength: 30,
  addressLength: 200,
  linkLength: 300,
  imageAltLength: 300,
  pathBytes: 2048,
} as const;

export const ALUMNI_LIMITS = {
  importBytes: 20 * 1024 * 1024,
  importRows: 50_000,
  /** Own values per batch: each is a database row. */
  importOwnValues: 150_000,
  /** xlsx and xls are read whole in memory; larger ones are converted to csv by the browser. */
  workbookBytes: 5 * 1024 * 1024,
  workbookRows: 10_000,
  importColumns: 100,
  /** Larger files are sent in parts; each is one D1 value, at most 2 MB. */
  partRows: 2000,
  partBytes: 1536 * 1024,
  storedBytes: 1_900_000,
  importParts: 200,
  importSources: 500,
  cellLength: 2000,
  correctedCells: 1000,
  exportRows: 100_000,
  memberPageSize: 50,
} as const;

/** Concurrent archive bytes per address; a single archive may be larger. */
export const ARCHIVES_IN_FLIGHT = { bytes: 100 * 1024 * 1024, retrySeconds: 10 } as const;

export const DATABASE_LIMITS = { maxBytes: 10 * 1024 ** 3, warnShare: 0.8 } as const;

export const NEW_ITEM_MS = DAY_MS;

export const PAGE_SIZE_MAX = 100;

/** Limits numbered pages of lists without counters (by views, by title), where each earlier row is read. */
export const UNCOUNTED_ROWS_MAX = 1000;

export const UNCOUNTED_MESSAGE = `이 순서로는 앞에서부터 ${formatCount(UNCOUNTED_ROWS_MAX)}건까지 쪽 번호로 볼 수 있습니다. 그 뒤는 ‘다음’으로 이어 보십시오.`;

export const HOME_BOARDS = { boardCodes: ["notice", "reference"], size: 6 } as const;

export interface RateLimit {
  max: number;
  windowSeconds: number;
}

/** Counted exactly in D1; `worker/OPERATIONS.md` says what each limit holds back. */
export const RATE_LIMITS = {
  signinFailureKeyAddress: { max: 5, windowSeconds: 15 * MINUTE_SECONDS },
  /** Counts how often the limit above was reached: each time doubles the wait. */
  signinStrike: { max: 1_000_000, windowSeconds: DAY_SECONDS },
  signinFailureKey: { max: 50, windowSeconds: DAY_SECONDS },
  signinFailureAddress: { max: 60, windowSeconds: HOUR_SECONDS },
  secondFactorFailure: { max: 5, windowSeconds: 15 * MINUTE_SECONDS },
  secondFactorFailureDay: { max: 30, windowSeconds: DAY_SECONDS },
  /** Repeated lookups of one key by one address count once. */
  lookupKeyAddress: { max: 1_000_000, windowSeconds: HOUR_SECONDS },
  lookupAddress: { max: 120, windowSeconds: HOUR_SECONDS },
  /** Sign-ins with unknown keys, counted in total so that the log has one entry. */
  signinUnknownSite: { max: 1_000_000_000, windowSeconds: HOUR_SECONDS },
  findIdAddress: { max: 20, windowSeconds: HOUR_SECONDS },
  /** The page counts these seconds down before it offers another code. */
  codeKeyWait: { max: 1, windowSeconds: MINUTE_SECONDS },
  codeKeyHour: { max: 5, windowSeconds: HOUR_SECONDS },
  codeKeyDay: { max: 10, windowSeconds: DAY_SECONDS },
  codeAddressDay: { max: 300, windowSeconds: DAY_SECONDS },
  /** Separate, so that sign-up requests by strangers cannot block password resets. */
  codeSignupSiteDay: { max: 2000, windowSeconds: DAY_SECONDS },
  codeResetSiteDay: { max: 2000, windowSeconds: DAY_SECONDS },
  codeTries: { max: 5, windowSeconds: TOKEN_LIMITS.pincodeTtlSeconds },
  /** Wrong codes only; beyond the limit each code has fewer tries. */
  confirmAddress: { max: 120, windowSeconds: HOUR_SECONDS },
  confirmLinkAddress: { max: 60, windowSeconds: HOUR_SECONDS },
  signupAddress: { max: 200, windowSeconds: HOUR_SECONDS },
  refreshSession: { max: 30, windowSeconds: HOUR_SECONDS },
  report: { max: 10, windowSeconds: HOUR_SECONDS },
  /** Board managers are exempt. */
  itemHour: { max: 20, windowSeconds: HOUR_SECONDS },
  commentHour: { max: 60, windowSeconds: HOUR_SECONDS },
  /** Messages about comments on one item, per person; later ones are combined. */
  commentMailHour: { max: 3, windowSeconds: HOUR_SECONDS },
  fileTextHour: { max: 1000, windowSeconds: HOUR_SECONDS },
  /** Archive bytes, because a checksum is computed over each byte. */
  archiveBytesHour: { max: 1024 ** 3, windowSeconds: HOUR_SECONDS },
  uploadUrl: { max: 30, windowSeconds: MINUTE_SECONDS },
  uploadBytesDay: { max: 200 * 1024 * 1024, windowSeconds: DAY_SECONDS },
  searchAddress: { max: 30, windowSeconds: MINUTE_SECONDS },
  searchAccount: { max: 30, windowSeconds: MINUTE_SECONDS },
  /** Registrations and changed answers of a member. */
  registrationDay: { max: 60, windowSeconds: DAY_SECONDS },
  inquiryDay: { max: 10, windowSeconds: DAY_SECONDS },
  privacyRequestDay: { max: 5, windowSeconds: DAY_SECONDS },
  ownDataDay: { max: 10, windowSeconds: DAY_SECONDS },
  exportDay: { max: 10, windowSeconds: DAY_SECONDS },
  certificateDay: { max: 10, windowSeconds: DAY_SECONDS },
  certificateAddress: { max: 30, windowSeconds: HOUR_SECONDS },
  testMailHour: { max: 20, windowSeconds: HOUR_SECONDS },
  /** The same rows, such as a reopened panel, count once an hour. */
  alumniSameRows: { max: 1_000_000, windowSeconds: HOUR_SECONDS },
  /** Rows shown to a member: enough to look people up, too few to copy the address book. */
  alumniRows: { max: 300, windowSeconds: HOUR_SECONDS },
  /** Rows that searches by name still show after that limit. */
  alumniNameRows: { max: 60, windowSeconds: HOUR_SECONDS },
  importRowsDay: { max: 500_000, windowSeconds: DAY_SECONDS },
  /** Rows that are read and compared, even if nothing is imported. */
  importLookRowsDay: { max: 5_000_000, windowSeconds: DAY_SECONDS },
} as const satisfies Record<string, RateLimit>;

export const SIGNIN_LIMITS = {
  crowdedTries: 3,
  warnAfterFailures: 10,
  longestWaitSeconds: 12 * HOUR_SECONDS,
  toldRemaining: 2,
} as const;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** How long an incomplete page is cached. */
export const BRIEF_MS = 5000;

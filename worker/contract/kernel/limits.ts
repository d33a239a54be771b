import { MINUTE_SECONDS, HOUR_SECONDS, DAY_SECONDS, TOKEN_LIMITS } from "./token-limits.ts";
import { formatCount } from "./format-count.ts";

export const DAY_MS = DAY_SECONDS * 1000;

export const HOUR_MS = HOUR_SECONDS * 1000;

export const SIZE_LIMITS = {
  jsonBytes: 256 * 1024,
  /** What a call that anybody may make takes. */
  strangerBytes: 16 * 1024,
  postBytes: 1024 * 1024,
  contentBytes: 500 * 1024,
  /** Below what a value of the database may take. */
  storedTextBytes: 1_900_000,
  imageBytes: 10 * 1024 * 1024,
  imagePixels: 40_000_000,
  documentBytes: 20 * 1024 * 1024,
  titleLength: 200,
  commentLength: 2000,
  keywordLength: 100,
  /** Why something was done, as the audit log keeps it. */
  reasonLength: 200,
  /** A role, a board, an agreement, a sign-up field. */
  codeLength: 30,
  phoneLength: 30,
  addressLength: 200,
  imageAltLength: 300,
  pathBytes: 2048,
} as const;

/** The address book: what a call takes and what a member gets at once. */
export const ALUMNI_LIMITS = {
  importBytes: 20 * 1024 * 1024,
  importRows: 50_000,
  /** Values of own fields that one batch writes beside the people: each is a row of its own in the database. */
  importOwnValues: 150_000,
  /** xlsx and xls are read whole in memory; beyond this the browser reads them and sends csv. */
  workbookBytes: 5 * 1024 * 1024,
  workbookRows: 10_000,
  importColumns: 100,
  /** Larger files come in parts; a part is a value of D1, which takes 2 MB. */
  partRows: 2000,
  partBytes: 1536 * 1024,
  storedBytes: 1_900_000,
  importParts: 200,
  /** Files and sheets in one import. */
  importSources: 500,
  cellLength: 2000,
  correctedCells: 1000,
  exportRows: 100_000,
  memberPageSize: 50,
} as const;

/** Zips of files that one address has made at once; one alone may be larger. */
export const ARCHIVES_IN_FLIGHT = { bytes: 100 * 1024 * 1024, retrySeconds: 10 } as const;

/** What one D1 database may hold, and when an administrator is told that it fills up. */
export const DATABASE_LIMITS = { maxBytes: 10 * 1024 ** 3, warnShare: 0.8 } as const;

export const NEW_ITEM_MS = DAY_MS;

export const PAGE_SIZE_MAX = 100;

/** How far a list goes that no counters lead through (by views, by title): each row before a page is read for it. */
export const UNCOUNTED_ROWS_MAX = 1000;

export const UNCOUNTED_MESSAGE = `이 순서로는 앞에서부터 ${formatCount(UNCOUNTED_ROWS_MAX)}건까지 볼 수 있습니다. 그 뒤의 글은 등록일순으로 보시거나 검색해 주십시오.`;

export const HOME_BOARDS = { boardCodes: ["notice", "reference"], size: 6 } as const;

export interface RateLimit {
  max: number;
  windowSeconds: number;
}

/** Counted exactly in D1. The numbers are what a site starts with: the office changes those of `limit-rules.ts`. */
export const RATE_LIMITS = {
  signinFailureKeyAddress: { max: 5, windowSeconds: 15 * MINUTE_SECONDS },
  /** How often the wait above was reached: each time it doubles. */
  signinStrike: { max: 1_000_000, windowSeconds: DAY_SECONDS },
  signinFailureKey: { max: 50, windowSeconds: DAY_SECONDS },
  signinFailureAddress: { max: 60, windowSeconds: HOUR_SECONDS },
  secondFactorFailure: { max: 5, windowSeconds: 15 * MINUTE_SECONDS },
  secondFactorFailureDay: { max: 30, windowSeconds: DAY_SECONDS },
  /** One key asked for by one address: asking again is no new look-up. */
  lookupKeyAddress: { max: 1_000_000, windowSeconds: HOUR_SECONDS },
  lookupAddress: { max: 120, windowSeconds: HOUR_SECONDS },
  /** Sign-ins with keys that nobody has, together: how many there were is logged, not each of them. */
  signinUnknownSite: { max: 1_000_000_000, windowSeconds: HOUR_SECONDS },
  findIdAddress: { max: 20, windowSeconds: HOUR_SECONDS },
  /** The page counts these seconds down before it offers another code. */
  codeKeyWait: { max: 1, windowSeconds: MINUTE_SECONDS },
  codeKeyHour: { max: 5, windowSeconds: HOUR_SECONDS },
  codeKeyDay: { max: 10, windowSeconds: DAY_SECONDS },
  codeAddressDay: { max: 300, windowSeconds: DAY_SECONDS },
  /** Apart, so that strangers who ask for codes to sign up stop nobody's reset. */
  codeSignupSiteDay: { max: 2000, windowSeconds: DAY_SECONDS },
  codeResetSiteDay: { max: 2000, windowSeconds: DAY_SECONDS },
  /** As long as a code is good. */
  codeTries: { max: 5, windowSeconds: TOKEN_LIMITS.pincodeTtlSeconds },
  /** Wrong codes alone; beyond them each code has fewer tries there. */
  confirmAddress: { max: 120, windowSeconds: HOUR_SECONDS },
  /** Links to an entry of the address book that lead to none. */
  confirmLinkAddress: { max: 60, windowSeconds: HOUR_SECONDS },
  signupAddress: { max: 200, windowSeconds: HOUR_SECONDS },
  refreshSession: { max: 30, windowSeconds: HOUR_SECONDS },
  report: { max: 10, windowSeconds: HOUR_SECONDS },
  /** Of those who do not manage the board. */
  itemHour: { max: 20, windowSeconds: HOUR_SECONDS },
  commentHour: { max: 60, windowSeconds: HOUR_SECONDS },
  /** Messages to one person about the comments on one item; what comes after them is told in one. */
  commentMailHour: { max: 3, windowSeconds: HOUR_SECONDS },
  /** Texts of files for the search; a manager has those of old files made again. */
  fileTextHour: { max: 1000, windowSeconds: HOUR_SECONDS },
  /** Bytes of zips of items' files, each of which is counted through byte by byte. */
  archiveBytesHour: { max: 1024 ** 3, windowSeconds: HOUR_SECONDS },
  uploadUrl: { max: 30, windowSeconds: MINUTE_SECONDS },
  uploadBytesDay: { max: 200 * 1024 * 1024, windowSeconds: DAY_SECONDS },
  searchAddress: { max: 30, windowSeconds: MINUTE_SECONDS },
  searchAccount: { max: 30, windowSeconds: MINUTE_SECONDS },
  /** Questions to the office, and what is added to them. */
  inquiryDay: { max: 10, windowSeconds: DAY_SECONDS },
  privacyRequestDay: { max: 5, windowSeconds: DAY_SECONDS },
  ownDataDay: { max: 10, windowSeconds: DAY_SECONDS },
  exportDay: { max: 10, windowSeconds: DAY_SECONDS },
  certificateDay: { max: 10, windowSeconds: DAY_SECONDS },
  /** Numbers with names that a stranger asks after. */
  certificateAddress: { max: 30, windowSeconds: HOUR_SECONDS },
  testMailHour: { max: 20, windowSeconds: HOUR_SECONDS },
  /** The same rows again, such as one person's panel opened in the same list, are read once an hour. */
  alumniSameRows: { max: 1_000_000, windowSeconds: HOUR_SECONDS },
  /** Rows of the address book that a member is shown: enough to look people up, too few to copy it. */
  alumniRows: { max: 300, windowSeconds: HOUR_SECONDS },
  /** Rows that a search by name shows once those are used up. */
  alumniNameRows: { max: 60, windowSeconds: HOUR_SECONDS },
  /** Rows that imports added or changed. */
  importRowsDay: { max: 500_000, windowSeconds: DAY_SECONDS },
  /** Rows of files that are read and compared, also when nothing comes of it. */
  importLookRowsDay: { max: 5_000_000, windowSeconds: DAY_SECONDS },
} as const satisfies Record<string, RateLimit>;

export const SIGNIN_LIMITS = {
  /** Tries of one account, or of one code, at an address whose failures are used up. */
  crowdedTries: 3,
  /** After so many failures in a day the owner gets a mail. */
  warnAfterFailures: 10,
  longestWaitSeconds: 12 * HOUR_SECONDS,
  /** The person is told how many tries are left when there are no more than these. */
  toldRemaining: 2,
} as const;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** How long a page serves others that shows less than it should. */
export const BRIEF_MS = 5000;

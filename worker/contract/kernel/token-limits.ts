export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A browser asks for a new access token when less than this is left; by itself, because a reader's page needs no other. */
export const REFRESH_THRESHOLD_SECONDS = 10 * MINUTE_SECONDS;

/** Apart from the other limits: every page of the application asks for these. */
export const TOKEN_LIMITS = {
  accessTtlSeconds: 30 * MINUTE_SECONDS,
  refreshTtlSeconds: 14 * DAY_SECONDS,
  reuseGraceSeconds: 10,
  siblingsMax: 3,
  /** Within which the browser that got no answer to its refresh may ask again. */
  lostAnswerSeconds: 30 * MINUTE_SECONDS,
  memberAbsoluteSeconds: 90 * DAY_SECONDS,
  adminIdleSeconds: 30 * MINUTE_SECONDS,
  adminAbsoluteSeconds: 12 * HOUR_SECONDS,
  sessionsMax: 10,
  pincodeTtlSeconds: 10 * MINUTE_SECONDS,
  verifiedTtlSeconds: 30 * MINUTE_SECONDS,
  resetLinkTtlSeconds: DAY_SECONDS,
  undoTtlSeconds: 7 * DAY_SECONDS,
  uploadTtlSeconds: 10 * MINUTE_SECONDS,
} as const;

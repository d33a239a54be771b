export const MINUTE_SECONDS = 60;
export const HOUR_SECONDS = 60 * MINUTE_SECONDS;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

export const TOKEN_LIMITS = {
  accessTtlSeconds: 30 * MINUTE_SECONDS,
  refreshTtlSeconds: 14 * DAY_SECONDS,
  reuseGraceSeconds: 10,
  siblingsMax: 3,
  /** How long the same browser may repeat a refresh whose answer was lost. */
  lostAnswerSeconds: 30 * MINUTE_SECONDS,
  memberAbsoluteSeconds: 90 * DAY_SECONDS,
  adminIdleSeconds: 30 * MINUTE_SECONDS,
  adminAbsoluteSeconds: 12 * HOUR_SECONDS,
  sessionsMax: 10,
  pincodeTtlSeconds: 10 * MINUTE_SECONDS,
  verifiedTtlSeconds: 30 * MINUTE_SECONDS,
  resetLinkTtlSeconds: DAY_SECONDS,
  undoTtlSeconds: 7 * DAY_SECONDS,
  /** Until the end of the last day. */
  joinDays: 7,
  uploadTtlSeconds: 10 * MINUTE_SECONDS,
} as const;

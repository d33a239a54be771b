export const DAY_MS = 86_400_000;
export const SMALL_STEPS = { statements: 2, bytes: 1, ms: 60_000 };

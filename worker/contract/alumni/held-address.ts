/** Decisions about an address from an import that its person cannot be asked about. */
export const HELD_DECISIONS = {
  keep: "이 이메일 쓰기",
  drop: "쓰지 않기",
} as const;

export type HeldDecision = keyof typeof HELD_DECISIONS;

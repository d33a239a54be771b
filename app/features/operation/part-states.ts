export const TRIED_STATES = {
  ok: { label: "정상", tone: "success" },
  failed: { label: "확인 필요", tone: "danger" },
} as const;

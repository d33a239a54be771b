export const RUN_STATES = {
  ok: { label: "정상", tone: "success" },
  failed: { label: "실패", tone: "danger" },
  running: { label: "하는 중", tone: "gray" },
  killed: { label: "중단됨", tone: "danger" },
  never: { label: "아직 안 함", tone: "gray" },
} as const;

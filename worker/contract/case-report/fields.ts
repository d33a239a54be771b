import { whole } from "../kernel/row.ts";

export const CASE_REPORT_FIELDS = {
  /** Counts from 1 to below this are masked, so that no one is identified; 0 shows all. */
  maskBelow: whole("가리는 기준", {
    ask: "이 수보다 적은 지역은 숫자를 가립니다",
    hint: "사람을 알아볼 수 없도록 5부터 적습니다. 그보다 작게는 시스템 관리자만 정할 수 있고, 0이면 모두 보입니다.",
    required: true,
    start: 0,
    max: 100,
    right: "CaseReport_Access",
    floor: 5,
  }),
};

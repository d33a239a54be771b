export const KOREAN_RESIDENCE_TEXTS = {
  stale: "최근 집계를 불러오지 못했습니다. 마지막으로 받은 값을 보여 드립니다.",
  registered: "등록된 {환자}",
  total: (count: string) => `총 ${count}명`,
  asOf: { before: "", after: " 기준" },
  mapLabel: "시·도별 등록 수 지도. 같은 숫자가 표에 있습니다.",
  legend: "범례",
  count: (count: string) => `${count}명`,
  range: (from: string, to: string) => `${from}~${to}명`,
  atLeast: (from: string) => `${from}명 이상`,
  hidden: "비공개",
  noData: "자료 없음",
  figure: "시·도별 등록 수와 비율",
  region: "시·도",
  countName: "등록 수",
  share: "비율",
  sum: "합계",
  problem: (said: string) => said,
};

export type ResidenceTexts = typeof KOREAN_RESIDENCE_TEXTS;

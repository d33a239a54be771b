export const KOREAN_CONTROL_TEXTS = {
  required: "(필수)",
  close: "닫기",
  partMissing: "이 부분을 불러오지 못했습니다. 입력한 내용을 따로 적어 두신 뒤 화면을 새로 고쳐 주십시오.",
  checkFields: "입력한 내용을 확인해 주십시오.",
  choose: "선택해 주십시오",
};

export type ControlTexts = typeof KOREAN_CONTROL_TEXTS;

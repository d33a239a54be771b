export const KOREAN_FORM_TEXTS = {
  needsScript: "이 화면을 이용하시려면 브라우저의 자바스크립트를 켜 주십시오.",
  preparing: "준비 중",
  showPassword: "비밀번호 표시",
  capsLock: "Caps Lock이 켜져 있습니다.",
  hangul: "한글이 입력되었습니다. 한/영 키를 확인해 주십시오.",
};

export type FormTexts = typeof KOREAN_FORM_TEXTS;

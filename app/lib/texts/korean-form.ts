export const KOREAN_FORM_TEXTS = {
  leave: {
    title: "저장하지 않은 내용이 있습니다",
    text: "이 화면을 나가면 방금 적은 내용은 저장되지 않습니다.",
    leave: "나가기",
    stay: "계속 쓰기",
  },
  again: {
    title: "다시 로그인해 주십시오",
    others: "이 화면을 쓰던 계정과 다른 계정으로 로그인되어 있습니다. 쓰던 계정으로 다시 로그인해 주십시오.",
    over: "로그인 시간이 지났습니다.",
    kept: (isPost: boolean) => `${isPost ? "작성하신 글은" : "적으신 내용은"} 그대로 있습니다.`,
    key: "아이디나 이메일",
    keyMissing: "아이디를 입력해 주십시오.",
    password: "비밀번호",
    passwordMissing: "비밀번호를 입력해 주십시오.",
    secondFactorMissing: "2단계 인증을 마쳐야 로그인됩니다.",
    cancel: "취소",
    signin: "로그인",
    /** Empty for what the site says. */
    failed: "",
  },
  needsScript: "이 화면을 이용하시려면 브라우저의 자바스크립트를 켜 주십시오.",
  preparing: "준비 중",
  showPassword: "비밀번호 표시",
  capsLock: "Caps Lock이 켜져 있습니다.",
  hangul: "한글이 입력되었습니다. 한/영 키를 확인해 주십시오.",
};

export type FormTexts = typeof KOREAN_FORM_TEXTS;

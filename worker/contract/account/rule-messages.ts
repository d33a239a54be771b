export const ACCOUNT_RULE_MESSAGES = {
  passwordCommon: "널리 알려져 추측하기 쉬운 비밀번호입니다. 다른 비밀번호를 입력해 주십시오.",
  passwordOwn: "비밀번호에 아이디, 이메일, 이름을 넣을 수 없습니다.",
  passwordSame: "지금 쓰는 비밀번호와 다른 비밀번호를 입력해 주십시오.",
  userId: "아이디는 공백 없이 입력해 주십시오.",
  userIdResident: "주민등록번호로 보이는 아이디는 쓸 수 없습니다.",
  email: "이메일을 형식에 맞게 입력해 주십시오.",
  mobile: "휴대전화번호를 형식에 맞게 입력해 주십시오.",
} as const;

export const SECOND_FACTOR_MESSAGES = {
  totpFormat: "인증 앱에 보이는 숫자 6자리를 입력해 주십시오.",
  totpWrong: "인증번호가 맞지 않습니다. 인증 앱에 지금 보이는 숫자를 입력해 주십시오.",
  recoveryFormat: "복구 코드 10자리를 입력해 주십시오. 예: ABCDE-FGH23",
  recoveryWrong: "복구 코드가 맞지 않거나 이미 사용한 코드입니다.",
  passkeyWrong: "패스키를 확인하지 못했습니다. 다시 시도해 주십시오.",
  passkeyTaken: "이미 등록된 패스키입니다.",
  totpTaken: "인증 앱은 하나만 등록할 수 있습니다. 쓰지 않는 것을 먼저 지워 주십시오.",
  setupExpired: "시간이 지나 처음부터 다시 등록하셔야 합니다.",
  tooMany: "2단계 인증 수단은 10개까지 등록할 수 있습니다. 쓰지 않는 것을 먼저 지워 주십시오.",
  lastFactor: "마지막 인증 수단은 지울 수 없습니다. 다른 인증 수단을 먼저 등록해 주십시오.",
} as const;

import {
  appendReason,
  enterMessage,
  KOREAN_CODE_TEXTS,
  keyMissingMessage,
  pincodeErrorMessage,
} from "#app/features/account/error-messages.ts";
import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import type { AccountAct, AccountTexts } from "#app/lib/texts/account.ts";
import { passwordChecks } from "#worker/contract/account/rules.ts";
import { signupClosedMessage } from "#worker/contract/account/view.ts";
import type { AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";
import {
  UI_MESSAGES,
  USER_KEY_NAMES,
  userKeyAvailableMessage,
  userKeyTakenMessage,
} from "#worker/contract/kernel/messages.ts";

const FAILURES: Record<AccountAct, string> = {
  check: UI_MESSAGES.checkFailed,
  sendCode: UI_MESSAGES.pincodeSendFailed,
  signup: "잠시 후 다시 시도해 주십시오.",
  findId: UI_MESSAGES.findIdFailed,
};

const nameHint = ({ userName: { min, max, foreign } }: AccountRules) =>
  `한글 ${min === max ? min : `${min}~${max}`}자${foreign ? ", 또는 영문이나 한자" : ""}`;

export const KOREAN_ACCOUNT_TEXTS: AccountTexts = {
  failed: (act, error) => appendReason(FAILURES[act], error),
  codeFailed: pincodeErrorMessage,
  reason: ({ message }) => message,
  problem: (_field, said) => said,
  profileProblem: (_field, said) => said,
  namesFields: true,
  keys: USER_KEY_NAMES,
  keyMissing: keyMissingMessage,
  keyTaken: userKeyTakenMessage,
  keyFree: userKeyAvailableMessage,
  unverified: { Email: UI_MESSAGES.emailUnverified, Mobile: UI_MESSAGES.mobileUnverified },
  email: { domain: "이메일 도메인", otherDomain: "직접입력" },
  userId: { hint: "공백 없이 입력해 주십시오.", check: "중복확인", unchecked: UI_MESSAGES.idUnchecked },
  name: { label: "이름", missing: enterMessage("이름"), hint: nameHint, takesLatin: false },
  password: {
    label: "비밀번호",
    newLabel: "새 비밀번호",
    confirmation: (label) => `${label} 확인`,
    missing: enterMessage("비밀번호"),
    confirmationMissing: "비밀번호를 한 번 더 입력해 주십시오.",
    mismatch: "비밀번호가 일치하지 않습니다.",
    rules: (rules) => Object.fromEntries(passwordChecks(rules, []).map(({ code, label }) => [code, label])),
    met: " 충족",
    unmet: " 필요",
    note: "아이디·이메일·이름이 들어가거나 흔히 쓰이는 비밀번호는 쓰실 수 없습니다.",
  },
  code: KOREAN_CODE_TEXTS,
  agreements: {
    all: "전체동의",
    required: "[필수]",
    optional: "[선택]",
    missing: (title) => `'${title}'에 동의해 주십시오.`,
    read: "내용 보기",
    regionOf: (title) => `${title} 내용`,
    language: "",
  },
  signup: {
    title: "회원가입",
    closed: signupClosedMessage,
    stepsLabel: "회원가입 단계",
    steps: ["약관동의", "인증", "정보입력", "가입완료"],
    currentStep: " (현재단계)",
    doneStep: " (완료)",
    addressHint: (authType) =>
      authType === "IdAndPassword"
        ? "본인 확인과 아이디·비밀번호 찾기에 씁니다."
        : "로그인할 때 쓰는 아이디가 됩니다. 인증번호로 확인합니다.",
    submit: "가입하기",
    failed: UI_MESSAGES.signupFailed,
    officeFields: "",
  },
  welcome: {
    title: "회원가입 완료",
    nobody: "회원가입을 마치신 뒤에 보이는 화면입니다.",
    greeting: { before: "", after: "님, 환영합니다." },
    greetingOfNobody: "회원가입",
    waiting: "가입 신청이 접수되었습니다. 관리자가 승인하면 이메일로 알려 드리며, 그 뒤에 로그인하실 수 있습니다.",
    done: "회원가입이 완료되었습니다. 로그인하신 뒤 회원 서비스를 이용하실 수 있습니다.",
    home: "홈으로",
  },
  pending: {
    title: "약관 동의",
    description: "약관이 바뀌었습니다. 내용을 확인하시고 동의하시면 계속 이용하실 수 있습니다.",
    submit: "동의하고 계속하기",
    leave: "동의하지 않고 로그아웃",
  },
  signin: "로그인",
};

export const useAccountTexts = () => useSection("account", KOREAN_ACCOUNT_TEXTS);

export const accountTextsOf = (matches: Matches) => sectionOf(matches, "account", KOREAN_ACCOUNT_TEXTS);

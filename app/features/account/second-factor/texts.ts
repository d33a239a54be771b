import { errorMessage } from "#app/features/account/error-messages.ts";
import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import type { SecondFactorTexts } from "#app/lib/texts/signin.ts";
import { passkeyErrorMessage } from "./passkey-error.ts";

const KOREAN_SECOND_FACTOR_TEXTS: SecondFactorTexts = {
  title: "2단계 인증",
  description: { before: "", after: "님, 비밀번호가 확인되었습니다. 한 번만 더 확인합니다." },
  loading: "불러오는 중입니다.",
  methods: {
    passkey: {
      label: "패스키로 확인",
      text: "등록하신 기기의 지문, 얼굴 또는 화면 잠금 번호로 확인합니다. 아래 버튼을 누르고 기기의 안내를 따라 주십시오.",
      field: "",
      missing: "",
    },
    totp: {
      label: "인증 앱으로 확인",
      text: "휴대전화의 인증 앱을 열고, 지금 보이는 숫자 6자리를 입력해 주십시오.",
      field: "인증 앱의 숫자 6자리",
      missing: "인증 앱에 보이는 숫자 6자리를 입력해 주십시오.",
    },
    recoveryCode: {
      label: "복구 코드로 확인",
      text: "등록할 때 받아 두신 복구 코드 가운데 아직 쓰지 않은 것을 하나 입력해 주십시오. 한 번 쓴 코드는 다시 쓸 수 없습니다.",
      field: "복구 코드",
      missing: "복구 코드를 입력해 주십시오.",
    },
    password: {
      label: "비밀번호로 확인",
      text: "로그인하실 때 쓰는 비밀번호를 입력해 주십시오.",
      field: "비밀번호",
      missing: "비밀번호를 입력해 주십시오.",
    },
  },
  submit: "확인",
  failed: errorMessage,
  passkeyFailed: passkeyErrorMessage,
  passkeyCancelled: "확인을 취소하였습니다.",
  passkeyGone: "등록된 패스키가 없습니다. 다른 방법으로 확인해 주십시오.",
  otherAccount: "다른 계정으로 로그인",
  recovery: {
    lost: "인증할 기기와 복구 코드를 모두 잃어버렸습니다",
    how: (phone) =>
      `운영사무국${phone ? `(${phone})` : ""}에 2단계 인증 복구를 요청해 주십시오. 관리자가 복구를 시작하면 메일로 알려 드리고, 24시간 뒤에 이 화면에서 다시 등록하실 수 있습니다.`,
    startedTitle: "2단계 인증 복구가 시작되었습니다",
    started: { before: "", after: " 이후에 다시 로그인하시면 2단계 인증을 풀고 새로 등록하실 수 있습니다." },
    usableTitle: "2단계 인증을 다시 등록하실 수 있습니다",
    usable: "등록되어 있던 패스키, 인증 앱, 복구 코드가 모두 지워집니다.",
    use: "2단계 인증 풀고 다시 등록",
  },
};

export const useSecondFactorTexts = () => useSection("secondFactor", KOREAN_SECOND_FACTOR_TEXTS);

export const secondFactorTextsOf = (matches: Matches) => sectionOf(matches, "secondFactor", KOREAN_SECOND_FACTOR_TEXTS);

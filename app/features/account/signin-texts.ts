import { enterMessage, keyMissingMessage, signinErrorMessage } from "#app/features/account/error-messages.ts";
import { passkeyErrorMessage } from "#app/features/account/second-factor/passkey-error.ts";
import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import type { SigninTexts } from "#app/lib/texts/signin.ts";
import { UI_MESSAGES, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";

const KOREAN_SIGNIN_TEXTS: SigninTexts = {
  title: "로그인",
  memberOnly: UI_MESSAGES.memberOnly,
  keys: USER_KEY_NAMES,
  keyMissing: keyMissingMessage,
  keyProblem: (_type, said) => said,
  password: "비밀번호",
  passwordMissing: enterMessage("비밀번호"),
  remember: (key) => `${key} 저장`,
  failed: signinErrorMessage,
  passkey: "패스키로 로그인",
  passkeyCancelled: "패스키 로그인을 취소하였습니다.",
  passkeyFailed: passkeyErrorMessage,
  links: [
    { label: "아이디 찾기", href: "/Account/FindId" },
    { label: "비밀번호 찾기", href: "/Account/FindPassword" },
    { label: "회원가입", href: "/Account/Signup" },
  ],
  note: "",
};

export const useSigninTexts = () => useSection("signin", KOREAN_SIGNIN_TEXTS);

export const signinTextsOf = (matches: Matches) => sectionOf(matches, "signin", KOREAN_SIGNIN_TEXTS);

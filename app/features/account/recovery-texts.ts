import { useSection } from "#app/lib/page-language.ts";
import { type Matches, sectionOf } from "#app/lib/page-meta.ts";
import type { RecoveryTexts } from "#app/lib/texts/signin.ts";
import { UI_MESSAGES, USER_KEY_NAMES } from "#worker/contract/kernel/messages.ts";
import { particleOf, withParticle } from "#worker/contract/kernel/wording.ts";

const KOREAN_RECOVERY_TEXTS: RecoveryTexts = {
  findId: {
    title: "아이디 찾기",
    intro: (type) => `가입할 때 쓰신 이름과 ${withParticle(USER_KEY_NAMES[type], "을/를")} 입력해 주십시오.`,
    found: "아이디 찾기 결과",
    none: "입력하신 정보와 일치하는 회원이 없습니다.",
    joined: { before: "가입일 ", after: "" },
    sentTo: (type) => `전체 아이디는 가입하신 ${withParticle(USER_KEY_NAMES[type], "으로/로")} 보내 드렸습니다.`,
    again: "다시 찾기",
  },
  reset: {
    title: "비밀번호 찾기",
    hint: (type) => `가입하실 때 쓰신 ${withParticle(USER_KEY_NAMES[type], "으로/로")} 인증번호를 보내 드립니다.`,
    newTitle: "비밀번호 재설정",
    failed: UI_MESSAGES.resetFailed,
    choose: "새로 쓰실 비밀번호를 정해 주십시오. 재설정하면 모든 기기에서 로그아웃됩니다.",
    linkOver: "링크의 유효 기간이 지났거나 이미 쓴 링크입니다. 인증번호를 받아 주십시오.",
    byCode: "인증번호로 재설정",
    otherAddress: "다른 주소로 받기",
    sentTo: (address) => ({
      before: "",
      after: `${particleOf(address, "으로/로")} 인증번호를 보냈습니다. 가입하지 않은 주소라면 인증번호가 가지 않습니다.`,
    }),
    doneTitle: "비밀번호 재설정 완료",
    done: "비밀번호를 재설정하였습니다. 모든 기기에서 로그아웃되었으니 새 비밀번호로 로그인해 주십시오.",
    notDone: "비밀번호 재설정을 마치신 뒤에 보실 수 있는 화면입니다.",
  },
};

export const useRecoveryTexts = () => useSection("recovery", KOREAN_RECOVERY_TEXTS);

export const recoveryTextsOf = (matches: Matches) => sectionOf(matches, "recovery", KOREAN_RECOVERY_TEXTS);

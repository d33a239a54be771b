import { SIZE_LIMITS } from "../limits.ts";
import { PALETTE_LABELS } from "./palette.ts";
import { choice, flag, group, guardedBy, kept, line, link } from "../row.ts";

const names = { section: "이름" } as const;
const contact = { section: "연락처" } as const;
const phone = { type: "tel", max: SIZE_LIMITS.phoneLength } as const;
const email = { type: "email", max: 100 } as const;
const dues = { section: "회비", ...guardedBy("Dues_Manage") } as const;
/** Where answers to the site's mail go. */
const answers = guardedBy("Mail_Template");
/** The issuer of certificates. */
const issuer = guardedBy("Alumni_Write");
const english = { section: "영문 페이지", lang: "en" } as const;

/** `site_setting.site` */
export const SITE_FIELDS = {
  /** Names the sender of each mail, and without an organization the issuer of certificates. */
  siteName: line("사이트 이름", {
    required: true,
    max: 50,
    start: "회원",
    tells: "system administrators",
    ...names,
  }),
  productName: line("사업 이름", { max: 50, ...names }),
  description: line("소개", { hint: "검색 결과에도 나옵니다.", rows: 2, max: 300, ...names }),
  copyright: line("저작권 표시", { max: 200, ...names }),
  contact: group(
    "연락처",
    {
      organization: line("기관명", { max: 100, ...issuer }),
      address: line("주소", { max: SIZE_LIMITS.addressLength }),
      phone: line("전화", phone),
      fax: line("팩스", phone),
      /** Answers go there without `replyTo`. */
      email: line("이메일", { ...email, ...answers }),
    },
    contact,
  ),
  /** Only certificates carry it. */
  chair: kept(line("대표자", { hint: "증명서에 발급자로 나옵니다. 예: 이사장 홍길동", max: 60, ...names, ...issuer })),
  /** Only mails carry it. */
  replyTo: kept(
    line("회신 받을 이메일", {
      hint: "사이트에서 보낸 메일에 답장하면 이 주소로 옵니다. 비워 두면 위의 이메일로 옵니다.",
      ...email,
      ...contact,
      ...answers,
    }),
  ),
  /** Only people with dues and their bills see these. */
  duesAccount: kept(line("회비 계좌", { hint: "은행과 번호. 예: 한빛은행 123-456-789012", max: 60, ...dues })),
  duesHolder: kept(line("예금주", { max: 40, ...dues })),
  duesGuide: kept(line("납부 안내", { hint: "예: 보내신 뒤 하루 안에 반영됩니다.", max: 200, ...dues })),
  duesLink: kept(link("결제 페이지 주소", { hint: "카드로도 받으실 때만 적습니다. https://로 시작합니다.", ...dues })),
};

/** Without an English site name there are no English pages. English names need more letters than Korean ones. */
const ENGLISH_SITE_FIELDS = {
  siteName: line("영문 사이트 이름", { max: 100, ...english }),
  productName: line("영문 사업 이름", { max: 100, ...english }),
  description: line("영문 소개", { max: 500, ...english }),
  organization: line("영문 기관명", { max: 150, ...english }),
  address: line("영문 주소", { max: SIZE_LIMITS.addressLength, ...english }),
  copyright: line("영문 저작권 표시", { max: 200, ...english }),
  footerText: line("영문 바닥글 문구", { max: 300, ...english }),
};

/** The single values of `site_setting.identity`. */
export const IDENTITY_FIELDS = {
  color: choice("색", PALETTE_LABELS, "teal"),
  hasCenters: flag("지역 기관", { ask: "지역 기관(지도, 지역별 안내)을 씁니다.", start: true }),
  hasCaseReport: flag("연계 서비스", { ask: "밖의 연계 서비스(등록 현황, 서비스 연결)를 씁니다.", start: true }),
  hasProposals: flag("연구 제안", { ask: "연구 제안을 받고 심의합니다." }),
  footerText: line("바닥글 문구", { ask: "덧붙일 문구", hint: "예: 사업자등록번호 000-00-00000", max: 300 }),
  english: group("영문", ENGLISH_SITE_FIELDS),
};

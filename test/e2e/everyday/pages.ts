import { CONSOLE_SAMPLE_ID } from "../../calls/sample-paths.ts";

export interface EverydayPage {
  path: string;
  who: "guest" | "member" | "admin";
  /** Field selectors with the typed or chosen text, or true to tick. `{n}` is a unique number. */
  fill?: Record<string, string | true>;
  press?: string;
  says?: RegExp;
  goes?: RegExp;
  /** A native form submission without script. */
  isPlain?: true;
  /** The page itself refuses; nothing reaches the server. */
  isLocal?: true;
  /** The example of its kind of form under conditions that are not `onEveryPage`. */
  isSample?: true;
  /** Guests read it, too. */
  isOpen?: true;
  /** Statements that make the page as each visit expects it. */
  before?: readonly string[];
}

const INFO = "/pid/about /pid/target /pid/registration /pid/center /pid/center/seoul /pid/residence /pid/organization";
const SEARCH = { isPlain: true, fill: { "#main [name=keyword]": "안내" }, press: "검색", goes: /keyword=/ } as const;
const readBy = (who: EverydayPage["who"], paths: string): EverydayPage[] =>
  paths.split(/\s+/).map((path) => ({ path, who }));

export const PAGES: readonly EverydayPage[] = [
  ...readBy(
    "guest",
    `/ /Registry /research/proposal /research/rules /Research/Projects /terms /privacy /calendar /sitemap /nothing-here /board/help/List/
    /TOS/Content/PrivacyContent /TOS/Content/TermsContent /Account/Signup/Welcome /Account/Password/Process/Success /Account/Left
    /answer/abc/1 /confirm/done /confirm/abc /mail/event/abc /mail/join/abc /mail/off/abc /mail/undo/abc /board/notice/View/60 ${INFO}`,
  ),
  { path: "/board/notice/List/", who: "guest", isSample: true, ...SEARCH },
  { path: "/search", who: "guest", ...SEARCH },
  {
    path: "/Certificate",
    who: "guest",
    fill: { "[name=number]": "2026-7KQ4M-X2P9D", "[name=name]": "홍길동" },
    press: "확인",
    says: /찾을 수 없|없습니다|맞지 않/,
  },
  {
    path: "/Account/Signup",
    isSample: true,
    who: "guest",
    fill: {
      "[name='agreements.terms']": true,
      "[name='agreements.privacy']": true,
      "[name='agreements.age']": true,
      "#userId": "hong{n}",
      "[name=userName]": "홍길동",
      "[name='profile.affiliation']": "한빛병원",
      "[name='profile.interests'][value=항체결핍]": true,
      "[name='profile.interests'][value='보체 결핍']": true,
      "[name='profile.memberType'][value=연구원]": true,
    },
    press: "가입하기",
    says: /이메일을 (?:형식|입력)|이메일 인증을 진행/,
    isLocal: true,
  },
  {
    path: "/Account/FindId",
    isSample: true,
    who: "guest",
    fill: { "[name=userName]": "홍길동", "#address": "nobody{n}@pid.example.kr" },
    press: "아이디 찾기",
    says: /일치하는|없습니다/,
  },
  {
    path: "/Account/FindPassword",
    who: "guest",
    fill: { "#address": "nobody{n}@pid.example.kr" },
    press: "인증번호 받기",
    says: /인증번호/,
  },
  {
    path: "/Account/Signin?returnUrl=%2Fboard%2Fnotice%2FView%2F60%23comments",
    isSample: true,
    who: "guest",
    fill: { "[name=userKeyCode]": "member01", "[name=password]": "Member!2345", "[name=rememberId]": true },
    press: "로그인",
    goes: /\/board\/notice\/View\/60#comments$/,
  },

  { path: "/", who: "member", isOpen: true },
  ...readBy(
    "member",
    "/Mypage /Mypage/Activity /Mypage/Events /Mypage/Proposals /Mypage/Sessions /Mypage/Certificate /Mypage/Dues /Mypage/Inquiries",
  ),
  { path: "/board/free/List/", who: "member", ...SEARCH },
  {
    path: "/Mypage/Info",
    isSample: true,
    who: "member",
    fill: { "[name=userName]": "홍길동" },
    press: "저장",
    says: /저장하기 전에 한 번 확인합니다/,
    isLocal: true,
  },
  {
    path: "/Mypage/Password",
    who: "member",
    fill: { "#currentPassword": "Wrong!{n}", "#password": "Zk7!mQ2x", "#passwordConfirmation": "Zk7!mQ2x" },
    press: "비밀번호 변경",
    says: /비밀번호가 일치하지 않습니다/,
  },
  {
    path: "/Mypage/Email",
    who: "member",
    fill: { "#email": "new{n}@pid.example.kr", "#currentPassword": "Member!2345" },
    press: "이메일 변경",
    says: /이메일 인증을 진행해주세요/,
    isLocal: true,
  },
  { path: "/Mypage/Notices", who: "member", says: /자료실/ },
  { path: "/Mypage/Security", who: "member", press: "인증 앱 등록", says: /비밀번호|QR/, isLocal: true },
  {
    path: "/Mypage/Inquiries/new",
    isSample: true,
    who: "member",
    fill: { "[name=subject]": "문의 {n}", "[name=content]": "문의하는 내용" },
    press: "문의 보내기",
    goes: /\/Mypage\/Inquiries\/[0-9a-f]{8}-/,
  },
  {
    path: "/Mypage/Privacy",
    who: "member",
    fill: { "[name=content]": "삭제를 요청하는 내용" },
    press: "요청하기",
    says: /요청을 접수하였습니다|처리 중인|이미/,
  },
  {
    path: "/Mypage/Retire",
    who: "member",
    fill: { "[name=reason]": "잠시 쉽니다", "#currentPassword": "Wrong!{n}" },
    press: "탈퇴하기",
    says: /확인|동의|필수/,
    isLocal: true,
  },
  {
    path: "/Alumni",
    who: "member",
    isPlain: true,
    fill: { "#main [name=keyword]": "김" },
    press: "검색",
    goes: /keyword=/,
  },
  {
    path: "/board/free/Write",
    isSample: true,
    who: "member",
    fill: { "[name=title]": "글 {n}", "[role=textbox][contenteditable=true]": "본문" },
    press: "등록",
    goes: /\/board\/free\/View\/\d+/,
  },
  {
    path: "/board/notice/Register/60",
    isSample: true,
    who: "member",
    before: [
      `INSERT OR REPLACE INTO event (item_id, open_date, close_date, role_codes, questions, created_date, modified_date)
        SELECT id, 1, 9000000000000, '[]', '[{"code":"note","name":"묻고 싶은 것","inputType":"text","detail":[],"required":true}]', 1, 1
        FROM board_item WHERE board_code = 'notice' AND item_no = 60`,
      "DELETE FROM event_registration",
    ],
    fill: { "[name='profile.note']": "주차 {n}" },
    press: "신청하기",
    says: /주차 {n}/,
    isOpen: true,
  },
  {
    path: `/Proposal/Write/${CONSOLE_SAMPLE_ID}`,
    isSample: true,
    who: "member",
    before: [
      `INSERT OR REPLACE INTO proposal (id, call_id, user_id, status, created_date, modified_date)
        SELECT '${CONSOLE_SAMPLE_ID}', (SELECT id FROM proposal_call ORDER BY open_date DESC LIMIT 1), user_id, 'draft', 1, 1
        FROM user_key WHERE user_key_code = 'member01'`,
    ],
    fill: { "#title": "연구 {n}", "[name=hasStatement]": true },
    press: "제출",
    says: /소속을 입력해 주십시오/,
  },
  {
    path: "/board/notice/View/59",
    isSample: true,
    who: "member",
    fill: { "[name=content]": "댓글 {n}" },
    press: "등록",
    says: /댓글 {n}/,
    isOpen: true,
  },

  ...readBy(
    "admin",
    "/Admin /Admin/Audit /Admin/Dues /Admin/Deposits /Alumni/Import /Alumni/Addresses /Alumni/Duplicates /Alumni/Undo /Alumni/Bin /board/free/Bin /board/free/Reports /Cohort",
  ),
  { path: "/Admin/Members", who: "admin", isSample: true, ...SEARCH, press: "찾기" },
  {
    path: "/Admin/Boards",
    who: "admin",
    press: "게시판 추가",
    says: /게시판 (?:이름|코드)/,
    isLocal: true,
  },
  { path: "/Admin/QuickLinks", who: "admin", press: "고치기 등록 절차", says: /바로가기 고치기/, isLocal: true },
  {
    path: "/Admin/Site",
    isSample: true,
    who: "admin",
    fill: { '[name="contact.phone"]': "02-000-{n}" },
    press: "저장",
    says: /저장하였습니다/,
  },
];

/** Routes without a row, by reason. */
export const WITHOUT_ROW: Record<string, string> = {
  "account/secondfactor": "asks a person between password and session; test/e2e/account/second-factor.test.ts",
  "account/agreements": "asks a person who has not agreed yet; test/e2e/account/signup.test.ts",
  "account/agreements/:code": "one version of a text beside the next; no form",
  ":product/:page": "the screen of the information pages",
  "mypage/inquiries/:id": "the form of a new inquiry with its answers",
  "board/:boardCode/history/:itemNo": "versions of an item; no form",
  "proposal/view/:id": "a proposal as its applicants read it; test/e2e/proposal/proposal.test.ts",
  "proposal/review/:id": "a proposal with the scores of one reviewer; test/e2e/proposal/proposal.test.ts",
  "ticket/:token": "a ticket of an event, with one button; test/e2e/event/registration.test.ts",
  "alumni/merge": "opened from a pair of duplicates with its people",
  "alumni/print": "opened with chosen people",
};

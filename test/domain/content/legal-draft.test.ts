import { expect, test } from "vitest";
import { type LegalDraftCode, type LegalFacts, writeLegalDraft } from "#worker/domain/content/legal-draft.server.ts";
import { PLACE_TO_FILL } from "#worker/contract/content/rules.ts";
import { cleanHtml } from "#worker/adapters/clean-html.server.ts";

const SCHOOL: LegalFacts = {
  siteName: "한빛고 총동문회",
  organization: "한빛고등학교 총동문회",
  address: "서울특별시 종로구 1",
  phone: "02-0000-0001",
  fax: "",
  email: "office@alumni.example.kr",
  day: "2026. 11. 22.",
  signinKey: "Email",
  signupApproval: true,
  profileFields: [
    { name: "졸업 기수", required: true },
    { name: "직장 <부서>", required: false },
  ],
  alumniFields: ["이름", "기수"],
  retention: [
    { label: "휴지통의 글", since: "삭제한 날", days: 30 },
    { label: "탈퇴한 회원의 남은 정보", since: "탈퇴한 날", days: 0 },
  ],
  requestDays: 10,
  sendsMail: true,
  sendsSms: false,
  hasCaseReport: false,
};
const text = (code: LegalDraftCode, facts: Partial<LegalFacts> = {}) =>
  writeLegalDraft(code, { ...SCHOOL, ...facts }).content;

test("the policy names the sign-up data", () => {
  const policy = text("privacy");
  expect(policy).toContain("<p>한빛고등학교 총동문회는 「개인정보 보호법」");
  expect(policy).toContain("<td>회원가입(필수)</td><td>이메일 주소, 비밀번호, 이름, 졸업 기수</td>");
  expect(policy).toContain("<td>회원가입(선택)</td><td>직장 &#60;부서&#62;</td>");
  expect(policy).toContain("<td>휴지통의 글</td><td>삭제한 날부터 30일</td>");
  expect(policy).toContain("<td>탈퇴한 회원의 남은 정보</td><td>탈퇴한 날 바로</td>");
  expect(policy).toContain("<th>구분</th><th>Cloudflare, Inc.</th><th>Resend(Plus Five Five, Inc.)</th>");
  expect(policy).toContain("10일 안에 조치 결과를");
  expect(policy).toContain("주소록 운영");
  expect(policy).not.toContain("솔라피");
  expect(policy).not.toContain("등록 서비스");
});

test("the policy names only processing that the site does", () => {
  const policy = text("privacy", {
    profileFields: [],
    alumniFields: [],
    sendsMail: false,
    sendsSms: true,
    hasCaseReport: true,
    requestDays: 7,
  });
  expect(policy).not.toContain("회원가입(선택)");
  expect(policy).not.toContain("주소록");
  expect(policy).not.toContain("Resend");
  expect(policy).toContain("<td>솔라피(주식회사 솔라피)</td><td>인증번호와 안내 문자 발송</td>");
  expect(policy).toContain("<tr><th>구분</th><th>Cloudflare, Inc.</th></tr>");
  expect(policy).toContain("외부 등록 서비스로의 연결");
  expect(policy).toContain("7일 안에 조치 결과를");
});

test("the terms state how membership begins", () => {
  expect(text("terms")).toContain("운영자가 신청 내용을 확인하여 승인한 때에 회원이 됩니다.");
  expect(text("terms", { signupApproval: false })).toContain("본인 확인이 끝난 때에 회원이 됩니다.");
  expect(text("terms")).toContain("2026. 11. 22.부터 시행합니다.");
  expect(text("consent")).toContain("<td>선택</td>");
  expect(text("consent", { profileFields: [] })).not.toContain("선택 항목");
  expect(text("consent", { signinKey: "Mobile" })).toContain("휴대전화번호, 비밀번호, 이름");
});

test("only facts unknown to the site are left as placeholders", () => {
  for (const code of ["terms", "privacy", "consent"] as const) {
    expect([code, text(code).includes(PLACE_TO_FILL)]).toEqual([code, code === "privacy"]);
    const plain = (html: string) =>
      html
        .replace(/<[^>]*>/g, "")
        .replace(/&#60;|&lt;/g, "<")
        .replace(/&#62;|&gt;/g, ">");
    expect(plain(cleanHtml(text(code)))).toBe(plain(text(code)));
    expect(text(code)).not.toMatch(/연구망|동문주소록|undefined|null/);
  }
  expect(text("privacy", { address: "", phone: "", email: "" }).split(PLACE_TO_FILL)).toHaveLength(3);
});

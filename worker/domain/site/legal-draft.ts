import { withParticle } from "#worker/contract/kernel/particles.ts";
import { PLACE_TO_FILL } from "#worker/contract/content/rules.ts";
import type { RetentionSetting, LegalDraftCode } from "#worker/contract/site/setup-rules.ts";
import { formatCount } from "#worker/contract/kernel/format-count.ts";

export interface LegalFacts {
  siteName: string;
  organization: string;
  address: string;
  phone: string;
  email: string;
  day: string;
  signinKey: "Id" | "Email" | "Mobile";
  signupApproval: boolean;
  profileFields: readonly { name: string; required: boolean }[];
  alumniFields: readonly string[];
  retention: readonly RetentionSetting[];
  requestDays: number;
  sendsMail: boolean;
  sendsSms: boolean;
  hasCaseReport: boolean;
}

export interface LegalDraft {
  title: string;
  content: string;
}

const KEY_FIELDS = {
  Id: ["아이디", "비밀번호", "이름", "이메일 주소"],
  Email: ["이메일 주소", "비밀번호", "이름"],
  Mobile: ["휴대전화번호", "비밀번호", "이름"],
} as const;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** Placeholder that the office must fill before publication. */
const toFill = (what: string) => `${PLACE_TO_FILL} ${what}〕`;
const list = (items: readonly string[]) => `<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table>\n<thead>\n<tr>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr>\n</thead>\n<tbody>\n${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("\n")}\n</tbody>\n</table>`;

function readFacts(facts: LegalFacts) {
  const name = escapeHtml(facts.organization || facts.siteName);
  const names = (required: boolean) =>
    facts.profileFields.filter((field) => field.required === required).map((field) => escapeHtml(field.name));
  const contact = [facts.address, facts.phone, facts.email].filter(Boolean).map(escapeHtml).join(", ");
  return {
    name,
    required: [...KEY_FIELDS[facts.signinKey], ...names(true)],
    optional: names(false),
    alumni: facts.alumniFields.map(escapeHtml),
    contact: contact || toFill("주소, 전화, 이메일"),
  };
}

function writeTerms(facts: LegalFacts): string {
  const { name } = readFacts(facts);
  const site = escapeHtml(facts.siteName);
  return `<h2>제1조(목적)</h2>
<p>이 약관은 ${withParticle(name, "이/가")} 운영하는 ‘${site}’ 홈페이지(이하 ‘홈페이지’라 합니다)를 이용하는 조건과 절차, 운영자와 회원의 권리와 의무를 정하는 것을 목적으로 합니다.</p>
<h2>제2조(약관의 효력과 변경)</h2>
<p>이 약관은 ${facts.day}부터 시행합니다. 약관을 바꿀 때에는 시행일 7일 전까지, 회원에게 불리한 변경은 30일 전까지 홈페이지와 이메일로 알립니다. 회원은 바뀐 약관에 동의하지 않으면 탈퇴할 수 있습니다.</p>
<h2>제3조(회원가입)</h2>
<ol>
<li>이용자는 이 약관과 개인정보의 수집·이용에 동의하고 가입을 신청합니다.</li>
<li>${
    facts.signupApproval
      ? "운영자가 신청 내용을 확인하여 승인한 때에 회원이 됩니다."
      : "신청을 마치고 본인 확인이 끝난 때에 회원이 됩니다."
  }</li>
<li>다른 사람의 이름이나 연락처를 쓰거나 사실과 다른 내용을 적은 신청은 승인하지 않거나 나중에 취소할 수 있습니다.</li>
<li>만 14세 미만은 가입할 수 없습니다.</li>
</ol>
<h2>제4조(회원정보의 관리)</h2>
<p>회원은 마이페이지에서 자기 정보를 언제든지 보고 고칠 수 있습니다. 비밀번호는 회원이 관리하며, 다른 사람에게 알려 주거나 함께 써서는 안 됩니다.</p>
<h2>제5조(서비스)</h2>
<p>운영자는 게시판과 자료실, ${facts.alumniFields.length > 0 ? "주소록, " : ""}안내 페이지${
    facts.hasCaseReport ? ", 외부 등록 서비스로의 연결" : ""
  }을 제공합니다. 점검이나 장애로 서비스를 멈출 때에는 홈페이지에 알립니다.</p>
<h2>제6조(회원의 의무)</h2>
<p>회원은 다음의 일을 하여서는 안 됩니다.</p>
${list([
  "다른 사람의 개인정보를 허락 없이 올리거나 주소록에서 얻은 연락처를 다른 목적으로 쓰는 일",
  "다른 사람의 저작권과 명예를 해치는 글을 올리는 일",
  "홈페이지의 운영을 방해하거나 허락받지 않은 방법으로 자료를 모으는 일",
])}
<h2>제7조(게시물)</h2>
<p>게시물의 저작권은 작성자에게 있습니다. 운영자는 법령이나 이 약관을 어긴 게시물을 숨기거나 삭제할 수 있으며, 그 이유를 작성자에게 알립니다.</p>
<h2>제8조(탈퇴와 이용 제한)</h2>
<p>회원은 마이페이지에서 언제든지 탈퇴할 수 있습니다. 운영자는 이 약관을 어긴 회원의 이용을 제한할 수 있고, 회원은 이의를 제기할 수 있습니다.</p>
<h2>제9조(책임과 관할)</h2>
<p>운영자는 천재지변처럼 어쩔 수 없는 사유로 서비스를 제공하지 못한 데에는 책임을 지지 않습니다. 분쟁에는 대한민국 법을 적용하고, 「민사소송법」에 따른 법원을 관할로 합니다.</p>
<h2>부칙</h2>
<p>이 약관은 ${facts.day}부터 시행합니다.</p>`;
}

const collectionRows = (facts: LegalFacts): string[][] => {
  const { required, optional } = readFacts(facts);
  return [
    ["필수", "회원 식별, 본인 확인, 업무 연락, 부정 이용 방지", required.join(", "), "회원 탈퇴 시까지"],
    ...(optional.length > 0
      ? [["선택", "회원 구성 파악과 안내", optional.join(", "), "회원 탈퇴 시 또는 삭제할 때까지"]]
      : []),
  ];
};

function writeConsent(facts: LegalFacts): string {
  const { name, optional } = readFacts(facts);
  return `<p>${withParticle(name, "은/는")} 「개인정보 보호법」 제15조에 따라 회원가입에 필요한 개인정보를 아래와 같이 수집·이용합니다.</p>
${table(["구분", "수집·이용 목적", "수집 항목", "보유·이용 기간"], collectionRows(facts))}
${optional.length > 0 ? "<p>선택 항목은 적지 않으셔도 가입과 이용에 제한이 없습니다.</p>\n" : ""}<p><strong>동의를 거부할 권리</strong>: 동의하지 않으실 수 있습니다. 다만 필수 항목은 회원 관리에 꼭 필요하므로, 동의하지 않으시면 회원가입을 하실 수 없습니다.</p>
<p>주민등록번호는 수집하지 않습니다. 자세한 내용은 <a href="/privacy">개인정보 처리방침</a>에서 확인하실 수 있습니다.</p>`;
}

function processors(facts: LegalFacts) {
  return [
    {
      name: "Cloudflare, Inc.",
      work: "홈페이지의 서버·데이터베이스·파일 저장소 운영, 접속 보안",
      contact: "privacyquestions@cloudflare.com",
      items: "제2항의 모든 항목",
      country: "미국과 Cloudflare의 데이터센터가 있는 국가",
      isAbroad: true,
    },
    ...(facts.sendsMail
      ? [
          {
            name: "Resend(Plus Five Five, Inc.)",
            work: "인증번호와 안내 이메일 발송",
            contact: "resend.com/legal/privacy-policy",
            items: "이름, 이메일 주소, 이메일의 내용",
            country: "미국",
            isAbroad: true,
          },
        ]
      : []),
    ...(facts.sendsSms
      ? [
          {
            name: "솔라피(주식회사 솔라피)",
            work: "인증번호와 안내 문자 발송",
            contact: "",
            items: "휴대전화번호, 문자의 내용",
            country: "",
            isAbroad: false,
          },
        ]
      : []),
  ];
}

function writePrivacyPolicy(facts: LegalFacts): string {
  const { name, required, optional, alumni, contact } = readFacts(facts);
  const given = processors(facts);
  const abroad = given.filter(({ isAbroad }) => isAbroad);
  const field = (label: string, read: (one: (typeof abroad)[number]) => string) => [label, ...abroad.map(read)];
  return `<p>${withParticle(name, "은/는")} 「개인정보 보호법」 제30조에 따라 정보주체의 개인정보를 보호하고 이와 관련한 고충을 신속하게 처리하기 위하여 다음과 같이 개인정보 처리방침을 정하여 공개합니다. 이 처리방침은 ${facts.day}부터 적용합니다.</p>
<h2>1. 개인정보의 처리 목적</h2>
${list([
  "회원 관리: 가입 의사와 본인 확인, 회원 자격 관리, 부정 이용 방지, 고지와 통지",
  "서비스 제공: 게시판과 자료실의 운영, 권한 확인",
  ...(alumni.length > 0 ? ["주소록 운영: 구성원 사이의 교류와 연락"] : []),
  ...(facts.hasCaseReport ? ["외부 등록 서비스로의 연결: 접근 권한의 확인"] : []),
  "문의와 고충 처리: 문의하신 분의 확인과 결과 통보",
])}
<h2>2. 처리하는 개인정보의 항목</h2>
${table(
  ["구분", "항목", "수집 방법"],
  [
    ["회원가입(필수)", required.join(", "), "회원가입 화면"],
    ...(optional.length > 0 ? [["회원가입(선택)", optional.join(", "), "회원가입 화면, 마이페이지"]] : []),
    ["본인 확인", "이메일 주소 또는 휴대전화번호, 인증번호 확인 기록", "인증번호 발송"],
    ...(alumni.length > 0 ? [["주소록", alumni.join(", "), "본인 제출, 명부 제출"]] : []),
    ["자동 생성", "접속 일시, 접속 주소(IP), 브라우저 종류, 이용 기록", "서비스 이용 과정에서 생성"],
  ],
)}
<p>주민등록번호 등 고유식별정보와 민감정보는 수집하지 않습니다.</p>
<h2>3. 개인정보의 처리 및 보유 기간</h2>
${table(
  ["정보", "보유 기간"],
  [
    ["회원정보", "회원 탈퇴 시까지"],
    ...(alumni.length > 0 ? [["주소록", "본인이 삭제를 요청하거나 이용 목적이 끝날 때까지"]] : []),
    ...facts.retention.map(({ label, since, days }) => [
      label,
      days === 0 ? `${since} 바로` : `${since}부터 ${formatCount(days)}일`,
    ]),
    ["장애 복구용 자료", "최대 36일"],
  ],
)}
<h2>4. 개인정보의 파기 절차 및 방법</h2>
<p>보유 기간이 지나거나 처리 목적을 이룬 개인정보는 지체 없이 파기하고 그 사실을 파기 대장에 적습니다. 전자 파일은 되살릴 수 없도록 삭제하고, 종이 문서는 분쇄하거나 소각합니다. 장애 복구용 자료에 남은 정보는 제3항의 기간이 지나면 사라집니다.</p>
<h2>5. 개인정보의 제3자 제공</h2>
<p>정보주체의 동의나 법률의 특별한 규정이 있는 경우가 아니면 개인정보를 제3자에게 제공하지 않습니다.${
    facts.hasCaseReport
      ? " 회원이 외부 등록 서비스로 이동하는 것을 선택한 때에는 접속 확인을 위하여 회원의 식별자와 이름을 그 서비스에 전달합니다."
      : ""
  }</p>
<h2>6. 개인정보의 처리위탁</h2>
${table(
  ["수탁자", "위탁 업무"],
  given.map((one) => [one.name, one.work]),
)}
<h2>7. 개인정보의 국외 이전</h2>
<p>서비스 제공을 위한 처리위탁과 보관을 위하여 「개인정보 보호법」 제28조의8제1항제3호에 따라 다음과 같이 개인정보를 국외로 이전합니다.</p>
${table(
  field("구분", (one) => one.name),
  [
    field("연락처", (one) => one.contact),
    field("이전되는 항목", (one) => one.items),
    field("이전되는 국가", (one) => one.country),
    field("이전 시기와 방법", () => "서비스를 이용할 때 암호화된 통신망으로 전송"),
    field("이용 목적", (one) => one.work),
    field("보유·이용 기간", () => "제3항의 보유 기간 또는 위탁 계약 종료 시까지"),
  ],
)}
<p>국외 이전을 원하지 않으시면 회원가입을 하지 않으시거나 탈퇴하실 수 있습니다. 다만 홈페이지의 운영에 꼭 필요한 이전이므로, 거부하시면 회원 서비스를 이용하실 수 없습니다.</p>
<h2>8. 정보주체의 권리·의무 및 행사 방법</h2>
<p>정보주체는 언제든지 개인정보의 열람, 정정, 삭제, 처리정지와 동의 철회를 요구할 수 있으며, ${withParticle(name, "은/는")} ${facts.requestDays}일 안에 조치 결과를 알려 드립니다. 회원은 <a href="/Mypage">마이페이지</a>에서 자기 정보를 직접 보고 고치거나 탈퇴하실 수 있습니다. 권리는 법정대리인이나 위임을 받은 사람을 통하여 행사하실 수도 있습니다.</p>
<h2>9. 개인정보 자동 수집 장치</h2>
<p>로그인 상태를 유지하기 위하여 쿠키와 브라우저의 로컬 저장소를 사용합니다. 광고나 행태정보 수집을 위한 장치는 사용하지 않습니다. 브라우저 설정에서 저장을 거부하실 수 있으나, 로그인이 필요한 서비스를 이용하기 어렵습니다.</p>
<h2>10. 개인정보의 안전성 확보조치</h2>
${list([
  "관리적 조치: 개인정보 취급자의 최소화, 접근 권한의 부여·변경·말소 기록 관리",
  "기술적 조치: 비밀번호의 일방향 암호화, 통신 구간의 암호화, 관리자의 2단계 인증, 로그인 시도 횟수 제한, 접속 기록의 보관, 내려받기 사유 확인",
])}
<h2>11. 개인정보 보호책임자</h2>
${table(["구분", "성명과 직위", "연락처"], [["개인정보 보호책임자", toFill("성명과 직위"), contact]])}
<h2>12. 권익침해 구제</h2>
${list([
  '개인정보분쟁조정위원회: 국번 없이 1833-6972, <a href="https://www.kopico.go.kr">www.kopico.go.kr</a>',
  '개인정보침해 신고센터: 국번 없이 118, <a href="https://privacy.kisa.or.kr">privacy.kisa.or.kr</a>',
  '대검찰청: 국번 없이 1301, <a href="https://www.spo.go.kr">www.spo.go.kr</a>',
  '경찰청: 국번 없이 182, <a href="https://ecrm.police.go.kr">ecrm.police.go.kr</a>',
])}
<h2>13. 처리방침의 변경</h2>
<p>이 처리방침을 바꾸는 경우 시행하기 7일 전부터 홈페이지에 알리며, 수집 항목이나 이용 목적처럼 중요한 내용이 바뀌면 30일 전에 알립니다.</p>`;
}

const WRITERS: Record<LegalDraftCode, { title: string; write: (facts: LegalFacts) => string }> = {
  terms: { title: "이용약관", write: writeTerms },
  privacy: { title: "개인정보 처리방침", write: writePrivacyPolicy },
  consent: { title: "개인정보 수집·이용 동의", write: writeConsent },
};

/** Drafts a legal text from the site's configuration, for review. */
export function writeLegalDraft(code: LegalDraftCode, facts: LegalFacts): LegalDraft {
  const { title, write } = WRITERS[code];
  return { title, content: write(facts) };
}

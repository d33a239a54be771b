import type { DemoAgreement } from "./types.ts";
import { termsContent } from "./agreements-terms.ts";

export const demoAgreements: DemoAgreement[] = [
  {
    code: "terms",
    title: "이용약관",
    required: true,
    version: "2026-01",
    effectiveDate: "2026-01-02",
    content: termsContent,
  },
  {
    code: "privacy",
    title: "개인정보 수집·이용 동의",
    required: true,
    version: "2026-01",
    effectiveDate: "2026-01-02",
    content: `<p>한국면역결핍질환연구망은 「개인정보 보호법」 제15조에 따라 회원가입에 필요한 개인정보를 아래와 같이 수집·이용합니다. 내용을 읽으신 뒤 동의 여부를 정해 주십시오.</p>
<table>
<thead>
<tr><th>구분</th><th>수집·이용 목적</th><th>수집 항목</th><th>보유·이용 기간</th></tr>
</thead>
<tbody>
<tr><td>필수</td><td>회원 식별, 본인 확인, 부정 이용 방지</td><td>아이디, 비밀번호, 이름, 이메일 주소</td><td>회원 탈퇴 시까지</td></tr>
<tr><td>필수</td><td>회원 자격 확인, 업무 연락과 문의 처리</td><td>소속 기관, 전공 분야, 연락처, 회원 구분</td><td>회원 탈퇴 시까지</td></tr>
<tr><td>선택</td><td>회원 구성 파악, 관심 분야에 맞는 행사 기획</td><td>진료과·부서, 관심 연구 분야</td><td>회원 탈퇴 시 또는 삭제할 때까지</td></tr>
<tr><td>자동 수집</td><td>보안 사고 예방, 접속 통계 작성</td><td>접속 일시, 접속 주소(IP), 브라우저 종류, 이용 기록</td><td>1년</td></tr>
</tbody>
</table>
<p>선택 항목은 적지 않으셔도 회원가입과 서비스 이용에 제한이 없습니다.</p>
<p><strong>동의를 거부할 권리</strong>: 귀하는 개인정보의 수집·이용에 동의하지 않으실 수 있습니다. 다만 필수 항목은 회원 관리에 꼭 필요하므로, 동의하지 않으시면 회원가입을 하실 수 없습니다. 이 경우에도 회원가입이 필요 없는 공개 서비스는 그대로 이용하실 수 있습니다.</p>
<p>주민등록번호는 수집하지 않습니다. 자세한 내용은 <a href="/privacy">개인정보 처리방침</a>에서 확인하실 수 있습니다.</p>`,
  },
  {
    code: "age",
    title: "만 14세 이상입니다",
    required: true,
    version: "2026-01",
    effectiveDate: "2026-01-02",
    content: `<p>본인은 만 14세 이상임을 확인합니다. 만 14세 미만인 분은 회원으로 가입하실 수 없으며, 사실과 다르게 확인하신 것이 밝혀지면 가입이 취소되고 입력하신 정보는 지체 없이 파기됩니다.</p>`,
  },
  {
    code: "newsletter",
    title: "소식지 이메일 수신 동의",
    required: false,
    version: "2026-01",
    effectiveDate: "2026-01-02",
    content: `<p>연구망의 소식지와 행사·교육 안내를 이메일로 받아 보시는 데 대한 선택 동의입니다.</p>
<table>
<thead>
<tr><th>이용 목적</th><th>이용 항목</th><th>보유·이용 기간</th></tr>
</thead>
<tbody>
<tr><td>계간 소식지 발송(연 4회), 심포지엄·교육·공모 안내</td><td>이름, 이메일 주소</td><td>수신 동의를 철회하거나 탈퇴할 때까지</td></tr>
</tbody>
</table>
<p>동의하지 않으셔도 회원가입과 서비스 이용에는 아무런 불이익이 없습니다. 동의하신 뒤에도 마이페이지나 이메일 아래쪽의 ‘수신 거부’를 통하여 언제든지 무료로 철회하실 수 있습니다. 수신 동의 여부는 2년마다 다시 확인해 드립니다.</p>
<p>비밀번호 재설정이나 약관 변경 안내처럼 서비스 이용에 꼭 필요한 이메일은 이 동의와 관계없이 보내 드립니다.</p>`,
  },
];

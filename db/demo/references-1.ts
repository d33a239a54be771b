import type { DemoItem } from "./types.ts";

export const referencesPart1: DemoItem[] = [
  {
    title: "2026년 3분기 등록 현황 보고서",
    category: "통계",
    hoursAgo: 20,
    showItemToMain: true,
    viewCount: 87,
    writer: "admin",
    content: `<p>2026년 7월부터 9월까지의 등록 현황을 정리한 분기 보고서입니다. 이 기간에 97명이 새로 등록되어 9월 말 누적 등록 환자는 1,839명입니다.</p>
<p>보고서에는 권역별·질환군별 등록 수, 추적 방문 이행률, 자료 완성률을 실었습니다. 5명 미만인 칸은 재식별을 막기 위하여 ‘*’로 표시하였습니다.</p>
<p>같은 내용을 표로 편집할 수 있도록 엑셀 파일도 함께 올립니다.</p>`,
    files: [
      { fileName: "2026년 3분기 등록 현황 보고서.pdf", kind: "pdf" },
      { fileName: "2026년 3분기 통계표.xlsx", kind: "xlsx" },
    ],
  },
  {
    title: "2027년도 연구제안서 양식과 작성 예시",
    category: "서식",
    hoursAgo: 119,
    showItemToMain: true,
    viewCount: 174,
    writer: "admin",
    content: `<p>2027년도 신규 연구과제 공모에 쓰는 제안서 양식입니다. 지난해 심사에서 자주 지적된 항목에는 작성 요령을 파란 글씨로 적어 두었으니 제출하기 전에 지워 주십시오.</p>
<ul>
<li>연구제안서(자유·지정 과제용)</li>
<li>연구제안서(신진 과제용, 8쪽 이내)</li>
<li>연구비 산정표</li>
</ul>
<p>작성 예시는 실제 선정된 과제를 바탕으로 하되 책임자의 동의를 얻어 일부 내용을 바꾼 것입니다.</p>`,
    files: [
      { fileName: "2027 연구제안서 양식 모음.zip", kind: "zip" },
      { fileName: "연구제안서 작성 예시.pdf", kind: "pdf" },
    ],
  },
  {
    title: "검체 항공 운송 실습 자료(호남·제주권 워크숍)",
    category: "교육자료",
    hoursAgo: 283,
    showItemToMain: true,
    viewCount: 96,
    writer: 16,
    content: `<p>11월 6일 합동 워크숍 오후 실습에서 사용한 자료입니다. 강의에 쓴 발표 파일과 포장 단계별 사진을 묶어 올립니다.</p>
<p>실습 때 나온 질문 가운데 두 가지를 덧붙입니다. 첫째, 드라이아이스를 쓰는 상자는 완전히 밀봉하면 안 됩니다. 둘째, 공항 위탁 마감은 출발 두 시간 전이므로 채혈 시간을 거꾸로 계산하여 잡아야 합니다.</p>`,
    files: [
      { fileName: "검체 항공 운송 실습(발표자료).pdf", kind: "pdf" },
      { fileName: "포장 단계별 사진.zip", kind: "zip" },
    ],
  },
  {
    title: "[논문] X-연관 무감마글로불린혈증 성인 환자의 장기 예후: 다기관 등록 연구",
    category: "논문",
    hoursAgo: 576,
    showItemToMain: true,
    viewCount: 143,
    writer: 1,
    content: `<p>2025년도 연구망 과제(2025-01)의 결과 논문이 연구망 학술지 『면역결핍과 등록연구』 제4권 제2호에 실렸습니다.</p>
<h2>초록</h2>
<p><strong>배경</strong> 소아기에 진단된 X-연관 무감마글로불린혈증 환자가 성인이 된 뒤 어떤 경과를 보이는지에 관한 국내 자료는 부족합니다.</p>
<p><strong>방법</strong> 연구망에 등록된 만 18세 이상 환자 61명의 폐기능, 감염 횟수, 혈청 면역글로불린 G 최저 농도를 후향적으로 분석하였습니다.</p>
<p><strong>결과</strong> 추적 기간의 중앙값은 9.4년이었고, 진단이 늦었던 환자에서 기관지확장증이 더 많았습니다. 최저 농도를 800mg/dL 이상으로 유지한 기간이 길수록 폐렴으로 입원한 횟수가 적었습니다.</p>
<p><strong>결론</strong> 조기 진단과 충분한 보충요법이 성인기 폐 합병증을 줄이는 데 도움이 될 수 있습니다.</p>
<p><em>위 자료는 연구망 회원의 학술 목적으로만 이용하실 수 있습니다.</em></p>`,
    files: [{ fileName: "XLA 성인 환자 장기 예후 논문.pdf", kind: "pdf" }],
  },
  {
    title: "증례기록서 v3.2 작성 지침",
    category: "지침",
    hoursAgo: 769,
    showItemToMain: true,
    viewCount: 512,
    writer: "admin",
    content: `<p>증례기록서 v3.2의 모든 항목에 대하여 입력 값의 뜻과 근거 자료, 자주 틀리는 예를 설명한 지침입니다. 전체 138쪽이며 항목 번호로 찾으실 수 있습니다.</p>
<h2>먼저 읽으면 좋은 부분</h2>
<ul>
<li>12쪽: 날짜를 일부만 알 때 입력하는 방법</li>
<li>47쪽: 면역글로불린 투여 경로와 장소</li>
<li>83쪽: 유전자 변이 표준 표기법</li>
<li>부록 2: 검사 단위 환산표</li>
</ul>
<p>지침을 고치면 첫 쪽의 개정 이력에 날짜와 내용을 적습니다. 현재 파일은 10월 20일판입니다.</p>`,
    files: [
      { fileName: "증례기록서 v3.2 작성 지침(20261020).pdf", kind: "pdf" },
      { fileName: "검사 단위 환산표.xlsx", kind: "xlsx" },
      { fileName: "빠른 참조 카드.pdf", kind: "pdf" },
    ],
    comments: [
      {
        by: 14,
        content: "83쪽 표의 두 번째 예시에서 엑손 번호가 본문과 다릅니다.",
        hoursAfter: 53,
        replies: [{ by: "admin", content: "알려 주셔서 감사합니다. 확인하여 다음 판에 바로잡겠습니다." }],
      },
    ],
  },
  {
    title: "감염 원인균 코드 목록(126종)",
    category: "서식",
    hoursAgo: 786,
    showItemToMain: true,
    viewCount: 231,
    writer: "admin",
    content: `<p>증례기록서 v3.2에 쓰이는 감염 원인균 코드 목록입니다. 세균 61종, 바이러스 29종, 진균 22종, 마이코박테리아 8종, 기생충 6종으로 나누어 정리하였습니다.</p>
<p>목록에 없는 균은 ‘기타’를 고른 뒤 학명을 입력해 주십시오. 같은 균이 10회 이상 입력되면 다음 개정 때 코드를 새로 부여합니다.</p>`,
    files: [{ fileName: "감염 원인균 코드 목록.xlsx", kind: "xlsx" }],
  },
  {
    title: "피하 면역글로불린 가정 투여 안내서(환자·보호자용)",
    category: "교육자료",
    hoursAgo: 1076,
    showItemToMain: true,
    viewCount: 368,
    writer: 11,
    content: `<p>강원권역센터에서 3년 동안 교육하며 다듬은 안내서입니다. 그림을 크게 넣었고, 어르신도 읽기 쉽도록 글자를 키운 판을 따로 만들었습니다.</p>
<ol>
<li>준비물과 손 씻기</li>
<li>약을 꺼내어 실온에 두는 시간</li>
<li>주사 부위를 고르고 돌아가며 쓰는 방법</li>
<li>투여 중에 살펴볼 증상</li>
<li>기록장 쓰기와 남은 물품 버리기</li>
</ol>
<p>안내서는 교육을 받은 분이 집에서 다시 확인하도록 만든 자료입니다. 교육을 받지 않고 안내서만 보고 투여하시면 안 됩니다. 제품마다 투여 속도가 다르므로 담당 의료진의 처방을 따라 주십시오.</p>`,
    files: [
      { fileName: "피하 면역글로불린 가정 투여 안내서.pdf", kind: "pdf" },
      { fileName: "피하 면역글로불린 안내서(큰글자).pdf", kind: "pdf" },
      { fileName: "투여 기록장.xlsx", kind: "xlsx" },
    ],
  },
  {
    title: "등록자료의 개인정보 보호 및 반출 지침",
    category: "지침",
    hoursAgo: 1439,
    showItemToMain: true,
    viewCount: 187,
    writer: "admin",
    content: `<p>연구자가 등록자료를 받아 분석하고 결과를 밖으로 가져갈 때 지켜야 할 사항을 정리한 지침입니다. 2026년 10월 1일부터 모든 신규 자료 제공에 적용합니다.</p>
<table>
<thead>
<tr><th>자료 유형</th><th>제공 방식</th><th>반출 심사</th></tr>
</thead>
<tbody>
<tr><td>공개 통계</td><td>홈페이지 내려받기</td><td>필요 없음</td></tr>
<tr><td>가명처리 자료</td><td>지정 분석 환경에서 열람</td><td>결과표만 심사 후 반출</td></tr>
<tr><td>유전체 원자료</td><td>서울권역센터 분석실 방문</td><td>자료 반출 불가, 결과만 심사</td></tr>
</tbody>
</table>
<p>결과표의 모든 칸은 5명 이상이어야 하며, 최솟값과 최댓값처럼 한 사람을 가리킬 수 있는 값은 반출할 수 없습니다. 심사는 영업일로 사흘 안에 마칩니다.</p>`,
    files: [
      { fileName: "개인정보 보호 및 자료 반출 지침.pdf", kind: "pdf" },
      { fileName: "결과 반출 신청서.hwp", kind: "hwp" },
    ],
  },
  {
    title: "2026년 상반기 질환군별 등록 현황",
    category: "통계",
    hoursAgo: 1772,
    showItemToMain: true,
    viewCount: 276,
    writer: "admin",
    content: `<p>2026년 6월 말 기준 누적 등록 환자 1,742명을 질환군별로 나눈 결과입니다.</p>
<table>
<thead>
<tr><th>질환군</th><th>환자 수(명)</th><th>비율(%)</th><th>18세 이상(명)</th></tr>
</thead>
<tbody>
<tr><td>항체결핍</td><td>742</td><td>42.6</td><td>389</td></tr>
<tr><td>증후군을 동반한 복합면역결핍</td><td>248</td><td>14.2</td><td>71</td></tr>
<tr><td>복합면역결핍</td><td>231</td><td>13.3</td><td>44</td></tr>
<tr><td>식세포 이상</td><td>189</td><td>10.8</td><td>68</td></tr>
<tr><td>면역조절 이상</td><td>176</td><td>10.1</td><td>62</td></tr>
<tr><td>자가염증 질환</td><td>61</td><td>3.5</td><td>23</td></tr>
<tr><td>선천면역 결함</td><td>52</td><td>3.0</td><td>15</td></tr>
<tr><td>보체 결핍</td><td>25</td><td>1.4</td><td>14</td></tr>
<tr><td>골수부전</td><td>11</td><td>0.6</td><td>*</td></tr>
<tr><td>미분류</td><td>7</td><td>0.4</td><td>*</td></tr>
<tr><td>합계</td><td>1,742</td><td>100.0</td><td>691</td></tr>
</tbody>
</table>
<p>비율은 반올림하였으므로 더한 값이 100과 조금 다를 수 있습니다. ‘*’는 5명 미만을 뜻하며, 합계에는 포함되어 있습니다.</p>`,
    files: [{ fileName: "2026년 상반기 질환군별 등록 현황.xlsx", kind: "xlsx" }],
  },
  {
    title: "연구대상자 설명문 및 동의서 표준안(4종)",
    category: "서식",
    hoursAgo: 1962,
    showItemToMain: true,
    viewCount: 329,
    writer: "admin",
    content: `<p>권역센터와 협력 기관이 함께 쓰는 설명문과 동의서의 표준안입니다. 중앙 심의를 거친 2026년 8월판이며, 이전 판은 10월 1일부터 사용하실 수 없습니다.</p>
<ul>
<li>성인용</li>
<li>법정대리인용</li>
<li>청소년용(만 13~18세)</li>
<li>어린이용(만 7~12세, 그림 포함)</li>
</ul>
<p>등록 당시 미성년이던 연구대상자가 만 19세가 되면 성인용 동의서로 다시 동의를 받아야 합니다. 기관 이름과 연구책임자, 연락처만 고치고 본문은 바꾸지 말아 주십시오. 본문을 바꾸려면 기관 생명윤리위원회의 승인이 필요합니다.</p>`,
    files: [{ fileName: "설명문 및 동의서 표준안 4종(2026년 8월판).zip", kind: "zip" }],
  },
];

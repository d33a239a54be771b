import type { DemoItem } from "./types.ts";

export const referencesPart3: DemoItem[] = [
  {
    title: "2025년 동계 심포지엄 발표 자료",
    category: "교육자료",
    hoursAgo: 7986,
    viewCount: 387,
    writer: "admin",
    content: `<p>‘소아에서 성인으로, 끊기지 않는 진료’를 주제로 열린 2025년 동계 심포지엄의 발표 자료입니다. 연자 열 분 가운데 일곱 분이 공개에 동의하셨습니다.</p>
<p>미발표 자료가 포함된 쪽은 연자의 요청에 따라 빼고 올렸습니다.</p>`,
    files: [{ fileName: "2025 동계 심포지엄 발표 자료.zip", kind: "zip" }],
  },
  {
    title: "[논문] 면역결핍을 동반한 자가면역 혈구감소증의 치료 반응",
    category: "논문",
    hoursAgo: 8617,
    viewCount: 109,
    writer: 18,
    content: `<p>경남권역센터를 비롯한 일곱 기관의 환자 37명을 분석한 논문을 소개합니다. 혈구감소증이 면역결핍 진단보다 먼저 나타난 환자가 22명(59%)이었고, 이들의 진단은 평균 31개월 늦어졌습니다.</p>
<p>저자들은 치료에 잘 반응하지 않거나 두 계열 이상의 혈구가 함께 줄어든 소아에서 면역글로불린 농도와 림프구 아형을 함께 검사하도록 제안하였습니다.</p>`,
    files: [{ fileName: "자가면역 혈구감소증 치료 반응 논문.pdf", kind: "pdf" }],
  },
  {
    title: "2025년 유세포분석 비교 시험 결과 보고서",
    category: "통계",
    hoursAgo: 9263,
    viewCount: 156,
    writer: "admin",
    content: `<p>권역센터 검사실 열네 곳이 참여한 2025년 유세포분석 비교 시험의 결과입니다. 같은 검체를 나누어 측정한 뒤 기관 사이의 변동계수를 비교하였습니다.</p>
<table>
<thead>
<tr><th>항목</th><th>2024년 변동계수(%)</th><th>2025년 변동계수(%)</th></tr>
</thead>
<tbody>
<tr><td>CD3 양성 T세포</td><td>4.8</td><td>3.9</td></tr>
<tr><td>CD19 양성 B세포</td><td>7.6</td><td>6.1</td></tr>
<tr><td>전환 기억 B세포</td><td>21.3</td><td>15.7</td></tr>
<tr><td>미접촉 CD4 T세포</td><td>13.9</td><td>11.2</td></tr>
</tbody>
</table>
<p>기관별 결과는 번호로만 표시하였으며, 자기 기관의 번호는 검사 책임자께 따로 알려 드렸습니다.</p>`,
    files: [{ fileName: "2025년 비교 시험 결과 보고서.pdf", kind: "pdf" }],
  },
  {
    title: "2024년도 연차보고서",
    category: "통계",
    hoursAgo: 10460,
    viewCount: 516,
    writer: "admin",
    content: `<p>2024년도 연차보고서 전문과 통계표입니다. 그림을 발표에 옮겨 쓰실 수 있도록 원본 그림 파일도 함께 묶었습니다.</p>
<p>보고서 58쪽 표 4-7의 합계에 오류가 있어 9월 18일에 바로잡은 파일로 교체하였습니다. 그 전에 받으신 분은 다시 내려받아 주시기 바랍니다.</p>`,
    files: [
      { fileName: "2024년도 연차보고서(정정).pdf", kind: "pdf" },
      { fileName: "2024년도 연차보고서 그림 모음.zip", kind: "zip" },
    ],
  },
  {
    title: "진료 의뢰서·회송서 공동 양식(영남권)",
    category: "서식",
    hoursAgo: 11136,
    viewCount: 178,
    writer: 25,
    content: `<p>7월 영남권 워크숍에서 확정한 의뢰서와 회송서 양식입니다. 다섯 센터가 8월부터 함께 쓰고 있으며, 다른 권역에서 고쳐 쓰셔도 됩니다.</p>
<p>의뢰서는 한 쪽에 맞추었고 검사 결과지는 따로 붙이도록 하였습니다. 회송서에는 ‘다음 진료 전에 지역 병원에서 해 주셨으면 하는 일’ 칸을 두었습니다.</p>`,
    files: [
      { fileName: "진료 의뢰서(공동).hwp", kind: "hwp" },
      { fileName: "진료 회송서(공동).hwp", kind: "hwp" },
    ],
  },
  {
    title: "신생아 선별검사 재검 환아의 진료 흐름 지침",
    category: "지침",
    hoursAgo: 11805,
    viewCount: 302,
    writer: 2,
    content: `<p>선별검사에서 T세포 수용체 절제환(TREC)이 낮게 나온 아기를 어떻게 진료할지 단계별로 정리하였습니다.</p>
<ol>
<li>결과 통보 당일: 보호자에게 전화로 설명하고 진료일을 잡습니다.</li>
<li>48시간 안: 전혈구 계산과 림프구 아형검사를 시행합니다.</li>
<li>결과 확인 전까지: 로타바이러스 백신과 BCG 접종을 미룹니다.</li>
<li>T세포가 뚜렷이 낮은 경우: 보호 격리와 함께 이식 센터에 연락합니다.</li>
</ol>
<p>미숙아와 심장 수술을 받은 아기에서는 일시적으로 낮게 나올 수 있으므로 재검 시점을 따로 적었습니다. 보호자에게 드리는 설명서 양식은 부록에 있습니다.</p>`,
    files: [
      { fileName: "선별검사 재검 환아 진료 흐름도.pdf", kind: "pdf" },
      { fileName: "보호자 설명서.docx", kind: "docx" },
    ],
  },
  {
    title: "[논문] 건강보험 자료를 이용한 항체결핍 환자의 조작적 정의 개발",
    category: "논문",
    hoursAgo: 12809,
    viewCount: 97,
    writer: 20,
    content: `<p>등록자료와 진료비 청구 자료를 견주어 항체결핍 환자를 가려내는 조작적 정의를 만들고 타당도를 확인한 연구입니다.</p>
<p>상병코드만 사용하였을 때 양성 예측도는 41%였으나, 면역글로불린 처방이 1년에 6회 이상인 조건을 더하면 88%까지 올라갔습니다. 민감도는 79%였습니다.</p>
<p>조작적 정의의 코드 목록과 분석 프로그램을 부록으로 공개합니다. 이용하실 때에는 논문을 인용해 주십시오.</p>`,
    files: [
      { fileName: "항체결핍 조작적 정의 논문.pdf", kind: "pdf" },
      { fileName: "조작적 정의 코드 목록.xlsx", kind: "xlsx" },
      { fileName: "분석 프로그램 설명.txt", kind: "txt" },
    ],
  },
  {
    title: "검체 수송 지침(2025년 개정)",
    category: "지침",
    hoursAgo: 13393,
    viewCount: 341,
    writer: "admin",
    content: `<p>2025년 6월부터 적용하는 검체 수송 지침입니다. 용기와 냉매가 바뀐 부분을 사진으로 설명하였습니다.</p>
<table>
<thead>
<tr><th>검사</th><th>채혈관</th><th>수송 온도</th><th>도착 기한</th></tr>
</thead>
<tbody>
<tr><td>림프구 아형검사</td><td>EDTA 3mL</td><td>15~25℃</td><td>채혈 후 24시간</td></tr>
<tr><td>식세포 기능검사</td><td>헤파린 5mL</td><td>15~25℃</td><td>채혈 후 24시간</td></tr>
<tr><td>유전자 검사</td><td>EDTA 3mL</td><td>2~8℃</td><td>채혈 후 7일</td></tr>
<tr><td>혈청 보관</td><td>혈청분리관 5mL</td><td>-20℃ 이하</td><td>정해진 기한 없음</td></tr>
</tbody>
</table>
<p>금요일과 공휴일 전날에는 신선 검체를 보내지 말아 주십시오.</p>`,
    files: [{ fileName: "검체 수송 지침(2025 개정).pdf", kind: "pdf" }],
  },
  {
    title: "환자·보호자 건강 수첩",
    category: "교육자료",
    hoursAgo: 14158,
    viewCount: 289,
    writer: "admin",
    content: `<p>진료 일정과 투약, 감염 증상을 한 권에 적을 수 있는 건강 수첩입니다. A5 크기로 인쇄하여 반으로 접어 쓰시면 됩니다.</p>
<p>앞쪽 ‘응급실에 보여 주세요’ 면에는 병명과 사용 중인 약, 다니는 병원의 연락처를 적어 두십시오. 낯선 지역에서 갑자기 아플 때 큰 도움이 됩니다.</p>`,
    files: [
      { fileName: "건강 수첩(인쇄용).pdf", kind: "pdf" },
      { fileName: "건강 수첩(편집용).hwp", kind: "hwp" },
    ],
  },
  {
    title: "등록자료 이용 신청서와 변경 신청서",
    category: "서식",
    hoursAgo: 14827,
    viewCount: 402,
    writer: "admin",
    content: `<p>등록자료를 이용하실 때 내는 신청서와, 승인받은 뒤 연구 기간이나 연구자를 바꿀 때 내는 변경 신청서입니다.</p>
<p>변수 목록 파일에서 필요한 항목에 표시하여 함께 제출하시면 심사가 빨라집니다. ‘전체’라고 적으신 신청은 연구 목적에 꼭 필요한 항목으로 줄이도록 되돌려드리고 있습니다.</p>`,
    files: [
      { fileName: "자료 이용 신청서.hwp", kind: "hwp" },
      { fileName: "자료 이용 변경 신청서.hwp", kind: "hwp" },
      { fileName: "등록자료 변수 목록.xlsx", kind: "xlsx" },
    ],
  },
];

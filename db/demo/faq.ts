import type { DemoItem } from "./types.ts";

type DemoQuestion = Pick<DemoItem, "title" | "content" | "category"> & { viewCount: number };

const QUESTIONS: DemoQuestion[] = [
  {
    title: "환자 등록은 어느 기관에서 할 수 있습니까",
    category: "",
    viewCount: 214,
    content: `<p>전국 16개 권역센터와 그 협력 기관에서 등록하실 수 있습니다. 가까운 기관은 <a href="/pid/center">권역센터</a>에서 확인하실 수 있고, 연락처로 먼저 전화해 주시면 진료 일정을 안내해 드립니다.</p>`,
  },
  {
    title: "등록 대상이 되는 질환은 무엇입니까",
    category: "",
    viewCount: 187,
    content: `<p>국제면역학회연합 분류에 따른 선천성 면역결핍 질환을 진단받았거나 강하게 의심되는 환자입니다. 나이 제한은 없습니다. 기준은 <a href="/pid/target">연구 대상</a>에 정리하였습니다.</p>`,
  },
  {
    title: "등록하면 환자에게 비용이 듭니까",
    category: "",
    viewCount: 139,
    content: `<p>등록 자체에는 비용이 들지 않습니다. 진료와 검사 비용은 평소의 진료와 같으며, 연구를 위하여 더하는 검사는 연구비로 부담합니다.</p>`,
  },
  {
    title: "동의를 철회하면 자료는 어떻게 됩니까",
    category: "",
    viewCount: 96,
    content: `<p>언제든지 철회하실 수 있고 진료에 불이익이 없습니다. 철회하신 뒤에는 새 자료를 모으지 않으며, 이미 모은 자료는 동의서에서 고르신 대로 파기하거나 가명 상태로 보관합니다. 등록하신 기관이나 운영사무국(02-0000-0100)으로 말씀해 주십시오.</p>`,
  },
  {
    title: "레지스트리에는 어떻게 접속합니까",
    category: "",
    viewCount: 251,
    content: `<p>입력 교육을 마치고 권한을 받은 회원만 접속하실 수 있습니다. 홈페이지에 로그인하신 뒤 <a href="/Registry">레지스트리</a> 화면에서 들어가십시오. 권한 신청은 레지스트리 담당(02-0000-0102)이 받습니다.</p>`,
  },
  {
    title: "등록자료로 연구를 하고 싶습니다",
    category: "",
    viewCount: 122,
    content: `<ol><li><a href="/research/rules">연구 규정</a>을 읽고 공동연구자를 정합니다.</li><li>자료실의 연구제안서 양식을 채워 <a href="/research/proposal">연구 제안</a>의 안내대로 보냅니다.</li><li>연구위원회의 심의를 거쳐 가명처리한 자료를 받습니다.</li></ol>`,
  },
  {
    title: "아이디나 비밀번호를 잊었습니다",
    category: "",
    viewCount: 305,
    content: `<p><a href="/Account/FindId">아이디 찾기</a>와 <a href="/Account/FindPassword">비밀번호 찾기</a>를 이용해 주십시오. 가입하신 이메일을 더 쓰지 않으시면 운영사무국(office@pid.example.kr)이 본인 확인을 거쳐 고쳐 드립니다.</p>`,
  },
  {
    title: "소속 기관이 바뀌었습니다",
    category: "",
    viewCount: 78,
    content: `<p>로그인하신 뒤 <a href="/Mypage/Info">회원정보</a>에서 소속과 연락처를 고쳐 주십시오. 담당하시던 환자의 기록을 다른 기관으로 옮기는 일은 두 기관의 책임자가 함께 레지스트리 담당에게 요청하셔야 합니다.</p>`,
  },
];

export const demoFaq: DemoItem[] = QUESTIONS.map((question, at) => ({
  ...question,
  hoursAgo: 700 + at * 24,
  writer: "admin",
}));

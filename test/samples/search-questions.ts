/** A question as somebody types it, with the addresses of which each answers it. */
export interface AskedQuestion {
  question: string;
  answers: readonly string[];
}

const asked = (question: string, ...answers: string[]): AskedQuestion => ({ question, answers });

/** Questions of the issue about search, for which the search was tuned. */
export const KNOWN_QUESTIONS: readonly AskedQuestion[] = [
  asked("대전 센터 전화번호", "/pid/center/daejeon"),
  asked("대전 권역센터", "/pid/center/daejeon"),
  asked("제주에서 진료받을 수 있는 병원", "/pid/center/jeju"),
  asked("환자 등록 방법", "/pid/registration"),
  asked("등록비용", "/board/help/View/6", "/pid/registration"),
  asked("등록하려면 돈이 드나요", "/board/help/View/6", "/pid/registration"),
  asked("아이디를 잊어버렸어요", "/board/help/View/2", "/Account/FindId"),
  asked("비밀번호 찾기", "/board/help/View/2", "/Account/FindPassword"),
  asked("연구제안서 양식", "/board/reference/View/39", "/research/proposal"),
  asked("연구 제안서 양식을 받고 싶습니다", "/board/reference/View/39", "/research/proposal"),
  asked("면역글로블린 집에서 맞기", "/board/reference/View/34"),
  asked("증례기록서", "/board/reference/View/36"),
  asked("동의 철회", "/board/help/View/5"),
  asked("심포지움 언제", "/board/notice/View/60"),
  asked("심포지엄 사전등록", "/board/notice/View/60"),
  asked("위원장", "/pid/organization"),
  asked("검체 보내는 방법", "/board/reference/View/13", "/board/notice/View/17"),
  asked("예방접종", "/board/reference/View/23", "/board/reference/View/29"),
  asked("2025 연차 보고서", "/board/reference/View/25"),
  asked("연구간호사 채용", "/board/notice/View/46"),
  asked("신생아 선별검사", "/board/reference/View/15", "/board/reference/View/6", "/board/notice/View/8"),
  asked("유전자검사 지원", "/board/notice/View/40", "/board/reference/View/27"),
  asked("협력기관 신청", "/board/reference/View/3"),
  asked("개인정보 처리방침", "/privacy"),
  asked("레지스트리 접속이 안 돼요", "/board/help/View/4", "/Registry"),
  asked("소속이 바뀌었어요", "/board/help/View/1"),
  asked("경기도 환자 수", "/pid/residence"),
  asked("등록 대상 질환", "/pid/target", "/board/help/View/7"),
  asked("동의서 양식", "/board/reference/View/31"),
  asked("IRB", "/board/notice/View/48", "/research/rules"),
];

/** Written before the search was tuned, to see what it does with others. */
export const CONTROL_QUESTIONS: readonly AskedQuestion[] = [
  asked("부산 센터 위치", "/pid/center/pusan"),
  asked("울릉도에 사는데 어느 병원에 가야 하나요", "/pid/center/gyungbuk"),
  asked("권역센타 찾기", "/pid/center"),
  asked("내년 연구과제 공모", "/board/notice/View/58"),
  asked("CRF 작성법", "/board/reference/View/36"),
  asked("회원가입은 어떻게 하나요", "/Account/Signup"),
  asked("추석에 사무국 쉬나요", "/board/notice/View/50"),
  asked("소식지 최신호", "/board/notice/View/55"),
  asked("등록자료이용신청서", "/board/reference/View/11"),
  asked("홈페이지가 안 열려요", "/board/notice/View/25"),
  asked("유세포분석 배우기", "/board/reference/View/9"),
  asked("공개강좌 다시보기", "/board/notice/View/16"),
  asked("사무국 전화번호가 바뀌었나요", "/board/notice/View/3"),
  asked("데이터 메니저 채용", "/board/notice/View/54"),
  asked("이상반응 보고 서식", "/board/reference/View/28"),
  asked("조직도", "/pid/organization"),
  asked("서식 제3호", "/research/proposal"),
  asked("워크샵 참가 신청", "/board/notice/View/53"),
  asked("포스터 초록 마감", "/board/notice/View/60"),
  asked("연구 규정", "/research/rules"),
];

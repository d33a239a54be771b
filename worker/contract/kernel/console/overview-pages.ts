import type { ConsoleArea } from "./console-page.ts";

export const OVERVIEW_AREA = {
  label: "현황",
  pages: [
    {
      path: "",
      screen: "operation/dashboard",
      label: "한눈에 보기",
      words: "할 일, 통계, 최근에 한 일, 대시보드",
      purpose: "오늘 처리할 일이 위에, 회원과 글의 흐름이 아래에 있습니다.",
      advice: "노란 칸을 누르면 그 일을 처리하는 화면으로 갑니다.",
    },
    {
      path: "Setup",
      screen: "site/setup",
      label: "처음 설정",
      words: "약관 초안, 처리방침 초안, 메일 시험, 두 번째 관리자",
      purpose: "새 사이트를 열기 전에 할 일을 차례로 보여 주며, 마친 것은 저절로 표시됩니다.",
      advice: "이용약관과 개인정보 처리방침을 게시하기 전에는 아무도 가입할 수 없습니다.",
    },
    {
      path: "Guide",
      screen: "site/guide",
      label: "사무국 안내서",
      words: "사용 설명서, 매뉴얼, 매주 할 일, 매년 할 일, 문제가 생기면, 인쇄",
      purpose: "사무국이 처음에, 매주, 매년, 그리고 문제가 생겼을 때 할 일을 차례로 적은 안내서입니다.",
      advice: "오른쪽 위의 ‘인쇄’로 종이에 찍어 가까이 두십시오.",
    },
  ],
} as const satisfies ConsoleArea;

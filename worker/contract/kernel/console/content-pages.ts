import type { ConsoleArea } from "./console-page.ts";

export const CONTENT_AREA = {
  label: "내용",
  pages: [
    {
      path: "Contents",
      screen: "content/contents",
      label: "페이지 내용",
      words: ["이용약관", "개인정보 처리방침", "배너", "안내 페이지", "게시", "초안"],
      help: [
        "안내 페이지와 이용약관, 개인정보 처리방침, 첫 화면 배너의 글을 고칩니다.",
        "저장은 초안으로만 남고, 게시해야 방문자에게 보입니다.",
      ],
      below: { ":code": "content/content", ":code/history": "content/content-history" },
    },
    {
      path: "Pages",
      screen: "content/pages",
      label: "안내 페이지",
      words: ["페이지 추가", "페이지 순서", "페이지 숨기기", "아래에 두기"],
      help: [
        "안내 페이지를 더하고, 순서를 바꾸고, 다른 페이지 아래에 두거나 숨깁니다.",
        "처음부터 있던 페이지의 주소는 바뀌지 않으며, 숨긴 페이지는 주소로도 열리지 않습니다.",
      ],
    },
    {
      path: "Centers",
      screen: "content/centers",
      label: "{권역센터}",
      words: ["{센터} 추가", "{센터} 전화", "지도"],
      help: [
        "지도와 목록에 나오는 {권역센터}의 이름, 주소, 전화를 고칩니다.",
        "{센터} 담당자에게 그 {센터}만 고칠 권한을 줄 수도 있습니다.",
      ],
      needs: "centers",
      below: { ":regionCode": "content/center", ":regionCode/history": "content/center-history" },
    },
    {
      path: "QuickLinks",
      screen: "site/quick-links",
      label: "첫 화면 바로가기",
      words: ["바로가기 추가"],
      help: ["첫 화면의 큰 바로가기를 네 개까지 둡니다.", "이름은 짧게, 설명은 한 줄로 적는 것이 좋습니다."],
      row: { code: "quick-link", name: "바로가기", title: "label" },
    },
    {
      path: "Popups",
      screen: "site/popups",
      label: "팝업",
      words: ["팝업 기간", "공지 창"],
      help: [
        "정한 기간에만 첫 화면에 뜨는 알림 창을 만듭니다.",
        "동시에 세 개까지만 보이므로 끝난 것은 닫아 두십시오.",
      ],
      row: { code: "popup", name: "팝업", title: "title" },
    },
    {
      path: "Menu",
      screen: "site/menu",
      label: "메뉴",
      words: ["주 메뉴", "메뉴 순서", "메뉴 숨기기"],
      help: [
        "모든 페이지 위의 메뉴를 묶고, 순서를 바꾸고, 숨깁니다.",
        "숨긴 메뉴의 페이지는 주소를 아는 사람에게는 계속 열립니다.",
      ],
    },
  ],
} as const satisfies ConsoleArea;

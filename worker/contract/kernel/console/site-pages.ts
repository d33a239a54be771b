import type { ConsoleArea } from "./console-page.ts";

export const SITE_AREA = {
  label: "사이트",
  pages: [
    {
      path: "Site",
      screen: "site/site",
      label: "사이트 정보",
      words: ["사이트 이름", "기관명", "주소", "전화", "저작권 표시", "설정 파일", "적은 수 가리기"],
      help: [
        "모든 페이지의 위와 아래에 나오는 이름과 연락처를 정합니다.",
        "설정 파일로 내려받아 두면 다른 사이트에 그대로 옮길 수 있습니다.",
      ],
    },
    {
      path: "Identity",
      screen: "site/identity",
      label: "모양과 용어",
      words: ["로고", "색", "파비콘", "용어", "첫 화면 구성", "바닥글", "지역 기관 숨기기", "연계 서비스 숨기기"],
      help: [
        "로고와 색, 부르는 말, 첫 화면과 바닥글을 이 단체에 맞게 정합니다.",
        "저장하기 전에 미리 보기에서 글자가 잘 읽히는지 확인하십시오.",
      ],
    },
    {
      path: "Signup",
      screen: "account/signup",
      label: "가입 설정",
      words: ["로그인 방법", "가입 승인", "방문자의 역할", "이름 길이", "비밀번호 길이", "가입할 때 묻는 항목"],
      help: [
        "무엇으로 로그인하고, 가입할 때 무엇을 묻고, 관리자가 승인하는지를 정합니다.",
        "관리자가 로그인할 수 없게 되는 방법으로는 바뀌지 않습니다.",
      ],
    },
    {
      path: "Limits",
      screen: "site/limits",
      label: "이용 제한",
      words: ["로그인 시도", "인증번호 횟수", "검색 횟수", "가져오기 횟수"],
      help: [
        "로그인, 인증번호, 검색, 내보내기를 얼마나 자주 시도할 수 있는지 정합니다.",
        "너무 낮추면 한 건물에서 접속하는 회원이 함께 막힐 수 있습니다.",
      ],
    },
    {
      path: "Agreements",
      screen: "content/agreements",
      label: "동의 문서",
      words: ["개인정보 수집 동의", "광고 수신 동의", "시행일", "공포"],
      help: [
        "가입할 때 동의를 받는 문서를 버전으로 관리하며, 공포한 글은 고칠 수 없습니다.",
        "내용을 바꾸려면 새 버전을 공포하십시오. 시행일을 뒷날로 정하면 회원에게 안내하고 그날 저절로 바뀝니다.",
      ],
      below: { ":code": "content/agreement-compare" },
    },
    {
      path: "Boards",
      screen: "board/boards",
      label: "게시판",
      words: ["게시판 추가", "게시판 닫기", "말머리", "첨부파일 크기", "비밀글", "댓글"],
      help: [
        "게시판을 만들고 순서와 첨부파일, 댓글, 역할별 권한을 정합니다.",
        "닫은 게시판의 글은 지워지지 않으며, 다시 열면 그대로 보입니다.",
      ],
      below: { ":boardCode": "board/board" },
    },
    {
      path: "Alumni",
      screen: "alumni/setting",
      label: "{동문주소록} 설정",
      words: ["주소록 열", "본인 수정", "공개 범위", "주소록 보관"],
      help: [
        "주소록에 어떤 열을 두고 회원이 무엇을 보고 고칠 수 있는지 정합니다.",
        "아래의 미리 보기에서 회원에게 보이는 모습을 바로 확인할 수 있습니다.",
      ],
    },
    {
      path: "MailTemplates",
      screen: "mail/templates",
      label: "메일 문구",
      words: ["가입 메일", "알림 메일", "수신 동의 확인", "제목과 본문"],
      help: [
        "저절로 나가는 메일과 문자의 제목과 본문을 고칩니다.",
        "중괄호로 적힌 자리는 보낼 때 받는 사람의 값으로 바뀌므로 지우지 마십시오.",
      ],
      below: { ":kind": "mail/template" },
    },
    {
      path: "Reports",
      screen: "board/reports",
      label: "신고",
      words: ["신고된 글", "댓글 신고"],
      help: [
        "회원이 신고한 글과 댓글을 보고 그대로 두거나 숨깁니다.",
        "숨긴 글은 게시판의 휴지통에서 되살릴 수 있지만, 숨긴 댓글은 되살릴 수 없습니다.",
      ],
    },
    {
      path: "Moving",
      screen: "moving/moving",
      label: "이사 오기",
      words: ["그누보드", "라이믹스", "XE", "제로보드", "워드프레스", "RDX"],
      help: [
        "예전 홈페이지의 회원과 글을 RDX 파일로 옮겨 옵니다.",
        "옮기기 전에 미리 보기로 건수를 확인하고, 옮긴 뒤에도 되돌릴 수 있습니다.",
      ],
    },
  ],
} as const satisfies ConsoleArea;

import type { ConsoleArea } from "./console-page.ts";

export const PEOPLE_AREA = {
  label: "회원",
  pages: [
    {
      path: "Members",
      screen: "member/members",
      label: "회원 관리",
      words: ["가입 승인", "회원 차단", "탈퇴 처리", "회원 내보내기", "비밀번호 초기화"],
      help: [
        "회원을 찾아 승인하거나 차단하고, 역할을 바꾸고, 조건에 맞는 회원에게 메일을 보냅니다.",
        "내보내기는 사유를 묻고 감사 기록에 남으니, 쓴 파일은 지워 주십시오.",
      ],
      below: { ":id": "member/member" },
    },
    {
      path: "Inquiries",
      screen: "inquiry/inquiries",
      label: "1:1 문의",
      words: ["회원 질문", "문의 답변", "답변 대기", "추가 질문", "상담"],
      help: [
        "회원이 사무국에 물은 것에 답하며, 오래 기다린 문의부터 보입니다.",
        "답변은 회원의 마이페이지와 알림함에 나오고 메일로도 갑니다.",
      ],
      needs: "inquiries",
      below: { ":id": "inquiry/inquiry" },
    },
    {
      path: "Mailings",
      screen: "mailing/mailings",
      label: "단체 메일·문자",
      words: ["메일 보내기", "문자 보내기", "알림톡", "안내 메일", "광고 메일", "수신 거부"],
      help: [
        "주소록이나 회원 목록에서 고른 사람들에게 메일이나 문자, 알림톡을 보내고, 누가 받았는지 봅니다.",
        "보내기 전에 받는 사람 수와 세 사람의 글을 확인하며, 받는 사람은 그때 정해집니다.",
      ],
      below: { ":id": "mailing/mailing" },
    },
    {
      path: "Rounds",
      screen: "mailing/rounds",
      label: "정보 확인",
      words: ["이 정보가 맞습니까", "주소록 확인", "반송", "연락이 닿지 않는 사람", "기수별 결과"],
      help: [
        "{동문}에게 주소록의 정보가 맞는지 메일로 묻고, 누가 답하였고 누구에게 닿지 않는지 기수별로 봅니다.",
        "답하지 않은 사람에게는 두 번 더 알리며, 고치려는 사람은 인증번호나 로그인으로 한 번 더 확인합니다.",
      ],
      below: { ":id": "mailing/round" },
    },
    {
      path: "Representatives",
      screen: "alumni/representatives",
      label: "기수 대표",
      words: ["수정 요청", "승인 대기", "연락이 닿지 않는 사람", "기수별 담당"],
      help: [
        "기수마다 대표를 정하고, 대표가 알려 온 수정 요청을 견주어 보고 반영하거나 돌려보냅니다.",
        "대표는 맡은 기수만 회원과 같은 범위로 보며, 정한 날이 지나면 아무것도 볼 수 없습니다.",
      ],
    },
    {
      path: "AlumniFigures",
      screen: "alumni/figures",
      label: "{동문주소록} 통계",
      words: ["기수별 인원", "지역별 인원", "연락 가능한 사람", "이사회 자료", "반송된 메일"],
      help: [
        "주소록의 사람 수를 기수와 지역, 소속, 졸업연도, 연락 수단별로 봅니다.",
        "주소록에서 찾거나 고른 사람만의 통계는 주소록의 '통계' 단추로 시작합니다.",
      ],
    },
    {
      path: "Certificates",
      screen: "alumni/certificates",
      label: "회원 증명서",
      words: ["증명서 발급", "증명서 번호", "증명서 확인", "QR"],
      help: [
        "발급한 회원 증명서를 보고, 다시 인쇄하거나 효력을 없앱니다.",
        "주소록에 있는 사람의 증명서는 그 사람의 칸에서 '증명서 발급'을 눌러 만듭니다.",
      ],
    },
    {
      path: "SecondFactor",
      screen: "member/second-factor",
      label: "2단계 인증",
      words: ["패스키", "인증 앱", "복구 코드", "복구 시작"],
      help: [
        "관리 권한이 있는 사람이 패스키나 인증 앱을 등록하였는지 봅니다.",
        "휴대전화를 잃은 사람은 여기에서 복구를 시작하며, 24시간 뒤부터 다시 등록할 수 있습니다.",
      ],
    },
    {
      path: "Roles",
      screen: "access/roles",
      label: "역할과 권한",
      words: ["관리자 권한", "역할 추가", "게시판 권한"],
      help: [
        "역할마다 할 수 있는 일을 정하고, 회원에게는 역할을 하나씩 줍니다.",
        "자기가 갖지 않은 권한은 남에게 줄 수 없으며, 바꾸면 곧바로 적용됩니다.",
      ],
    },
    {
      path: "Simulator",
      screen: "access/simulator",
      label: "권한 확인",
      words: ["시뮬레이터", "누가 볼 수 있는지", "왜 안 보이는지"],
      help: [
        "어떤 사람이 어떤 주소를 볼 수 있는지, 그렇게 정한 까닭과 함께 확인합니다.",
        "아무것도 바꾸지 않으므로 마음 놓고 시험해 보셔도 됩니다.",
      ],
    },
    {
      path: "Privacy",
      screen: "privacy/requests",
      label: "개인정보",
      words: ["열람 요구", "정정 요구", "처리정지", "보유 기간", "파기 대장", "휴면"],
      help: [
        "자기 정보의 열람, 정정, 삭제, 처리정지 요구를 기한 안에 처리합니다.",
        "보유 기간이 지난 정보는 정한 규칙대로 파기되고 파기 대장에 남습니다.",
      ],
      below: {
        "request/:id": "privacy/request",
        retention: "privacy/retention",
        "retention/:rule": "privacy/retention-rule",
        destructions: "privacy/destructions",
      },
    },
  ],
} as const satisfies ConsoleArea;

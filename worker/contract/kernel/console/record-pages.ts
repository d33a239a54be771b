import type { ConsoleArea } from "./console-page.ts";

export const RECORD_AREA = {
  label: "기록",
  pages: [
    {
      path: "Audit",
      screen: "audit/audit-log",
      label: "감사 기록",
      words: "누가 무엇을, 내보낸 기록, 로그인 기록, 접속 주소, 포함된 사람",
      purpose: "누가 언제 어디에서 무엇을 하였는지 찾으며, 기록은 고치거나 지울 수 없습니다.",
      advice: "‘누구의 정보’에 이름을 넣으면 그 사람이 담긴 내보내기까지 찾을 수 있습니다.",
      below: { ":auditId": "audit/audit-row" },
    },
    {
      path: "Messages",
      screen: "mail/messages",
      label: "메일·문자 기록",
      words: "보내지 못한 메일, 다시 보내기, 문자",
      purpose: "사이트가 보낸 메일과 문자가 갔는지, 왜 가지 못했는지 봅니다.",
      advice: "실패한 것은 원인을 고친 뒤 다시 보낼 수 있습니다.",
    },
    {
      path: "Jobs",
      screen: "operation/jobs",
      label: "예약 작업·백업",
      words: "백업 만들기, 복구 시험, 작업 실행",
      purpose: "매일 밤 저절로 하는 일과 백업의 결과를 봅니다.",
      advice: "빨간 표시가 있으면 오류를 확인하고 ‘지금 하기’로 다시 해 보십시오.",
    },
    {
      path: "Configuration",
      screen: "operation/configuration",
      label: "설치 설정",
      words: "PRODUCT_CODE, 사이트 주소, 비밀 값, 메일 발송 키, 저장소, wrangler.toml",
      purpose: "사이트를 설치할 때 정한 주소와 비밀 값, 저장소가 제대로 되어 있는지 봅니다.",
      advice: "‘확인 필요’가 보이면 이 화면을 사이트를 설치한 사람에게 보여 주십시오.",
    },
  ],
} as const satisfies ConsoleArea;

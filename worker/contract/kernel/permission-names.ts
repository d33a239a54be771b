import type { BoardAction, SitePermission } from "#worker/contract/kernel/permissions.ts";

export const SITE_PERMISSION_NAMES: Record<SitePermission, string> = {
  ADMIN_Access: "관리 화면",
  Alumni_Read: "주소록 보기",
  Alumni_Write: "주소록 등록·수정",
  Alumni_Delete: "주소록에서 삭제",
  Alumni_Export: "주소록 내보내기",
  Alumni_Import: "주소록 가져오기",
  CaseReport_Access: "연계 서비스 이용",
  Inquiry_Answer: "1:1 문의 답변",
  Mail_Template: "인증번호·주소가 든 메일 문구 수정",
};

export const BOARD_ACTION_NAMES: Record<BoardAction, string> = {
  List: "목록",
  View: "읽기",
  Write: "쓰기",
  Comment: "댓글",
  Download: "내려받기",
  Manage: "관리",
};

import type { BoardAction, SitePermission } from "#worker/contract/kernel/permissions.ts";

export const SITE_PERMISSION_NAMES: Record<SitePermission, string> = {
  ADMIN_Access: "관리 화면",
  Alumni_Read: "동문 주소록 보기",
  Alumni_Write: "동문 등록·수정",
  Alumni_Delete: "동문 삭제",
  Alumni_Export: "동문 내보내기",
  Alumni_Import: "동문 가져오기",
  CaseReport_Access: "증례 보고",
};

export const BOARD_ACTION_NAMES: Record<BoardAction, string> = {
  List: "목록",
  View: "읽기",
  Write: "쓰기",
  Comment: "댓글",
  Download: "내려받기",
  Manage: "관리",
};

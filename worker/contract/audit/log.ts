import { SITE_PERMISSION_NAMES, type SitePermission } from "../kernel/permissions.ts";
import { AUDIT_ACTION_GROUPS } from "../kernel/audit-actions.ts";
import { choice, day, line } from "../kernel/row.ts";
import { CONSOLE_ROWS } from "../kernel/console/console-pages.ts";
import type { PrivacySettings } from "./retention-input.ts";

export const AUDIT_FILTERS = {
  /** A prefix of an action's code, for example `member` or `signin.failed`. */
  action: choice("행위", AUDIT_ACTION_GROUPS),
  actor: line("행위자 이름", { max: 50 }),
  /** The person concerned; includes exports with that person. */
  subject: line("누구의 정보", { placeholder: "이름, 아이디, 이메일, 휴대전화", max: 100 }),
  address: line("접속 IP", { max: 64 }),
  /** Read events, such as opened lists, are hidden and counted. */
  reads: choice("조회와 로그인", { shown: "함께 보기" }, undefined, { placeholder: "접어 두기" }),
  from: day("날짜부터"),
  to: day("날짜까지"),
};

export const AUDIT_TARGET_NAMES: Record<string, string> = {
  agreement: "동의 문서",
  alarm: "알림",
  alumni: "주소록",
  "alumni-field": "주소록 항목",
  "alumni-view": "주소록 보기",
  alumniImport: "주소록 가져오기",
  audit: "감사 기록",
  board: "게시판",
  boardItem: "글",
  caseReport: "연계 서비스",
  center: "지역 기관",
  certificate: "증명서",
  content: "내용",
  deposit: "입금",
  destruction: "파기 대장",
  due: "회비",
  dueWork: "회비 작업",
  event: "행사 신청",
  export: "내보낸 목록",
  file: "파일",
  inquiry: "1:1 문의",
  job: "예약 작업",
  "mail-template": "메일 문구",
  mailing: "단체 메일·문자",
  message: "메일·문자",
  moving: "이사",
  proposal: "제안서",
  proposalCall: "제안 공모",
  privacyRequest: "개인정보 열람·정정 요청",
  "profile-field": "가입 항목",
  report: "신고",
  retention: "보유 기간",
  role: "역할",
  round: "정보 확인",
  session: "로그인",
  setting: "설정",
  user: "회원",
  ...Object.fromEntries(CONSOLE_ROWS.map(({ code, name }) => [code, name])),
};

const SETTING_NAMES: Record<string, string> = {
  site: "사이트 정보",
  authentication: "가입 설정",
  identity: "모양과 용어",
  logo: "로고",
  pages: "안내 페이지",
  menu: "메뉴",
  alumni: "주소록 설정",
  "alumni-fields": "주소록 항목",
  privacy: "보유 기간",
  "case-report": "연계 서비스 집계",
  setup: "처음 설정",
  consent: "수신 동의 확인",
};

/** Describes the target by kind and name, never by id. @param name the current name */
export function auditTargetText({ targetType, targetId, targetName }: AuditTarget): string {
  const kind = AUDIT_TARGET_NAMES[targetType] ?? targetType;
  const own = targetType === "setting" ? SETTING_NAMES[targetId] : undefined;
  const name = targetName || own;
  return name ? `${kind} ‘${name}’` : kind;
}

export function auditLackText(lacks: string): string {
  if (lacks === "own") return "본인만 볼 수 있는 내용입니다.";
  if (lacks.startsWith("Board_")) return "이 게시판의 ‘관리’ 권한이 있어야 볼 수 있습니다.";
  const name = SITE_PERMISSION_NAMES[lacks as SitePermission];
  return name ? `‘${name}’ 권한이 있어야 볼 수 있습니다.` : "시스템 관리자만 볼 수 있습니다.";
}

interface AuditTarget {
  targetType: string;
  targetId: string;
  targetName: string;
}

export interface AuditSubjectRow {
  id: string;
  subjectType: "user" | "alumni";
  name: string;
  email: string;
  /** 1 for a person of the address book whose name the reader may not see. */
  isHidden: number;
}

export type HealthState = "ok" | "failed" | "off" | "local";

export interface PrivacySettingView {
  value: PrivacySettings;
  version: number;
}

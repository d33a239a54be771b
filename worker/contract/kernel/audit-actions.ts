import type { SitePermission } from "./permissions.ts";
import { CONSOLE_ROWS, type ConsoleRow } from "./console/console-pages.ts";
import labels from "./audit-actions.json" with { type: "json" };

const ROW_ACTS = { create: "추가", change: "변경", delete: "삭제", order: "순서" } as const;
const rowActionLabels = Object.fromEntries(
  CONSOLE_ROWS.flatMap(({ code, name }) =>
    Object.entries(ROW_ACTS).map(([act, label]) => [`${code}.${act}`, `${name} ${label}`]),
  ),
) as Record<`${ConsoleRow["code"]}.${keyof typeof ROW_ACTS}`, string>;

export const AUDIT_ACTION_LABELS = { ...labels, ...rowActionLabels };

export type AuditAction = keyof typeof AUDIT_ACTION_LABELS;

type Group = AuditAction extends infer A ? (A extends `${infer Name}.${string}` ? Name : A) : never;

/** The permission to see an entry's target; `own` is the actor, `board` the board's manager. */
export const AUDIT_AREAS = {
  signin: "ADMIN_Access",
  signout: "ADMIN_Access",
  "second-factor": "ADMIN_Access",
  user: "ADMIN_Access",
  moving: "ADMIN_Access",
  setting: "ADMIN_Access",
  "profile-field": "ADMIN_Access",
  agreement: "ADMIN_Access",
  role: "ADMIN_Access",
  member: "ADMIN_Access",
  board: "ADMIN_Access",
  content: "ADMIN_Access",
  center: "ADMIN_Access",
  report: "board",
  message: "ADMIN_Access",
  mailing: "Alumni_Write",
  round: "Alumni_Write",
  event: "Event_Manage",
  proposal: "Research_Manage",
  alumni: "Alumni_Write",
  "mail-template": "ADMIN_Access",
  consent: "ADMIN_Access",
  audit: "ADMIN_Access",
  session: "ADMIN_Access",
  privacy: "ADMIN_Access",
  inquiry: "Inquiry_Answer",
  retention: "ADMIN_Access",
  "alumni-field": "ADMIN_Access",
  "alumni-view": "own",
  certificate: "Alumni_Write",
  due: "Dues_Manage",
  deposit: "Dues_Manage",
  boardItem: "board",
  caseReport: "CaseReport_Access",
  job: "ADMIN_Access",
  backup: "Alumni_Write",
  alarm: "ADMIN_Access",
  ...(Object.fromEntries(CONSOLE_ROWS.map(({ code }) => [code, "ADMIN_Access"])) as Record<
    ConsoleRow["code"],
    "ADMIN_Access"
  >),
  "due-kind": "Dues_Manage",
} as const satisfies Record<Group, SitePermission | "own" | "board">;

type Named<Suffix extends string> = AuditAction extends infer A
  ? A extends `${infer Name}.${Suffix}`
    ? Name
    : never
  : never;
export type FailingAct = Named<"failed">;
export type OrderedTarget = Named<"order">;
export type ClosedTarget = Named<"close">;
export type EditedTarget = Named<"change"> & Named<"delete">;

export const auditActionLabel = (action: string): string =>
  (AUDIT_ACTION_LABELS as Record<string, string>)[action] ?? action;

/** Read events, which fill the log and are rarely searched for. */
export const AUDIT_READ_ACTIONS: readonly AuditAction[] = [
  "signin",
  "signout",
  "second-factor.verify",
  "second-factor.list",
  "setting.import-preview",
  "member.list",
  "member.view",
  "mailing.preview",
  "mailing.view",
  "round.view",
  "event.list",
  "proposal.list",
  "proposal.view",
  "user.view",
  "user.sessions",
  "privacy.list",
  "privacy.view",
  "inquiry.list",
  "inquiry.view",
  "retention.list",
  "alumni.cohort",
  "alumni.proposals",
  "alumni.held",
  "alumni.list",
  "alumni.preview",
  "alumni.bin",
  "alumni.figures",
  "alumni.duplicates",
  "alumni.compare",
  "certificate.list",
  "due.list",
  "deposit.list",
  "audit.list",
  "audit.subjects",
];

export const AUDIT_ACTION_GROUPS: Record<string, string> = {
  signin: "로그인(실패 포함)",
  "second-factor": "2단계 인증",
  member: "회원 관리",
  role: "역할",
  setting: "설정",
  agreement: "동의 문서",
  board: "게시판",
  report: "신고",
  mailing: "단체 메일·문자",
  round: "정보 확인",
  event: "행사 신청",
  proposal: "제안서",
  "mail-template": "메일 문구",
  alumni: "주소록",
  content: "내용",
  center: "지역 기관",
  ...Object.fromEntries(CONSOLE_ROWS.map(({ code, name }) => [code, name])),
  user: "회원 본인",
  privacy: "개인정보 열람·정정 요청",
  inquiry: "1:1 문의",
  retention: "파기",
  audit: "감사 기록",
  job: "예약 작업",
  backup: "백업",
};

/** The address of scheduled jobs in the audit log. Free of zod, for the pages. */
export const JOB_ADDRESS = "예약 작업";

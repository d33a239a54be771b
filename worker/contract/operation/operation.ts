export const JOB_LABELS = {
  messages: "메일·문자 보내기",
  mailings: "단체 메일·문자 쓰기",
  rounds: "정보 확인 요청",
  "bulk-messages": "여러 명에게 메일 보내기",
  "text-messages": "여러 명에게 문자 보내기",
  events: "행사 자리 넘기기",
  notices: "새 글·댓글 알림 쓰기",
  "event-fees": "행사 참가비 미납 안내·취소",
  "consent-reminders": "광고성 메일 수신 동의 확인",
  files: "쓰지 않는 파일 정리",
  alumni: "주소록 가져오기 되돌리기 자료 정리",
  search: "검색 준비",
  expired: "기한이 지난 자료 정리",
  "case-report": "연계 서비스 집계",
  agreements: "예고한 약관 시행",
  "agreement-mails": "약관 변경 안내 메일 쓰기",
  retention: "보유 기간이 지난 정보 파기",
  backup: "백업",
  drill: "복구 연습",
  moving: "이사 오기",
  alarms: "알림 확인",
} as const;

export type JobName = keyof typeof JOB_LABELS;

const EACH_MINUTE: JobName[] = [
  "messages",
  "events",
  "mailings",
  "bulk-messages",
  "text-messages",
  "search",
  "backup",
  "drill",
  "moving",
];
export const EVERY_MINUTES = Object.fromEntries(
  Object.keys(JOB_LABELS).map((name) => [name, EACH_MINUTE.includes(name as JobName) ? 1 : 10]),
) as Record<JobName, number>;

/** A job overdue for this long raises an alarm and makes the monitor answer 503. */
export const JOB_LATE_MS = 60 * 60_000;

export const ALARM_KINDS = {
  job: "예약 작업",
  backup: "백업",
  file: "없어진 파일",
  mail: "메일·문자",
  database: "자료 저장 공간",
  storage: "파일 저장 공간",
  limit: "하루 발송 한도",
  drill: "복구 연습",
  clock: "서버 시계",
} as const;

export type AlarmKind = keyof typeof ALARM_KINDS;

/** Parts of 2 MB; an invocation may fetch 1,000, and a zip must stay below 4 GB. */
export const BACKUP_DOWNLOAD_PARTS = 900;

/** A job silent for this long counts as killed and is restarted. */
export const JOB_KILLED_MS = 5 * 60_000;

export interface DumpedTable {
  name: string;
  columns: string[];
  /** The highest rowid when the backup starts; null for an empty table. */
  lastRowId: number | null;
  rows: number;
  /** Bytes of all values as text, which SQLite can also sum. */
  bytes: number;
}

export interface DumpPart {
  key: string;
  bytes: number;
  /** Hash of the encrypted bytes. */
  sha256: string;
  rows: number;
}

export interface FileListState {
  after: string;
  count: number;
  bytes: number;
  copied: number;
  missing: number;
  missingNames: string[];
}

export interface BackupState {
  phase: "tables" | "files" | "copies" | "done";
  fingerprint: string;
  migrations: string[];
  /** The AUTOINCREMENT counters of SQLite. */
  sequences: Record<string, number>;
  tables: DumpedTable[];
  tableIndex: number;
  rowId: number;
  parts: DumpPart[];
  files: FileListState;
  /** True once the stored manifest and parts were read again. */
  isProved?: boolean;
  /** Progress of the search for copies that no kept backup names. */
  copies?: { part: number; after: string; removed: number };
}

export interface DrillState {
  part: number;
  rows: number;
  bytes: number;
  pages?: number;
}

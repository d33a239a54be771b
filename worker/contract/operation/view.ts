import type { AlarmKind } from "./rules.ts";
import type { HealthState } from "../audit/view.ts";

export interface JobRow {
  name: string;
  label: string;
  startedDate: string | null;
  finishedDate: string | null;
  status: "ok" | "failed" | "running" | "killed" | "never";
  everyMinutes: number;
  /** True when the administrator lacks a right to run it by hand. */
  isLocked: boolean;
  /** Next start; null while it runs. */
  nextDate: string | null;
  error: string;
}

export interface JobResult {
  name: string;
  ok: boolean;
}

export interface BackupRow {
  name: string;
  status: "running" | "ok" | "failed";
  startedDate: string;
  finishedDate: string | null;
  rows: number;
  /** Size of the encrypted parts. */
  bytes: number;
  files: number;
  missingFiles: number;
  /** From 0 to 1. */
  progress: number;
  interruptions: number;
  error: string;
}

interface AlarmRow {
  key: string;
  kind: AlarmKind;
  text: string;
  startedDate: string;
}

export interface DrillView {
  name: string;
  status: "running" | "ok" | "failed";
  startedDate: string;
  finishedDate: string | null;
  rows: number;
  pages: number;
  error: string;
}

export interface JobsPageData {
  alarms: AlarmRow[];
  drill: DrillView | null;
  jobs: JobRow[];
  backups: BackupRow[];
  /** Only system administrators may download a backup. */
  canDownload: boolean;
  staleItems: number;
}

export interface DashboardView {
  members: { active: number; waiting: number; blocked: number; retired: number; newThisWeek: number };
  boards: { boardCode: string; boardName: string; itemCount: number }[];
  days: { day: string; items: number; comments: number }[];
  messages: { failed: number; queued: number };
  storage: { files: number; bytes: number };
  databaseBytes: number;
  /** Requests under 법 제35조 to 제37조, and the earliest due day. */
  privacy: { open: number; overdue: number; nextDueDate: string | null };
  waitingInquiries: number;
  /** Undecided reports in the boards that the viewer manages. */
  openReports: number;
  waitingCorrections: number;
  /** Imports of the last seven days without any row, and jobs whose last run failed. */
  failedImports: number;
  failedJobs: string[];
  states: { database: HealthState; storage: HealthState; mail: HealthState; caseReport: HealthState };
  lastBackupDate: string | null;
  /** `first`: none yet on a new site. `late`: none within 26 hours. */
  backup: "ok" | "first" | "late";
  recent: { createdDate: string; actorName: string; action: string }[];
}

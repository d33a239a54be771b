import type { AlarmKind } from "./rules.ts";
import type { HealthState } from "../audit/view.ts";

export interface JobRow {
  name: string;
  label: string;
  startedDate: string | null;
  finishedDate: string | null;
  status: "ok" | "failed" | "running" | "killed" | "never";
  /** How often it looks whether there is work. */
  everyMinutes: number;
  /** The administrator lacks a right to run it by hand. */
  isLocked: boolean;
  /** When it begins again; null while it runs. */
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
  /** Of the encrypted parts. */
  bytes: number;
  files: number;
  missingFiles: number;
  /** From 0 to 1. */
  progress: number;
  interruptions: number;
  error: string;
}

export interface AlarmRow {
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
  /** Pages of the restored site that were read. */
  pages: number;
  error: string;
}

export interface JobsPageData {
  alarms: AlarmRow[];
  /** The last trial restore; null before the first. */
  drill: DrillView | null;
  jobs: JobRow[];
  backups: BackupRow[];
  /** May take a backup out: system administrators alone. */
  canDownload: boolean;
  /** Items that wait for the search index. */
  staleItems: number;
}

export interface DashboardView {
  members: { active: number; waiting: number; blocked: number; retired: number; newThisWeek: number };
  boards: { boardCode: string; boardName: string; itemCount: number }[];
  /** Thirty days up to today, oldest first, in Korean time. */
  days: { day: string; items: number; comments: number }[];
  messages: { failed: number; queued: number };
  storage: { files: number; bytes: number };
  databaseBytes: number;
  /** Requests of persons by 법 제35조 to 제37조, and the day of the one that is due first. */
  privacy: { open: number; overdue: number; nextDueDate: string | null };
  /** Questions that wait for an answer, for those who may give it. */
  waitingInquiries: number;
  /** Items and comments that were reported in the boards that the viewer manages, and not decided on. */
  openReports: number;
  /** Of the address book, for those who may decide them. */
  waitingCorrections: number;
  /** Imports of the last seven days that wrote nothing, and jobs whose last run failed. */
  failedImports: number;
  failedJobs: string[];
  states: { database: HealthState; storage: HealthState; mail: HealthState; caseReport: HealthState };
  lastBackupDate: string | null;
  /** `first`: there is none yet, on a site too young for one. `late`: none within 26 hours. */
  backup: "ok" | "first" | "late";
  recent: { createdDate: string; actorName: string; action: string }[];
}

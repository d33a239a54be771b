import { z } from "zod";
import type { AuditRow } from "../member/member.ts";
import type { Page } from "../kernel/envelope.ts";
import { id, line, pageNumber, pageSize, requiredLine } from "../kernel/fields.ts";

const day = z.iso.date({ error: "날짜를 2026-01-31 형식으로 입력해 주십시오." });
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const auditFilter = {
  /** The beginning of an action's code, for example `member` or `signin.failed`. */
  action: optional(z.string().regex(/^[A-Za-z][A-Za-z.-]{0,60}$/, "형식이 올바르지 않습니다.")),
  /** A part of the name of who did it. */
  actor: line(50).optional(),
  targetId: line(100).optional(),
  /** Whose data: a name, an ID, an e-mail address or a number; finds the exports that the person was in, too. */
  subject: line(100).optional(),
  address: line(64).optional(),
  from: optional(day),
  to: optional(day),
};
export const listAuditQuery = z.object({ ...auditFilter, page: pageNumber, size: pageSize(30) });
export type ListAuditQuery = z.output<typeof listAuditQuery>;
export const exportAuditInput = z.object({
  filter: z.object(auditFilter).default({}),
  format: z.enum(["csv", "xlsx"]).default("csv"),
  reason: requiredLine(200),
});
export const auditPath = z.object({
  auditId: z
    .string()
    .regex(/^[1-9]\d{0,11}$/)
    .transform(Number),
});
export const auditSubjectsQuery = z.object({ page: pageNumber });
export interface AuditSubjectRow {
  id: string;
  subjectType: "user" | "alumni";
  /** As the person is called now; empty when nothing is known any more. */
  name: string;
  email: string;
}
export interface AuditSubjects {
  row: AuditRow;
  people: Page<AuditSubjectRow>;
}
export type ExportAuditInput = z.output<typeof exportAuditInput>;

export const MESSAGE_STATUS_NAMES = { queued: "보낼 예정", sent: "보냄", failed: "실패" } as const;
export const listMessagesQuery = z.object({
  status: optional(z.enum(["queued", "sent", "failed"])),
  keyword: line(100).optional(),
  page: pageNumber,
  size: pageSize(30),
});
export type ListMessagesQuery = z.output<typeof listMessagesQuery>;
/** Some of the failed ones, or all of them. */
export const retryMessagesInput = z.union([
  z.object({ ids: z.array(id).min(1).max(200) }),
  z.object({ all: z.literal(true) }),
]);
export type RetryMessagesInput = z.output<typeof retryMessagesInput>;

export interface MessageRow {
  id: string;
  channel: "email" | "sms";
  recipient: string;
  subject: string;
  status: "queued" | "sent" | "failed";
  attempts: number;
  createdDate: string;
  sentDate: string | null;
  nextAttemptDate: string | null;
  /** Failed, and still whole: a letter with a code is not kept. */
  canRetry: boolean;
}

export interface JobRow {
  name: string;
  label: string;
  startedDate: string | null;
  finishedDate: string | null;
  status: "ok" | "failed" | "running" | "never";
  error: string;
}
export const jobPath = z.object({ name: z.string().regex(/^[a-z-]{1,40}$/) });
export interface RanJob {
  name: string;
  ok: boolean;
}
export interface BackupRow {
  key: string;
  size: number;
  createdDate: string;
}

type State = "ok" | "failed" | "off" | "local";
export interface Dashboard {
  members: { active: number; waiting: number; blocked: number; retired: number; newThisWeek: number };
  boards: { boardCode: string; boardName: string; itemCount: number }[];
  /** Thirty days up to today, oldest first, in Korean time. */
  days: { day: string; items: number; comments: number }[];
  messages: { failed: number; queued: number };
  storage: { files: number; bytes: number };
  databaseBytes: number;
  /** Requests of persons by 법 제35조 to 제37조, and the day of the one that is due first. */
  privacy: { open: number; overdue: number; nextDueDate: string | null };
  /** Items and comments that were reported in the boards that the viewer manages, and not decided on. */
  openReports: number;
  /** Imports of the last seven days that wrote nothing, and jobs whose last run failed. */
  failedImports: number;
  failedJobs: string[];
  states: { database: State; storage: State; mail: State; caseReport: State };
  lastBackupDate: string | null;
  /** `first`: there is none yet, on a site too young for one. `late`: none within 26 hours. */
  backup: "ok" | "first" | "late";
  recent: { createdDate: string; actorName: string; action: string }[];
}

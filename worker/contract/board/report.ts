import { z } from "zod";
import type { BoardInfo } from "./board.ts";
import type { Page } from "../kernel/envelope.ts";
import { id, line, pageNumber, pageSize, RESIDENT_NUMBER_MESSAGE, withoutResidentNumber } from "../kernel/fields.ts";

export const REPORT_REASONS = {
  abuse: "욕설이나 비방",
  privacy: "개인정보 노출",
  advertisement: "광고나 도배",
  copyright: "저작권 침해",
  other: "그 밖의 사유",
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
export const REPORT_REASON_CODES = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];
export const REPORT_TEXT_LENGTH = 500;

/** Of an item, or of one of its comments. */
export const reportInput = z
  .object({
    reason: z.enum(REPORT_REASON_CODES, { error: "신고 사유를 골라 주십시오." }),
    text: line(REPORT_TEXT_LENGTH).refine(withoutResidentNumber, RESIDENT_NUMBER_MESSAGE).default(""),
    commentId: id.nullish(),
  })
  .refine(({ reason, text }) => reason !== "other" || text !== "", {
    path: ["text"],
    error: "그 밖의 사유는 내용을 적어 주십시오.",
  });
export type ReportInput = z.output<typeof reportInput>;

export const listReportsQuery = z.object({
  status: z.enum(["open", "decided"]).default("open"),
  page: pageNumber,
  size: pageSize(20),
});
export type ListReportsQuery = z.output<typeof listReportsQuery>;

export const decideReportInput = z.object({ decision: z.enum(["dismiss", "hide"]), commentId: id.nullish() });
export type DecideReportInput = z.output<typeof decideReportInput>;

/** What was reported in one board, for who manages it. */
export interface BoardReportsPage extends Page<ReportedThing> {
  board: BoardInfo;
}

/** One item or comment, with everything that was reported of it. Who reported is kept from everybody. */
export interface ReportedThing {
  boardCode: string;
  boardName: string;
  itemNo: number;
  commentId: string | null;
  /** Of the item. */
  title: string;
  /** What was reported, without its tags. */
  content: string;
  createdUserName: string;
  /** It lies in the bin, or was deleted. */
  isGone: boolean;
  status: "open" | "dismissed" | "hidden";
  decidedDate: string | null;
  reports: { reason: ReportReason; text: string; createdDate: string }[];
}

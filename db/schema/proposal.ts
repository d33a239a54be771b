import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ProfileInput } from "#worker/contract/account/rules.ts";
import type {
  CallKind,
  CheckPoint,
  Criterion,
  Paper,
  ProposalCommand,
  ProposalQuestion,
  ProposalStatus,
  ReviewCommand,
  ReviewStatus,
} from "#worker/contract/proposal/proposal.ts";
import {
  dateColumn,
  flagColumn,
  orderColumn,
  partialIndex,
  partialUniqueIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";

const listColumn = <Row>() => text({ mode: "json" }).$type<Row[]>().notNull().default([]);

export const proposalCall = sqliteTable("proposal_call", {
  id: text().primaryKey(),
  title: requiredText(),
  kind: text().$type<CallKind>().notNull(),
  text: textColumn(),
  openDate: requiredDate(),
  /** Null for a call that never closes; its minute counts. */
  closeDate: dateColumn(),
  approveFrom: integer().notNull(),
  secondFrom: integer().notNull(),
  hidesReviewers: flagColumn(),
  checkDays: integer().notNull(),
  reviewDays: integer().notNull(),
  criteria: listColumn<Criterion>(),
  papers: listColumn<Paper>(),
  checks: listColumn<CheckPoint>(),
  questions: listColumn<ProposalQuestion>(),
  createdDate: requiredDate(),
  modifiedDate: requiredDate(),
  version: versionColumn(),
});

export const proposal = sqliteTable(
  "proposal",
  {
    id: text().primaryKey(),
    callId: requiredText(),
    /** The lead. */
    userId: requiredText(),
    /** As 2026-001 from the first submission on. */
    number: textColumn(),
    title: textColumn(),
    englishTitle: textColumn(),
    affiliation: textColumn(),
    status: text().$type<ProposalStatus>().notNull(),
    answers: text({ mode: "json" }).$type<ProfileInput>().notNull().default({}),
    /** Fields changed since it was returned. */
    changed: listColumn<string>(),
    checked: listColumn<string>(),
    round: integer().notNull().default(1),
    /** Of no conflict of interest. */
    hasStatement: flagColumn(),
    submittedDate: dateColumn(),
    /** Korean day by which the office or the reviewers act. */
    dueDay: textColumn(),
    /** Of the last return or decision. */
    reason: textColumn(),
    decidedDate: dateColumn(),
    deciderId: textColumn(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    partialUniqueIndex("proposal_number", sql`number <> ''`, table.number),
    index("proposal_user").on(table.userId, table.modifiedDate),
    index("proposal_state").on(table.status, table.submittedDate),
    index("proposal_call_proposals").on(table.callId),
  ],
);

/** Without the lead; an account is the one with the verified address. */
export const proposalApplicant = sqliteTable(
  "proposal_applicant",
  {
    proposalId: requiredText(),
    sortOrder: orderColumn(),
    name: textColumn(),
    email: textColumn(),
    affiliation: textColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.proposalId, table.sortOrder] }),
    partialIndex("proposal_applicant_email", sql`email <> ''`, table.email),
  ],
);

export const proposalReview = sqliteTable(
  "proposal_review",
  {
    id: text().primaryKey(),
    proposalId: requiredText(),
    userId: requiredText(),
    round: integer().notNull(),
    status: text().$type<ReviewStatus>().notNull(),
    /** Of the recusal. */
    reason: textColumn(),
    scores: text({ mode: "json" }).$type<Record<string, number>>().notNull().default({}),
    opinion: textColumn(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    version: versionColumn(),
  },
  (table) => [
    uniqueIndex("proposal_review_once").on(table.proposalId, table.round, table.userId),
    index("proposal_review_user").on(table.userId),
  ],
);

/** Each command, append only. */
export const proposalEvent = sqliteTable(
  "proposal_event",
  {
    id: text().primaryKey(),
    proposalId: requiredText(),
    userId: requiredText(),
    command: text().$type<"start" | ProposalCommand | `review.${ReviewCommand}`>().notNull(),
    reason: textColumn(),
    createdDate: requiredDate(),
  },
  (table) => [index("proposal_event_proposal").on(table.proposalId, table.createdDate)],
);

export const proposalFile = sqliteTable(
  "proposal_file",
  {
    fileId: text().primaryKey(),
    proposalId: requiredText(),
    /** Code of the call's paper. */
    paper: requiredText(),
    sortOrder: orderColumn(),
  },
  (table) => [index("proposal_file_proposal").on(table.proposalId)],
);

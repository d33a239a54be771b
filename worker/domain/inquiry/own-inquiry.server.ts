import { desc, eq, sql } from "drizzle-orm";
import { inquiry } from "#db/schema/inquiry.ts";
import type { InquiryMessageInput, ListOwnInquiriesQuery, SubmitInquiryInput } from "#worker/contract/inquiry/input.ts";
import type { InquiryRow } from "#worker/contract/inquiry/inquiry.ts";
import type { NewVersion, Page } from "#worker/contract/kernel/envelope.ts";
import type { AppContext, View } from "#worker/domain/kernel/context.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { can, requireSignedIn } from "../kernel/authorize.server.ts";
import { runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { storeIdempotentAnswer } from "../kernel/idempotency.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import {
  closeInquiryBatch,
  filesUsableGuard,
  furtherMessage,
  inquiryNotFound,
  type InquiryRecord,
  inquiryRowView,
  messageStatements,
  messageView,
  threadStatements,
} from "./message.server.ts";

/** @throws AppError TOO_MANY_REQUESTS, INVALID_INPUT for another person's files */
export async function submitInquiry(ctx: AppContext, input: SubmitInquiryInput): Promise<{ id: string }> {
  const { userId } = requireSignedIn(ctx);
  await countLimits(ctx, ["inquiryDay", userId]);
  const now = ctx.now();
  const id = crypto.randomUUID();
  const { category, subject } = input;
  await runGuardedBatch(
    ctx,
    [filesUsableGuard(ctx, input.fileIds)],
    [
      ctx.db
        .insert(inquiry)
        .values({ id, userId, category, subject, status: "waiting", createdDate: now, lastDate: now }),
      ...messageStatements(ctx, id, false, input),
      ...auditPeople(ctx, { action: "inquiry.submit", targetType: "inquiry", targetId: id, detail: { category } }, [
        userId,
      ]),
      ...storeIdempotentAnswer(ctx, { id }),
    ],
  );
  return { id };
}

export async function listOwnInquiries(ctx: AppContext, query: ListOwnInquiriesQuery): Promise<Page<InquiryRow>> {
  const { userId } = requireSignedIn(ctx);
  const mine = eq(inquiry.userId, userId);
  const [rows, counts] = await ctx.db.batch([
    rowsOfPage(ctx.db.select().from(inquiry).where(mine).orderBy(desc(inquiry.lastDate), desc(inquiry.id)), query),
    countRows(ctx.db, inquiry, mine),
  ]);
  return makeCountedPage(query, rows.map(inquiryRowView), counts);
}

/** Only the member's own; everyone else, including the office, gets NOT_FOUND. @throws AppError NOT_FOUND */
export async function getOwnInquiry(ctx: AppContext, id: string) {
  requireSignedIn(ctx);
  const [[row], messages, files] = await ctx.db.batch([
    ctx.db.select().from(inquiry).where(eq(inquiry.id, id)),
    ...threadStatements(ctx.db, sql`SELECT ${id}`),
  ]);
  const own = requireOwn(ctx, row);
  return { ...inquiryRowView(own), messages: messages.map((each) => messageView(each, files)) };
}

/** Hides who of the office answered. */
type OwnInquiry = View<typeof getOwnInquiry>;

function requireOwn(ctx: AppContext, row: InquiryRecord | undefined): InquiryRecord {
  if (!row || !can(ctx.actor, { action: "User.Self", userId: row.userId })) throw inquiryNotFound();
  return row;
}

async function requireOwnInquiry(ctx: AppContext, id: string): Promise<InquiryRecord> {
  const [row] = await ctx.db.select().from(inquiry).where(eq(inquiry.id, id));
  return requireOwn(ctx, row);
}

/** Sets the inquiry to waiting again. @throws AppError NOT_FOUND, CONFLICT, TOO_MANY_REQUESTS */
export async function addInquiryMessage(
  ctx: AppContext,
  id: string,
  input: InquiryMessageInput,
): Promise<{ id: string }> {
  const { userId } = requireSignedIn(ctx);
  await requireOwnInquiry(ctx, id);
  await countLimits(ctx, ["inquiryDay", userId]);
  const { guards, statements } = furtherMessage(ctx, id, input, "waiting");
  await runGuardedBatch(ctx, guards, [
    ...statements,
    ...auditPeople(ctx, { action: "inquiry.add", targetType: "inquiry", targetId: id }, [userId]),
    ...storeIdempotentAnswer(ctx, { id }),
  ]);
  return { id };
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function closeOwnInquiry(ctx: AppContext, id: string, version: number): Promise<NewVersion> {
  requireSignedIn(ctx);
  await requireOwnInquiry(ctx, id);
  return closeInquiryBatch(ctx, id, version);
}

export async function exportOwnInquiries(ctx: AppContext): Promise<OwnInquiry[]> {
  const { userId } = requireSignedIn(ctx);
  const [rows, messages, files] = await ctx.db.batch([
    ctx.db.select().from(inquiry).where(eq(inquiry.userId, userId)).orderBy(desc(inquiry.createdDate)),
    ...threadStatements(ctx.db, sql`SELECT id FROM inquiry WHERE user_id = ${userId}`),
  ]);
  return rows.map((row) => ({
    ...inquiryRowView(row),
    messages: messages.filter(({ inquiryId }) => inquiryId === row.id).map((each) => messageView(each, files)),
  }));
}

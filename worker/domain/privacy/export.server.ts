import { desc, eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import { destruction } from "#db/schema/audit.ts";
import type { AppContext, Parsed } from "#worker/domain/kernel/context.ts";
import { koreanDay, koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { DESTRUCTION_RULE_NAMES } from "#worker/contract/audit/retention-rules.ts";
import type { exportDestructionsInput } from "#worker/contract/audit/input.ts";
import type { exportRequestsInput } from "#worker/contract/privacy/input.ts";
import { REQUEST_DESK, REQUEST_KIND_NAMES } from "#worker/contract/privacy/privacy.ts";
import { authorizeConsole } from "../kernel/authorize.server.ts";
import { auditedSheet, countExport } from "../kernel/sheet-download.server.ts";
import { DESTRUCTION_COLUMNS, destructionWhere } from "../audit/destruction.server.ts";
import { privacyRequestWhere } from "./request.server.ts";

const EXPORT_MAX = 20_000;
const ADMINISTRATOR_NAME = sql<string>`coalesce("user"."user_name", '')`.as("handler_name");

/** Includes words and answers; the audit log records the people. @throws AppError TOO_MANY_REQUESTS */
export async function exportPrivacyRequests(ctx: AppContext, input: Parsed<typeof exportRequestsInput>) {
  authorizeConsole(ctx);
  await countExport(ctx);
  const rows = await ctx.db
    .select({ request: privacyRequest, handlerName: ADMINISTRATOR_NAME })
    .from(privacyRequest)
    .leftJoin(user, eq(user.id, privacyRequest.handlerUserId))
    .where(privacyRequestWhere(input.filter, ctx.now()))
    .orderBy(desc(privacyRequest.receivedDate))
    .limit(EXPORT_MAX);
  const people = rows.map(({ request }) => request.userId);
  const entry = { action: "privacy.export", targetType: "export", detail: { filter: input.filter }, people } as const;
  return auditedSheet(ctx, input, entry, "개인정보요청", rows, [
    { label: "종류", text: ({ request }) => REQUEST_KIND_NAMES[request.kind] },
    { label: "상태", text: ({ request }) => REQUEST_DESK.states[request.status] },
    { label: "요청한 사람", text: ({ request }) => request.requesterName },
    { label: "회원 여부", text: ({ request }) => (request.userId ? "회원" : "회원 아님") },
    { label: "답변을 받을 곳", text: ({ request }) => request.contact },
    { label: "받은 날", text: ({ request }) => koreanDay(request.receivedDate) },
    { label: "처리 기한", text: ({ request }) => koreanDay(request.dueDate) },
    { label: "기한을 늦춘 사유", text: ({ request }) => request.extendedReason },
    { label: "처리한 때", text: ({ request }) => (request.closedDate ? koreanDateTime(request.closedDate) : "") },
    { label: "처리한 사람", text: ({ handlerName }) => handlerName },
    { label: "내용", text: ({ request }) => request.content },
    { label: "답변", text: ({ request }) => request.answer },
  ]);
}

/** Contains no names. @throws AppError TOO_MANY_REQUESTS */
export async function exportDestructions(ctx: AppContext, input: Parsed<typeof exportDestructionsInput>) {
  authorizeConsole(ctx);
  await countExport(ctx);
  const rows = await ctx.db
    .select(DESTRUCTION_COLUMNS)
    .from(destruction)
    .leftJoin(user, eq(user.id, destruction.actorUserId))
    .where(destructionWhere(input.filter))
    .orderBy(desc(destruction.id))
    .limit(EXPORT_MAX);
  const entry = { action: "retention.export", targetType: "destruction", detail: { filter: input.filter } } as const;
  return auditedSheet(ctx, input, entry, "파기대장", rows, [
    { label: "번호", text: ({ id }) => id },
    { label: "파기한 때", text: ({ createdDate }) => koreanDateTime(createdDate) },
    { label: "무엇을", text: ({ kind }) => kind },
    { label: "건수", text: ({ count }) => count },
    { label: "규칙", text: ({ rule }) => DESTRUCTION_RULE_NAMES[rule] ?? rule },
    { label: "근거", text: ({ basis }) => basis },
    { label: "누구의 것(번호)", text: ({ subjectRef }) => subjectRef },
    { label: "누가", text: (row) => (row.actorUserId === null ? "예약 작업" : row.actorName || "탈퇴한 회원") },
  ]);
}

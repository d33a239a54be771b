import { desc, eq, sql } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { privacyRequest } from "#db/schema/privacy.ts";
import { destruction } from "#db/schema/audit.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { koreanDay, koreanDateTime } from "#worker/contract/kernel/korea.ts";
import { DESTRUCTION_RULE_NAMES } from "#worker/contract/audit/retention-rules.ts";
import type { ExportDestructionsInput } from "#worker/contract/audit/input.ts";
import type { ExportRequestsInput } from "#worker/contract/privacy/input.ts";
import { REQUEST_DESK, REQUEST_KIND_NAMES } from "#worker/contract/privacy/privacy.ts";
import { authorizeConsole, requireSignedIn } from "../kernel/authorize.server.ts";
import { type SheetDownload, sheetDownload } from "../kernel/sheet-download.server.ts";
import { audit, auditPeople } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { DESTRUCTION_COLUMNS, destructionWhere } from "../audit/destruction.server.ts";
import { privacyRequestWhere } from "./request.server.ts";

const EXPORT_MAX = 20_000;
const ADMINISTRATOR_NAME = sql<string>`coalesce("user"."user_name", '')`.as("handler_name");

/** Includes words and answers; the audit log records the people. @throws AppError TOO_MANY_REQUESTS */
export async function exportPrivacyRequests(ctx: AppContext, input: ExportRequestsInput): Promise<SheetDownload> {
  authorizeConsole(ctx);
  await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
  const rows = await ctx.db
    .select({ request: privacyRequest, handlerName: ADMINISTRATOR_NAME })
    .from(privacyRequest)
    .leftJoin(user, eq(user.id, privacyRequest.handlerUserId))
    .where(privacyRequestWhere(input.filter, ctx.now()))
    .orderBy(desc(privacyRequest.receivedDate))
    .limit(EXPORT_MAX);
  const { filter, format, reason } = input;
  await ctx.db.batch(
    auditPeople(
      ctx,
      { action: "privacy.export", targetType: "export", reason, detail: { filter, format } },
      rows.map(({ request }) => request.userId),
    ),
  );
  const header = [
    ["종류", "상태", "요청한 사람", "회원 여부", "답변을 받을 곳", "받은 날", "처리 기한", "기한을 늦춘 사유"],
    ["처리한 때", "처리한 사람", "내용", "답변"],
  ].flat();
  return sheetDownload(ctx, format, "개인정보요청", header, rows, ({ request, handlerName }) => [
    REQUEST_KIND_NAMES[request.kind],
    REQUEST_DESK.states[request.status],
    request.requesterName,
    request.userId ? "회원" : "회원 아님",
    request.contact,
    koreanDay(request.receivedDate),
    koreanDay(request.dueDate),
    request.extendedReason,
    request.closedDate ? koreanDateTime(request.closedDate) : "",
    handlerName,
    request.content,
    request.answer,
  ]);
}

/** Contains no names. @throws AppError TOO_MANY_REQUESTS */
export async function exportDestructions(ctx: AppContext, input: ExportDestructionsInput): Promise<SheetDownload> {
  authorizeConsole(ctx);
  await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
  const { filter, format, reason } = input;
  const rows = await ctx.db
    .select(DESTRUCTION_COLUMNS)
    .from(destruction)
    .leftJoin(user, eq(user.id, destruction.actorUserId))
    .where(destructionWhere(filter))
    .orderBy(desc(destruction.id))
    .limit(EXPORT_MAX);
  await audit(ctx, {
    action: "retention.export",
    targetType: "destruction",
    reason,
    detail: { filter, format, rows: rows.length },
  }).run();
  const header = ["번호", "파기한 때", "무엇을", "건수", "규칙", "근거", "누구의 것(번호)", "누가"];
  return sheetDownload(ctx, format, "파기대장", header, rows, (row) => [
    row.id,
    koreanDateTime(row.createdDate),
    row.kind,
    row.count,
    DESTRUCTION_RULE_NAMES[row.rule] ?? row.rule,
    row.basis,
    row.subjectRef,
    row.actorUserId === null ? "예약 작업" : row.actorName || "탈퇴한 회원",
  ]);
}

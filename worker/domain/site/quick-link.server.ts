import { asc, sql } from "drizzle-orm";
import { quickLink } from "#db/schema/site.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AdminQuickLink } from "#worker/contract/site/view.ts";
import type { NewVersion } from "#worker/contract/kernel/envelope.ts";
import type { CreateQuickLinkInput, UpdateQuickLinkInput } from "#worker/contract/site/input.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { QUICK_LINKS_MAX } from "#worker/contract/site/rules.ts";
import { keepAnswer } from "../kernel/idempotency.server.ts";
import { authorizeConsole, runGuardedBatch, conflict } from "../kernel/guarded-batch.server.ts";
import { deleteOrderedRow, lastPlace, orderRows, requireRow, updateRow } from "../kernel/ordered-rows.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { linkProblem } from "./link.server.ts";

const QUICK_LINKS = {
  table: quickLink,
  key: quickLink.id,
  auditName: "quick-link" as const,
  notFoundMessage: "바로가기를 찾을 수 없습니다.",
};

export async function listQuickLinks(scope: RequestScope): Promise<AdminQuickLink[]> {
  const { rows } = await scope.readFor(authorizeConsole, [
    scope.db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)),
  ]);
  return rows[0].map(({ sortOrder: _order, ...row }) => row);
}

async function checkHref(ctx: AppContext, href: string): Promise<void> {
  const problem = await linkProblem(ctx, href);
  if (problem) throw invalidInput({ href: problem });
}

/** @throws AppError INVALID_INPUT, CONFLICT when there is no room for another */
export async function createQuickLink(ctx: AppContext, input: CreateQuickLinkInput): Promise<{ id: string }> {
  authorizeConsole(ctx);
  await checkHref(ctx, input.href);
  const id = crypto.randomUUID();
  const room = {
    holds: sql`(SELECT count(*) FROM quick_link) < ${QUICK_LINKS_MAX}`,
    error: () => conflict(`바로가기는 ${QUICK_LINKS_MAX}개까지 둘 수 있습니다. 하나를 고치거나 지워 주십시오.`),
  };
  await runGuardedBatch(
    ctx,
    [room],
    [
      ctx.db.insert(quickLink).values({
        ...input,
        id,
        sortOrder: lastPlace(quickLink),
      }),
      audit(ctx, { action: "quick-link.create", targetType: "quick-link", targetId: id, detail: { after: input } }),
      ...keepAnswer(ctx, { id }),
    ],
  );
  return { id };
}

/** @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
export async function updateQuickLink(ctx: AppContext, id: string, input: UpdateQuickLinkInput): Promise<NewVersion> {
  authorizeConsole(ctx);
  const { version, ...value } = input;
  const before = await requireRow(ctx, QUICK_LINKS, id);
  await checkHref(ctx, value.href);
  return updateRow(ctx, QUICK_LINKS, { key: id, version }, before, value);
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function deleteQuickLink(ctx: AppContext, id: string, version: number): Promise<{ id: string }> {
  authorizeConsole(ctx);
  const before = await requireRow(ctx, QUICK_LINKS, id);
  return deleteOrderedRow(ctx, QUICK_LINKS, { key: id, version }, { before });
}

export async function orderQuickLinks(ctx: AppContext, ids: string[]): Promise<{ codes: string[] }> {
  authorizeConsole(ctx);
  return orderRows(ctx, quickLink, "quick-link", ids);
}

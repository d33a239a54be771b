import { asc, eq, sql } from "drizzle-orm";
import { quickLink } from "#db/schema/site.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import type { AdminQuickLink } from "#worker/contract/site/view.ts";
import type { CreateQuickLinkInput, UpdateQuickLinkInput } from "#worker/contract/site/input.ts";
import { AppError, invalidInput } from "#worker/contract/kernel/errors.ts";
import { QUICK_LINKS_MAX } from "#worker/contract/site/rules.ts";
import { authorizeConsole, runGuardedBatch, conflict, auditDifference } from "../kernel/guarded-batch.server.ts";
import { lastPlace, orderRows, unchangedRow } from "../kernel/ordered-rows.server.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { linkProblem } from "./link.server.ts";

const quickLinkNotFound = () => new AppError("NOT_FOUND", { message: "바로가기를 찾을 수 없습니다." });
const quickLinkAuditTarget = (id: string) => ({ targetType: "quick-link", targetId: id }) as const;

/** The home page's ways on, in their order. Needs ADMIN_Access, like all below. */
export async function listQuickLinks(scope: RequestScope): Promise<AdminQuickLink[]> {
  const { ctx, rows } = await scope.read([
    scope.db.select().from(quickLink).orderBy(asc(quickLink.sortOrder), asc(quickLink.id)),
  ]);
  authorizeConsole(ctx);
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
      audit(ctx, { action: "quick-link.create", ...quickLinkAuditTarget(id), detail: { after: input } }),
    ],
  );
  return { id };
}

/** @throws AppError NOT_FOUND, INVALID_INPUT, CONFLICT */
export async function updateQuickLink(
  ctx: AppContext,
  id: string,
  input: UpdateQuickLinkInput,
): Promise<{ version: number }> {
  authorizeConsole(ctx);
  const { version, ...value } = input;
  const [before] = await ctx.db.select().from(quickLink).where(eq(quickLink.id, id));
  if (!before) throw quickLinkNotFound();
  await checkHref(ctx, value.href);
  await runGuardedBatch(
    ctx,
    [unchangedRow(quickLink, id, version)],
    [
      ctx.db
        .update(quickLink)
        .set({ ...value, version: version + 1 })
        .where(eq(quickLink.id, id)),
      audit(ctx, { action: "quick-link.change", ...quickLinkAuditTarget(id), detail: auditDifference(before, value) }),
    ],
  );
  return { version: version + 1 };
}

/** @throws AppError NOT_FOUND, CONFLICT */
export async function deleteQuickLink(ctx: AppContext, id: string, version: number): Promise<{ id: string }> {
  authorizeConsole(ctx);
  const [before] = await ctx.db.select().from(quickLink).where(eq(quickLink.id, id));
  if (!before) throw quickLinkNotFound();
  await runGuardedBatch(
    ctx,
    [unchangedRow(quickLink, id, version)],
    [
      ctx.db.delete(quickLink).where(eq(quickLink.id, id)),
      audit(ctx, { action: "quick-link.delete", ...quickLinkAuditTarget(id), detail: { before } }),
    ],
  );
  return { id };
}

export async function orderQuickLinks(ctx: AppContext, ids: string[]): Promise<{ codes: string[] }> {
  authorizeConsole(ctx);
  return orderRows(ctx, quickLink, "quick-link", ids);
}

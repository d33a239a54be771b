import { desc, eq, sql } from "drizzle-orm";
import { proposal } from "#db/schema/proposal.ts";
import type { listProjectsQuery } from "#worker/contract/proposal/input.ts";
import type { ApprovedProject } from "#worker/contract/proposal/view.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import type { Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { fieldsOf } from "#worker/domain/kernel/fields-of.ts";
import { countRows, makeCountedPage, rowsOfPage } from "../kernel/page.server.ts";
import { requireProposals } from "../kernel/site-identity.server.ts";

const APPROVED = eq(proposal.status, "approved");

/** Approved projects, for everybody. @throws AppError NOT_FOUND where the site takes no proposals */
export async function listApprovedProjects(
  scope: RequestScope,
  query: Parsed<typeof listProjectsQuery>,
): Promise<Page<ApprovedProject>> {
  const { ctx, rows } = await scope.read([
    rowsOfPage(
      scope.db
        .select({
          row: proposal,
          userName: sql<string>`coalesce((SELECT user_name FROM user WHERE user.id = ${proposal.userId}), '')`.as(
            "lead_name",
          ),
          callTitle: sql<string>`coalesce((SELECT title FROM proposal_call WHERE id = ${proposal.callId}), '')`.as(
            "call_title",
          ),
        })
        .from(proposal)
        .where(APPROVED)
        .orderBy(desc(proposal.decidedDate), desc(proposal.id)),
      query,
    ),
    countRows(scope.db, proposal, APPROVED),
  ]);
  requireProposals(ctx);
  const content = rows[0].map(({ row, ...names }) => ({
    ...fieldsOf(row, "number", "title", "englishTitle", "affiliation"),
    ...names,
    approvedDay: koreanDay(row.decidedDate ?? row.modifiedDate),
  }));
  return makeCountedPage(query, content, rows[1]);
}

import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { file } from "#db/schema/file.ts";
import { proposal, proposalApplicant, proposalEvent, proposalFile, proposalReview } from "#db/schema/proposal.ts";

/** Destroys proposals with all of theirs; the upload clean-up deletes their files. @param which IDs */
export const destroyProposalStatements = (db: Db, which: SQL) => [
  db
    .update(file)
    .set({ status: "ready", createdDate: new Date(0) })
    .where(sql`${file.id} IN (SELECT file_id FROM proposal_file WHERE proposal_id IN (${which}))`),
  ...[proposalFile, proposalApplicant, proposalReview, proposalEvent].map((table) =>
    db.delete(table).where(sql`${table.proposalId} IN (${which})`),
  ),
  db.delete(proposal).where(sql`${proposal.id} IN (${which})`),
];

import { asc } from "drizzle-orm";
import { role } from "#db/schema/access.ts";
import type { RoleDocument } from "#worker/contract/access/input.ts";
import { type RowTransfer, stampOf, writeRow } from "../kernel/row-transfer.server.ts";

/** The importer's right to grant is checked separately (`authorizeRoleChanges`). */
export const roleTransfer: RowTransfer<typeof role.$inferSelect, RoleDocument> = {
  select: (db) => db.select().from(role).orderBy(asc(role.roleCode)),
  stamp: stampOf(role, role.roleCode, role.version),
  documentOf: ({ roleCode, roleName, permissions }) => ({ roleCode, roleName, permissions }),
  keyOf: ({ roleCode }) => roleCode,
  rowKeyOf: ({ roleCode }) => roleCode,
  nameOf: ({ roleName }) => roleName,
  write: (ctx, document) => [writeRow(ctx, role, role.roleCode, document)],
};

import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { dateColumn, flagColumn, requiredDate, requiredText, versionColumn } from "../columns.ts";

export const role = sqliteTable("role", {
  roleCode: text().primaryKey(),
  roleName: requiredText(),
  permissions: text({ mode: "json" }).$type<string[]>().notNull(),
  isBuiltIn: flagColumn(),
  version: versionColumn(),
});

export const roleGrant = sqliteTable(
  "role_grant",
  {
    id: text().primaryKey(),
    userId: requiredText(),
    roleCode: requiredText(),
    startDate: requiredDate(),
    /** Exclusive; null until ended. */
    endDate: dateColumn(),
    createdDate: requiredDate(),
  },
  (table) => [index("role_grant_user").on(table.userId, table.startDate), index("role_grant_role").on(table.roleCode)],
);

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { MemberStatus, ProfileInputType, UserKeyType } from "#worker/contract/account/rules.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import {
  closableColumns,
  dateColumn,
  flagColumn,
  partialUniqueIndex,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";
import { role } from "./access.ts";

export const user = sqliteTable(
  "user",
  {
    id: text().primaryKey(),
    userName: requiredText(),
    userType: text().$type<"Member" | "Admin">().notNull(),
    roleCode: requiredText().references(() => role.roleCode),
    status: text().$type<MemberStatus>().notNull(),
    passwordHash: requiredText(),
    profile: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Of letters to this person. */
    language: text().$type<Language>().notNull().default("ko"),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    lastSigninDate: dateColumn(),
    version: versionColumn(),
  },
  (table) => [
    index("user_created").on(table.createdDate),
    index("user_role").on(table.roleCode, table.userType),
    index("user_name").on(table.userName),
  ],
);

export const userKey = sqliteTable(
  "user_key",
  {
    userKeyType: text().$type<UserKeyType>().notNull(),
    /** Normalised by `normaliseUserKey`. */
    userKeyCode: requiredText(),
    userId: requiredText().references(() => user.id),
    verifiedDate: dateColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.userKeyType, table.userKeyCode] }),
    uniqueIndex("user_key_user").on(table.userId, table.userKeyType),
  ],
);

/** Accepted and declined alike. */
export const userConsent = sqliteTable(
  "user_consent",
  {
    userId: requiredText(),
    code: requiredText(),
    version: requiredText(),
    agreed: flagColumn(),
    textHash: requiredText(),
    createdDate: requiredDate(),
    /** Last reminder of the consent (망법 제50조: every two years). */
    confirmedDate: dateColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.code, table.version, table.createdDate] }),
    index("user_consent_code").on(table.code, table.createdDate),
  ],
);

export const session = sqliteTable(
  "session",
  {
    id: text().primaryKey(),
    userId: requiredText().references(() => user.id),
    createdDate: requiredDate(),
    lastUsedDate: requiredDate(),
    expiresDate: requiredDate(),
    revokedDate: dateColumn(),
    revokedReason: text(),
    userAgent: requiredText(),
    address: requiredText(),
    /** Last second-factor check in this session; null limits a person with a second factor to guest rights. */
    secondFactorDate: dateColumn(),
    /** Last password re-entry in this session, for accounts without a second factor. */
    passwordDate: dateColumn(),
  },
  (table) => [index("session_user").on(table.userId, table.createdDate)],
);

export const refreshToken = sqliteTable(
  "refresh_token",
  {
    hash: text().primaryKey(),
    sessionId: requiredText().references(() => session.id),
    createdDate: requiredDate(),
    expiresDate: requiredDate(),
    usedDate: dateColumn(),
    successorCount: integer().notNull().default(0),
    /** Token that was exchanged for this one. */
    parentHash: text(),
    /** Keyed hash of the attempt that used it, so that its browser may retry a lost answer. */
    attemptHash: text(),
  },
  (table) => [index("refresh_token_session").on(table.sessionId)],
);

/** Sent code or verified key. KV keeps the sealed token; attempts are counted here, as KV cannot count. */
export const verification = sqliteTable(
  "verification",
  {
    tokenHash: text().primaryKey(),
    purpose: text().$type<"code" | "verified" | "reset" | "entry" | "entryVerified" | "undo" | "join">().notNull(),
    /** Keyed hash of the address, to expire older codes and to be removed on retirement. */
    keyHash: requiredText(),
    attempts: integer().notNull().default(0),
    createdDate: requiredDate(),
    expiresDate: requiredDate(),
    usedDate: dateColumn(),
    /** Account the key created, so that a repeated sign-up is answered alike; or the one a link reverts or joins. */
    usedByUserId: text(),
  },
  (table) => [
    index("verification_key").on(table.keyHash, table.purpose),
    index("verification_expires").on(table.expiresDate),
  ],
);

export const profileField = sqliteTable("profile_field", {
  code: text().primaryKey(),
  name: requiredText(),
  inputType: text().$type<ProfileInputType>().notNull(),
  required: flagColumn(),
  detail: text({ mode: "json" }).$type<string[]>().notNull(),
  englishName: textColumn(),
  /** In the order of `detail`. */
  englishDetail: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  ...closableColumns(),
});

export const secondFactor = sqliteTable(
  "second_factor",
  {
    id: text().primaryKey(),
    userId: requiredText().references(() => user.id),
    kind: text().$type<"passkey" | "totp">().notNull(),
    name: requiredText(),
    createdDate: requiredDate(),
    lastUsedDate: dateColumn(),
    /** Passkey: base64url, as browsers name it. */
    credentialId: text().unique(),
    /** Passkey: COSE key, base64url. */
    publicKey: text(),
    /** Passkey: signature counter; stays 0 where the device does not count. */
    counter: integer().notNull().default(0),
    transports: text({ mode: "json" }).$type<string[]>(),
    /** App: encrypted with a key outside the database. */
    sealedSecret: text(),
    /** App: newest 30-second step used, so that no code works twice. */
    lastStep: integer(),
  },
  (table) => [
    index("second_factor_user").on(table.userId),
    partialUniqueIndex("second_factor_totp", sql`kind = 'totp'`, table.userId),
  ],
);

export const recoveryCode = sqliteTable(
  "recovery_code",
  {
    hash: text().primaryKey(),
    userId: requiredText().references(() => user.id),
    createdDate: requiredDate(),
    usedDate: dateColumn(),
  },
  (table) => [index("recovery_code_user").on(table.userId)],
);

/**
 * Used challenge or set-up token. The signed token holds purpose, owner and expiry; the primary key makes it
 * single-use.
 */
export const secondFactorChallenge = sqliteTable(
  "second_factor_challenge",
  {
    hash: text().primaryKey(),
    expiresDate: requiredDate(),
  },
  (table) => [index("second_factor_challenge_expires").on(table.expiresDate)],
);

/** Administrator's permission to skip a lost second factor; usable a day later, by the owner only. */
export const secondFactorRecovery = sqliteTable(
  "second_factor_recovery",
  {
    id: text().primaryKey(),
    userId: requiredText().references(() => user.id),
    requestedByUserId: requiredText(),
    reason: requiredText(),
    createdDate: requiredDate(),
    usableDate: requiredDate(),
    expiresDate: requiredDate(),
    closedDate: dateColumn(),
  },
  (table) => [partialUniqueIndex("second_factor_recovery_open", sql`closed_date IS NULL`, table.userId)],
);

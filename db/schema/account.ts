import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { UserKeyType } from "#worker/contract/account/rules.ts";
import {
  closableColumns,
  dateColumn,
  flagColumn,
  requiredDate,
  requiredText,
  textColumn,
  versionColumn,
} from "../columns.ts";
import { partialUniqueIndex } from "../indexes.ts";
import { role } from "./access.ts";

export const user = sqliteTable(
  "user",
  {
    id: text().primaryKey(),
    userName: requiredText(),
    userType: text().$type<"Member" | "Admin">().notNull(),
    roleCode: requiredText().references(() => role.roleCode),
    status: text().$type<"active" | "waiting" | "blocked" | "retired">().notNull(),
    passwordHash: requiredText(),
    profile: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdDate: requiredDate(),
    modifiedDate: requiredDate(),
    lastSigninDate: dateColumn(),
    version: versionColumn(),
  },
  (table) => [index("user_created").on(table.createdDate), index("user_role").on(table.roleCode, table.userType)],
);

/** What a person signs in with or is reached by; the primary key is what makes a key unique under a race. */
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
    /** When the person was last reminded of having agreed (망법 제50조: every two years). */
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
    /** When a second factor was last shown in this session; none yet where the person has one: a guest until then. */
    secondFactorDate: dateColumn(),
    /** When the password was asked for again in this session, by those who have no second factor yet. */
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
    /** The token that this one was given for. */
    parentHash: text(),
    /** Keyed hash of the attempt that used it: the same browser, without its answer, may ask again. */
    attemptHash: text(),
  },
  (table) => [index("refresh_token_session").on(table.sessionId)],
);

/**
 * A sent code or a verified key. KV keeps the sealed token itself (whose key, which code);
 * its attempts and its use are counted here, because KV cannot count.
 */
export const verification = sqliteTable(
  "verification",
  {
    tokenHash: text().primaryKey(),
    purpose: text().$type<"code" | "verified" | "reset" | "entry" | "entryVerified" | "undo">().notNull(),
    /** Keyed hash of the address, to end older codes and to find nothing after retirement. */
    keyHash: requiredText(),
    attempts: integer().notNull().default(0),
    createdDate: requiredDate(),
    expiresDate: requiredDate(),
    usedDate: dateColumn(),
    /** The account that a verified key made, so that a repeated sign-up answers like the first; or whose change a link undoes. */
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
  inputType: requiredText(),
  required: flagColumn(),
  detail: text({ mode: "json" }).$type<string[]>().notNull(),
  /** What the English pages call it; empty where they say the Korean name. */
  englishName: textColumn(),
  /** In the order of `detail`. */
  englishDetail: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  ...closableColumns(),
});

/** A passkey, or an app that makes codes: what a person shows beside the password. */
export const secondFactor = sqliteTable(
  "second_factor",
  {
    id: text().primaryKey(),
    userId: requiredText().references(() => user.id),
    kind: text().$type<"passkey" | "totp">().notNull(),
    /** By which the person knows it apart from others. */
    name: requiredText(),
    createdDate: requiredDate(),
    lastUsedDate: dateColumn(),
    /** Of a passkey: base64url, as browsers name it. */
    credentialId: text().unique(),
    /** Of a passkey: COSE key, base64url. */
    publicKey: text(),
    /** Of a passkey: signatures so far; 0 for ever where it does not count. */
    counter: integer().notNull().default(0),
    transports: text({ mode: "json" }).$type<string[]>(),
    /** Of an app: encrypted with a key that the database does not hold. */
    sealedSecret: text(),
    /** Of an app: the newest 30 seconds whose code was used, so that none is good twice. */
    lastStep: integer(),
  },
  (table) => [
    index("second_factor_user").on(table.userId),
    partialUniqueIndex("second_factor_totp", sql`kind = 'totp'`, table.userId),
  ],
);

/** Ten for each person who has a second factor, each good once. */
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
 * A challenge or set-up token that was used. What it is good for, for whom and until when stands in it, signed;
 * the primary key is what makes each good once.
 */
export const secondFactorChallenge = sqliteTable(
  "second_factor_challenge",
  {
    hash: text().primaryKey(),
    expiresDate: requiredDate(),
  },
  (table) => [index("second_factor_challenge_expires").on(table.expiresDate)],
);

/** An administrator's leave to do without the second factor that somebody lost; good a day later, for its owner alone. */
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
    /** Used, cancelled or replaced. */
    closedDate: dateColumn(),
  },
  (table) => [partialUniqueIndex("second_factor_recovery_open", sql`closed_date IS NULL`, table.userId)],
);

import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
export * from "./schema-board.ts";
import type { UserKeyType } from "#worker/contract/account/rules.ts";

export * from "./schema-content.ts";
export { itemDraft } from "./schema-draft.ts";
export * from "./schema-mail.ts";

const date = () => integer({ mode: "timestamp_ms" });
const flag = () => integer({ mode: "boolean" }).notNull().default(false);
const version = () => integer().notNull().default(1);

/** Site-wide settings, one JSON document a key (`site`, `authentication`). */
export const siteSetting = sqliteTable("site_setting", {
  key: text().primaryKey(),
  value: text({ mode: "json" }).notNull(),
  version: version(),
  modifiedDate: date().notNull(),
});

export const profileField = sqliteTable("profile_field", {
  code: text().primaryKey(),
  name: text().notNull(),
  inputType: text().notNull(),
  required: flag(),
  detail: text({ mode: "json" }).$type<string[]>().notNull(),
  sortOrder: integer().notNull().default(0),
  isClosed: flag(),
  version: version(),
});

/** Every version ever published; the newest effective one is asked for. */
export const agreement = sqliteTable(
  "agreement",
  {
    code: text().notNull(),
    version: text().notNull(),
    title: text().notNull(),
    required: flag(),
    content: text().notNull(),
    textHash: text().notNull(),
    effectiveDate: date().notNull(),
    isCurrent: flag(),
    sortOrder: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.code, table.version] }),
    uniqueIndex("agreement_current")
      .on(table.code)
      .where(sql`is_current = 1`),
  ],
);

export const role = sqliteTable("role", {
  roleCode: text().primaryKey(),
  roleName: text().notNull(),
  permissions: text({ mode: "json" }).$type<string[]>().notNull(),
  isBuiltIn: flag(),
  version: version(),
});

export const user = sqliteTable(
  "user",
  {
    id: text().primaryKey(),
    userName: text().notNull(),
    userType: text().$type<"Member" | "Admin">().notNull(),
    roleCode: text()
      .notNull()
      .references(() => role.roleCode),
    status: text().$type<"active" | "waiting" | "blocked" | "retired">().notNull(),
    passwordHash: text().notNull(),
    profile: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdDate: date().notNull(),
    modifiedDate: date().notNull(),
    lastSigninDate: date(),
    version: version(),
  },
  (table) => [index("user_created").on(table.createdDate), index("user_role").on(table.roleCode, table.userType)],
);

/** What a person signs in with or is reached by; the primary key is what makes a key unique under a race. */
export const userKey = sqliteTable(
  "user_key",
  {
    userKeyType: text().$type<UserKeyType>().notNull(),
    /** Normalised by `normaliseUserKey`. */
    userKeyCode: text().notNull(),
    userId: text()
      .notNull()
      .references(() => user.id),
    verifiedDate: date(),
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
    userId: text().notNull(),
    code: text().notNull(),
    version: text().notNull(),
    agreed: flag(),
    textHash: text().notNull(),
    createdDate: date().notNull(),
    /** When the person was last reminded that he agreed (망법 제50조: every two years). */
    confirmedDate: date(),
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
    userId: text()
      .notNull()
      .references(() => user.id),
    createdDate: date().notNull(),
    lastUsedDate: date().notNull(),
    expiresDate: date().notNull(),
    revokedDate: date(),
    revokedReason: text(),
    userAgent: text().notNull(),
    address: text().notNull(),
  },
  (table) => [index("session_user").on(table.userId, table.createdDate)],
);

export const refreshToken = sqliteTable(
  "refresh_token",
  {
    hash: text().primaryKey(),
    sessionId: text()
      .notNull()
      .references(() => session.id),
    createdDate: date().notNull(),
    expiresDate: date().notNull(),
    usedDate: date(),
    successorCount: integer().notNull().default(0),
  },
  (table) => [index("refresh_token_session").on(table.sessionId)],
);

/**
 * A sent code or a verified key. KV keeps the sealed token itself (whose key, which code);
 * its tries and its use are counted here, because KV cannot count.
 */
export const verification = sqliteTable(
  "verification",
  {
    tokenHash: text().primaryKey(),
    purpose: text().$type<"code" | "verified" | "reset">().notNull(),
    /** Keyed hash of the address, to end older codes and to find nothing after retirement. */
    keyHash: text().notNull(),
    attempts: integer().notNull().default(0),
    createdDate: date().notNull(),
    expiresDate: date().notNull(),
    usedDate: date(),
    /** The account that a verified key made, so that a repeated sign-up answers like the first. */
    usedByUserId: text(),
  },
  (table) => [
    index("verification_key").on(table.keyHash, table.purpose),
    index("verification_expires").on(table.expiresDate),
  ],
);

/** Exact counters; `key` is a keyed hash, never a raw address. */
export const rateLimit = sqliteTable(
  "rate_limit",
  {
    key: text().primaryKey(),
    count: integer().notNull(),
    /** Tries under way whose outcome is not known yet; they take a place like those that failed. */
    held: integer().notNull().default(0),
    resetDate: date().notNull(),
  },
  (table) => [index("rate_limit_reset").on(table.resetDate)],
);

export const board = sqliteTable(
  "board",
  {
    boardCode: text().primaryKey(),
    boardName: text().notNull(),
    description: text().notNull().default(""),
    boardType: text().$type<"list" | "gallery" | "faq">().notNull().default("list"),
    categories: text({ mode: "json" }).$type<string[]>().notNull(),
    pageSize: integer().notNull().default(10),
    useComment: integer({ mode: "boolean" }).notNull().default(true),
    useSecret: flag(),
    fileMaxCount: integer().notNull().default(10),
    fileMaxSize: integer().notNull(),
    fileExtensions: text({ mode: "json" }).$type<string[]>().notNull(),
    lastItemNo: integer().notNull().default(0),
    /** Items not in the bin, kept by every write so that no page counts rows. */
    itemCount: integer().notNull().default(0),
    sortOrder: integer().notNull().default(0),
    isClosed: flag(),
    version: version(),
  },
  (table) => [index("board_order").on(table.sortOrder)],
);

export const boardItem = sqliteTable(
  "board_item",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    boardCode: text()
      .notNull()
      .references(() => board.boardCode),
    itemNo: integer().notNull(),
    title: text().notNull(),
    content: text().notNull(),
    category: text().notNull().default(""),
    isPinned: flag(),
    pinnedUntil: date(),
    isSecret: flag(),
    showItemToMain: flag(),
    createdUserId: text().notNull(),
    createdUserName: text().notNull(),
    /** When it appears: a scheduled item has a date that is still to come. */
    createdDate: date().notNull(),
    modifiedDate: date().notNull(),
    deletedDate: date(),
    viewCount: integer().notNull().default(0),
    commentCount: integer().notNull().default(0),
    fileCount: integer().notNull().default(0),
    thumbnailFileId: text(),
    /** Of the form that it was written in, so that sending it twice makes one item. */
    idempotencyKey: text(),
    version: version(),
  },
  (table) => [
    uniqueIndex("board_item_once")
      .on(table.createdUserId, table.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    uniqueIndex("board_item_no").on(table.boardCode, table.itemNo),
    index("board_item_created")
      .on(table.boardCode, table.createdDate, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_views")
      .on(table.boardCode, table.viewCount, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_title")
      .on(table.boardCode, table.title, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_category")
      .on(table.boardCode, table.category, table.createdDate, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_category_views")
      .on(table.boardCode, table.category, table.viewCount, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_category_title")
      .on(table.boardCode, table.category, table.title, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_category_no")
      .on(table.boardCode, table.category, table.itemNo)
      .where(sql`deleted_date IS NULL`),
    index("board_item_pinned")
      .on(table.boardCode, table.createdDate)
      .where(sql`is_pinned = 1 AND deleted_date IS NULL`),
    index("board_item_main")
      .on(table.boardCode, table.createdDate, table.itemNo)
      .where(sql`show_item_to_main = 1 AND deleted_date IS NULL`),
    index("board_item_writer").on(table.createdUserId),
    index("board_item_binned")
      .on(table.deletedDate)
      .where(sql`deleted_date IS NOT NULL`),
  ],
);

export const boardItemComment = sqliteTable(
  "board_item_comment",
  {
    id: text().primaryKey(),
    itemId: integer()
      .notNull()
      .references(() => boardItem.id),
    parentCommentId: text(),
    content: text().notNull(),
    createdUserId: text().notNull(),
    createdUserName: text().notNull(),
    createdDate: date().notNull(),
    modifiedDate: date().notNull(),
    deletedDate: date(),
    version: version(),
  },
  (table) => [
    index("board_item_comment_item").on(table.itemId, table.createdDate),
    index("board_item_comment_writer").on(table.createdUserId),
    index("board_item_comment_created").on(table.createdDate),
    index("board_item_comment_deleted")
      .on(table.deletedDate)
      .where(sql`deleted_date IS NOT NULL`),
  ],
);

/** `pending` until the bytes are in R2, `ready` until something refers to it, then `attached`. */
export const file = sqliteTable(
  "file",
  {
    id: text().primaryKey(),
    purpose: text().$type<"board" | "image" | "general" | "content" | "alumni-import" | "alumni-export">().notNull(),
    boardCode: text(),
    itemId: integer(),
    ownerUserId: text().notNull(),
    fileName: text().notNull(),
    size: integer().notNull(),
    contentType: text().notNull(),
    hash: text(),
    /** Of a picture, as it is shown; null for other files and for pictures from before these columns. */
    pixelWidth: integer(),
    pixelHeight: integer(),
    /** `swept`: claimed by the sweep, nobody's any more. */
    status: text().$type<"pending" | "ready" | "attached" | "swept">().notNull(),
    storageKey: text().notNull(),
    sortOrder: integer().notNull().default(0),
    createdDate: date().notNull(),
  },
  (table) => [
    index("file_item").on(table.itemId, table.sortOrder),
    index("file_loose")
      .on(table.createdDate)
      .where(sql`status <> 'attached'`),
    index("file_owner").on(table.ownerUserId),
  ],
);

export const center = sqliteTable(
  "center",
  {
    regionCode: text().primaryKey(),
    regionName: text().notNull(),
    centerName: text().notNull(),
    director: text().notNull().default(""),
    address: text().notNull().default(""),
    phone: text().notNull().default(""),
    fax: text().notNull().default(""),
    url: text().notNull().default(""),
    directions: text().notNull().default(""),
    introduction: text().notNull().default(""),
    imageFileId: text().notNull().default(""),
    imageAlt: text().notNull().default(""),
    sortOrder: integer().notNull().default(0),
    version: version(),
  },
  (table) => [index("center_order").on(table.sortOrder)],
);

export * from "./schema-alumni.ts";
export { auditLog, job, roleGrant } from "./schema-admin.ts";
export {
  destruction,
  exportSubject,
  privacyRequest,
  retentionNotice,
  retentionPermit,
  suspension,
} from "./schema-privacy.ts";

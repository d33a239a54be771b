import type { z } from "zod";
import type { Db } from "#db/client.ts";
import type { ImageShrinker } from "#worker/adapters/images.server.ts";
import type { Messenger } from "#worker/adapters/mail.server.ts";
import type { CaseReportClient } from "#worker/adapters/case-report.server.ts";
import type { TokenSigner } from "#worker/adapters/token.server.ts";
import type { Config } from "#worker/config.ts";
import type { AccountRules } from "#worker/contract/kernel/setting/identity-rules.ts";
import type { BatchItem } from "drizzle-orm/batch";
import type { PermissionSet } from "#worker/contract/kernel/permissions.ts";

/** A creating call with an `Idempotency-Key`: its sender, key and payload. */
export interface KeyedCall {
  key: string;
  fingerprint: string;
}

/** Values of a shared page: those that are filled in later, and those that its readers have in common. */
export interface SharedRenderState {
  bell?: Record<"label" | "badge", string>;
  isFollowing?: boolean;
  /** Replaces an item's view count by a placeholder. */
  placeViews?(itemNo: number, viewCount: number): number;
}

export interface AppContext {
  db: Db;
  files: R2Bucket;
  backups: R2Bucket;
  /** Empty database for trial restores. */
  scratch: D1Database;
  images: ImageShrinker;
  kv: KVNamespace;
  messages: Messenger;
  caseReport: CaseReportClient;
  tokens: TokenSigner;
  config: Config;
  actor: Actor;
  /** Set for a page shared by all guests, or by all people with the same permissions, without a real actor. */
  standIn?: SharedRenderState;
  /** The guest's permissions, for content that is passed on, such as feeds. */
  guest: Actor;
  rules: AccountRules;
  /** Raw settings, read with the session and parsed where needed; null when never saved. */
  storedSettings: {
    alumni: string | null;
    alumniFields: string | null;
    closedAlumniFields: string | null;
    identity: string | null;
    pages: string | null;
    /** Read from the open kinds: members too, the office alone, or nobody without a kind. */
    certificateIssuers: "own" | "office" | "none";
  };
  /** Network address (IPv6 as its /64), browser, and whether the request is a prefetch. */
  client: { address: string; userAgent: string; isAhead: boolean; isGone(): boolean };
  origin: string;
  requestId: string;
  /** Set when the call has an `Idempotency-Key` and creates something. */
  keyedCall?: KeyedCall;
  startedDate: Date;
  now(): Date;
  defer(work: Promise<unknown>): void;
}

/** Input that its schema accepted. */
export type Parsed<S extends z.ZodType> = z.output<S>;

/** The answer of a function, for views that one function builds. */
export type View<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>>;

export type BatchStatement = BatchItem<"sqlite">;

export type BatchStatements = readonly [BatchStatement, ...BatchStatement[]];

export type BatchRows<T extends BatchStatements> = { [K in keyof T]: T[K]["_"]["result"] };

/** Reads for the viewer. The sign-in is verified in the same batch; ignore the rows until `ctx.actor` confirms it. */
export type StatementsForViewer<T extends BatchStatements> = (viewerId: string) => T;

/** Database access of read-only functions; their statements join the session's batch. */
export interface RequestScope {
  db: Db;
  origin: string;
  now(): Date;
  /** Reads in the same turn of the event loop share one round trip. */
  read<T extends BatchStatements>(
    statements: T | StatementsForViewer<T>,
  ): Promise<{ ctx: AppContext; rows: BatchRows<T> }>;
  /**
   * Reads for few people: `check` refuses a guest before the statements run. @param check throws when `ctx.actor` lacks
   * the permission
   */
  readFor<T extends BatchStatements>(
    check: (ctx: AppContext) => void,
    statements: T | StatementsForViewer<T>,
  ): Promise<{ ctx: AppContext; rows: BatchRows<T> }>;
  context(): Promise<AppContext>;
}

interface SecondFactorProof {
  hasFactor: boolean;
  isRequired: boolean;
  /** Last proof of the second factor, or of the password without one. */
  provenDate: Date | null;
  /** Full permissions after a second factor is set up; until then the sensitive ones are withheld. */
  withheld?: PermissionSet;
}

/** A person after the password but before the second factor, treated as a guest. */
export interface PendingPerson {
  userId: string;
  userName: string;
  sessionId: string;
}

export type Actor =
  | { kind: "guest"; permissions: PermissionSet; pending?: PendingPerson }
  | {
      kind: "member" | "admin";
      userId: string;
      userName: string;
      sessionId: string;
      roleCode: string;
      roleName: string;
      permissions: PermissionSet;
      /** Codes of the own role. Temporary ones cannot be granted to others, or they would outlast their period. */
      lastingCodes: ReadonlySet<string>;
      secondFactor?: SecondFactorProof;
    };

export type SignedInActor = Exclude<Actor, { kind: "guest" }>;

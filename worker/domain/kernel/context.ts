import { type Db } from "#db/client.ts";
import { type ImageShrinker } from "#worker/adapters/images.server.ts";
import { type Messenger } from "#worker/adapters/mail.server.ts";
import { type CaseReportClient } from "#worker/adapters/case-report.server.ts";
import { type TokenSigner } from "#worker/adapters/token.server.ts";
import { type Config } from "#worker/config.ts";
import { type Actor } from "./actor.ts";
import { type AccountRules } from "#worker/contract/kernel/identity-rules.ts";
import { type BatchItem } from "drizzle-orm/batch";

/** A creating call that came with an `Idempotency-Key`: who sent it under which key, and what it was sent. */
export interface KeyedCall {
  key: string;
  fingerprint: string;
}

/** What is alike for many, though it is each one's own. */
export interface StandInState {
  /** In the bell. */
  unread: string;
  /** The board whose list is shown. */
  isFollowing: boolean;
}

export interface AppContext {
  db: Db;
  files: R2Bucket;
  /** The bucket of the backups, apart from the files. */
  backups: R2Bucket;
  /** An empty database in which a backup is tried. */
  scratch: D1Database;
  images: ImageShrinker;
  kv: KVNamespace;
  messages: Messenger;
  caseReport: CaseReportClient;
  tokens: TokenSigner;
  config: Config;
  actor: Actor;
  /** Where nobody asks, in the place of all who hold the same rights: what is shown as theirs. */
  standIn?: StandInState;
  /** What anybody may who is not signed in, whoever asks: for what is passed on, as feeds are. */
  guest: Actor;
  /** What the site asks of names, passwords and addresses. */
  rules: AccountRules;
  /** Settings as they are stored, read with the session: the areas that need one parse it. Null on a site that never saved it. */
  storedSettings: {
    alumni: string | null;
    alumniFields: string | null;
    limits: string | null;
    identity: string | null;
    pages: string | null;
  };
  /** The network address a request came from (IPv6 as its /64), its browser, and whether that asks ahead of a reader who may never come. */
  client: { address: string; userAgent: string; isAhead: boolean; isGone(): boolean };
  /** The site's own address, which absolute links begin with. */
  origin: string;
  requestId: string;
  /** Where the call that runs came with an `Idempotency-Key` and makes something once for it. */
  keyedCall?: KeyedCall;
  /** When the request came in. */
  startedDate: Date;
  now(): Date;
  defer(work: Promise<unknown>): void;
}

export type BatchStatement = BatchItem<"sqlite">;

export type BatchStatements = readonly [BatchStatement, ...BatchStatement[]];

export type BatchRows<T extends BatchStatements> = { [K in keyof T]: T[K]["_"]["result"] };

/** Reads about whoever asks. That they are signed in is known with their answer alone: till `ctx.actor` says so it is nobody's. */
export type StatementsForViewer<T extends BatchStatements> = (viewerId: string) => T;

/** How a function that only reads gets to the database: its statements join the session's own in one batch. */
export interface RequestScope {
  db: Db;
  origin: string;
  now(): Date;
  /** Asked for in the same turn of the event loop, the reads of all loaders share one round trip. */
  read<T extends BatchStatements>(
    statements: T | StatementsForViewer<T>,
  ): Promise<{ ctx: AppContext; rows: BatchRows<T> }>;
  /**
   * Reads that are made for few: a guest is refused by `check` before any of them, and shares no round trip.
   * @param check throws where `ctx.actor` may not
   */
  readFor<T extends BatchStatements>(
    check: (ctx: AppContext) => void,
    statements: T | StatementsForViewer<T>,
  ): Promise<{ ctx: AppContext; rows: BatchRows<T> }>;
  /** Who asks; a guest where no token was presented or the one presented does not hold. */
  context(): Promise<AppContext>;
}

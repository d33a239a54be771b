import type { BatchItem } from "drizzle-orm/batch";
import { connect, type Db } from "#db/client.ts";
import { type CaseReport, createCaseReport } from "./adapters/case-report.server.ts";
import { createImages, type Images } from "./adapters/images.server.ts";
import { createMessenger, type Messenger } from "./adapters/messages.server.ts";
import { createTokens, type Tokens } from "./adapters/tokens.server.ts";
import { type Config, readConfig } from "./config.ts";
import type { Actor } from "./domain/access.server.ts";
import { AppError, ERRORS } from "./contract/errors.ts";
import { actorFrom, sessionStatements } from "./domain/account/session.server.ts";

export interface AppContext {
  db: Db;
  files: R2Bucket;
  images: Images;
  kv: KVNamespace;
  messages: Messenger;
  caseReport: CaseReport;
  tokens: Tokens;
  config: Config;
  actor: Actor;
  /** The network address a request came from (IPv6 as its /64), and its browser. */
  client: { address: string; userAgent: string };
  origin: string;
  requestId: string;
  /** When the request came in. */
  startedDate: Date;
  now(): Date;
  defer(work: Promise<unknown>): void;
}

type Statement = BatchItem<"sqlite">;
export type Statements = readonly [Statement, ...Statement[]];
export type Rows<T extends Statements> = { [K in keyof T]: T[K]["_"]["result"] };

/** How a verb that only reads gets to the database: its statements join the session's own in one batch. */
export interface Door {
  db: Db;
  now(): Date;
  /** Asked for in the same turn of the event loop, the reads of all loaders share one round trip. */
  read<T extends Statements>(statements: T): Promise<{ ctx: AppContext; rows: Rows<T> }>;
  /** @throws AppError UNAUTHORIZED when a bearer token was presented that does not hold */
  context(): Promise<AppContext>;
}

export interface Credential {
  token: string;
  /** A bearer token is a claim that must hold; a cookie that ran out is just a guest. */
  from: "cookie" | "bearer";
}

export interface OpenOptions {
  request: Request;
  env: Env;
  defer(work: Promise<unknown>): void;
  credential: Credential | null;
  requestId: string;
}

export function openDoor(options: OpenOptions): Door {
  const config = readConfig(options.env);
  const db = connect(options.env.DB);
  const tokens = createTokens(config);
  const now = () => new Date();
  const startedDate = now();
  const { origin } = new URL(options.request.url);
  let collecting = true;
  let opened: Promise<AppContext> | undefined;
  const queue: { statements: Statements; resolve(rows: unknown[]): void }[] = [];

  async function open(): Promise<AppContext> {
    const claims = options.credential ? await tokens.verifyAccess(options.credential.token, now()) : null;
    if (!claims && options.credential?.from === "bearer") throw new AppError("UNAUTHORIZED");
    // Loaders of one page start in the same turn; a macrotask later all of them have asked.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collecting = false;
    const own = sessionStatements(db, claims, now());
    const results = await db.batch(concat(own, ...queue.map((entry) => entry.statements))).catch((cause: unknown) => {
      // Who asks is not known: nobody gets anything, and nobody is told that they are signed out.
      throw new AppError("UPSTREAM_UNAVAILABLE", { message: ERRORS.INTERNAL_ERROR.message, cause });
    });
    let at = own.length;
    for (const entry of queue) entry.resolve(results.slice(at, (at += entry.statements.length)));
    const { actor, touch } = actorFrom(db, results.slice(0, own.length) as unknown as Rows<typeof own>, claims, now());
    if (actor.kind === "guest" && options.credential?.from === "bearer") throw new AppError("UNAUTHORIZED");
    if (touch) options.defer(touch);
    return {
      db,
      files: options.env.FILES,
      images: createImages(options.env.IMAGES),
      kv: options.env.KV,
      messages: createMessenger(config),
      caseReport: createCaseReport(config),
      tokens,
      config,
      actor,
      client: {
        address: clientAddress(options.request.headers.get("CF-Connecting-IP")),
        userAgent: (options.request.headers.get("User-Agent") ?? "").slice(0, 300),
      },
      origin,
      requestId: options.requestId,
      startedDate,
      now,
      defer: options.defer,
    };
  }

  const context = () => (opened ??= open());

  return {
    context,
    async read<T extends Statements>(statements: T) {
      if (!collecting) {
        const ctx = await context();
        return { ctx, rows: (await db.batch(concat(statements))) as Rows<T> };
      }
      const rows = new Promise<unknown[]>((resolve) => queue.push({ statements, resolve }));
      const ctx = await context();
      return { ctx, rows: (await rows) as Rows<T> };
    },
    db,
    now,
  };
}

function concat(...lists: Statements[]): [Statement, ...Statement[]] {
  return lists.flat() as unknown as [Statement, ...Statement[]];
}

const BEARER = /^Bearer ([\x21-\x7e]{1,4000})$/;

/**
 * Cookie reads, bearer writes: the cookie is honoured for GET and HEAD alone, so that nothing can be written across sites.
 * @throws AppError UNAUTHORIZED for an Authorization header that is no bearer token
 */
export function readCredential(request: Request): Credential | null {
  const header = request.headers.get("Authorization");
  if (header !== null) {
    const token = BEARER.exec(header)?.[1];
    if (!token) throw new AppError("UNAUTHORIZED");
    return { token, from: "bearer" };
  }
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const cookies = request.headers.get("Cookie") ?? "";
  const token = /(?:^|;\s*)accessToken=([^;\s]+)/.exec(cookies)?.[1];
  return token ? { token, from: "cookie" } : null;
}

/** An IPv6 home has a /64: the rest of the address is the visitor's to change. @param header CF-Connecting-IP */
export function clientAddress(header: string | null): string {
  if (!header) return "local";
  if (!header.includes(":")) return header;
  const [head = "", tail] = header.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const left = groups(head);
  const right = groups(tail ?? "");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""))
    .join(":");
}

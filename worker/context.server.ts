import type { BatchItem } from "drizzle-orm/batch";
import { connect, type Db } from "#db/client.ts";
import { type CaseReport, createCaseReport } from "./adapters/case-report.server.ts";
import { createImages, type Images } from "./adapters/images.server.ts";
import { createMessenger, type Messenger } from "./adapters/messages.server.ts";
import { createTokens, type Tokens } from "./adapters/tokens.server.ts";
import { type Config, originOf, readConfig } from "./config.ts";
import type { Actor } from "./domain/access.server.ts";
import type { BookSettings } from "./contract/alumni-book.ts";
import { AppError, ERRORS } from "./contract/errors.ts";
import type { Rules } from "./contract/user-rules.ts";
import { actorFrom, sessionStatements } from "./domain/account/session.server.ts";
import { storedBook } from "./domain/alumni/book.server.ts";
import { logError } from "./log.ts";

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
  /** What anybody may who is not signed in, whoever asks: for what is passed on, as feeds are. */
  guest: Actor;
  /** What the site asks of names, passwords and addresses. */
  rules: Rules;
  /** How the address book is set up. */
  readonly book: BookSettings;
  /** The network address a request came from (IPv6 as its /64), and its browser. */
  client: { address: string; userAgent: string };
  /** The site's own address, which absolute links begin with. */
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

/** Reads about whoever asks. That he is signed in is known with their answer alone: till `ctx.actor` says so it is nobody's. */
type ForViewer<T extends Statements> = (viewerId: string) => T;

/** How a verb that only reads gets to the database: its statements join the session's own in one batch. */
export interface Door {
  db: Db;
  origin: string;
  now(): Date;
  /** Asked for in the same turn of the event loop, the reads of all loaders share one round trip. */
  read<T extends Statements>(statements: T | ForViewer<T>): Promise<{ ctx: AppContext; rows: Rows<T> }>;
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
  const origin = originOf(config, options.request.url);
  let collecting = true;
  let opened: Promise<AppContext> | undefined;
  const queue: { statements: ForViewer<Statements>; settle(result: Settled): void }[] = [];

  async function open(): Promise<AppContext> {
    const claims = options.credential ? await tokens.verifyAccess(options.credential.token, now()) : null;
    if (!claims && options.credential?.from === "bearer") throw new AppError("UNAUTHORIZED");
    // Loaders of one page start in the same turn; a macrotask later all of them have asked.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collecting = false;
    const own = sessionStatements(db, claims, now());
    const asked = queue.map((entry) => entry.statements(claims?.sub ?? ""));
    const [session, ...parts] = await readTogether(db, own, asked).catch((cause: unknown) => {
      logError({ requestId: options.requestId, path: new URL(options.request.url).pathname, code: "READ", cause });
      return readApart(db, own, asked);
    });
    for (const [at, part] of parts.entries()) queue[at]?.settle(part);
    const people = session.rows as unknown as Rows<typeof own>;
    const { actor, guest, rules, book, touch } = actorFrom(db, people, claims, now());
    if (actor.kind === "guest" && options.credential?.from === "bearer") throw new AppError("UNAUTHORIZED");
    if (touch) options.defer(touch);
    let parsed: BookSettings | undefined;
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
      guest,
      rules,
      // Read with every session, parsed for those few requests that ask.
      get book() {
        return (parsed ??= storedBook(book));
      },
      client: clientOf(options.request),
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
    async read<T extends Statements>(asked: T | ForViewer<T>) {
      const statements = typeof asked === "function" ? asked : () => asked;
      if (!collecting) {
        const ctx = await context();
        const viewerId = ctx.actor.kind === "guest" ? "" : ctx.actor.userId;
        return { ctx, rows: (await db.batch(concat(statements(viewerId)))) as Rows<T> };
      }
      const settled = new Promise<Settled>((settle) => queue.push({ statements, settle }));
      const ctx = await context();
      const result = await settled;
      if ("error" in result) throw result.error;
      return { ctx, rows: result.rows as Rows<T> };
    },
    db,
    origin,
    now,
  };
}

type Settled = { rows: unknown[] } | { error: AppError };
type Parts = [session: { rows: unknown[] }, ...Settled[]];

/** The session's reads and those of all loaders in one round trip. */
async function readTogether(db: Db, own: Statements, asked: Statements[]): Promise<Parts> {
  const results: unknown[] = await db.batch(concat(own, ...asked));
  let at = own.length;
  const parts = asked.map((statements) => ({ rows: results.slice(at, (at += statements.length)) }));
  return [{ rows: results.slice(0, own.length) }, ...parts];
}

/** Once more, each by itself: what cannot be read then fails alone. Without the session nobody gets anything. */
async function readApart(db: Db, own: Statements, asked: Statements[]): Promise<Parts> {
  const read = async (statements: Statements): Promise<Settled> => {
    try {
      return { rows: await db.batch(concat(statements)) };
    } catch (cause) {
      return { error: new AppError("UPSTREAM_UNAVAILABLE", { message: ERRORS.INTERNAL_ERROR.message, cause }) };
    }
  };
  const session = await read(own);
  // Who asks is not known: nobody is told that they are signed out, either.
  if ("error" in session) throw session.error;
  return [session, ...(await Promise.all(asked.map(read)))];
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

export const clientOf = (request: Request): AppContext["client"] => ({
  address: clientAddress(request.headers.get("CF-Connecting-IP")),
  userAgent: (request.headers.get("User-Agent") ?? "").slice(0, 300),
});

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

import type {
  AppContext,
  BatchRows,
  BatchStatement,
  BatchStatements,
  RequestScope,
  SharedRenderState,
  SignedInActor,
  StatementsForViewer,
} from "#worker/domain/kernel/context.ts";
import { connectDatabase, type Db } from "#db/client.ts";
import { batchWithSite } from "#db/site-reads.ts";
import { createCaseReport } from "./adapters/case-report.server.ts";
import { createImageShrinker } from "./adapters/images.server.ts";
import { createMessenger } from "./adapters/mail.server.ts";
import { type AccessClaims, createTokenSigner } from "./adapters/token.server.ts";
import { readConfig, siteOriginOf } from "./config.ts";
import { type Credential, requestClient } from "./credential.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { refuseUnfinished, siteStampOf } from "./domain/access/actor.server.ts";
import { actorFromSession, sessionStatements } from "./domain/account/session.server.ts";
import { logError } from "./log.ts";

export interface StandIn {
  /** Absent for guests, who are all the same. */
  actor?: SignedInActor;
  state: SharedRenderState;
}

export interface RequestScopeOptions {
  request: Request;
  env: Env;
  defer(work: Promise<unknown>): void;
  credential: Credential | null;
  requestId: string;
  /** Reads as a fictitious person, so that no private data is shown. */
  standIn?: StandIn;
}

export function openRequestScope(options: RequestScopeOptions): RequestScope {
  const config = readConfig(options.env);
  const db = connectDatabase(options.env.DB);
  const tokens = createTokenSigner(config);
  const now = () => new Date();
  const startedDate = now();
  const origin = siteOriginOf(config, options.request.url);
  let collecting = true;
  let opened: Promise<AppContext> | undefined;
  let verified: Promise<AccessClaims | null> | undefined;
  const readClaims = () =>
    (verified ??= options.credential ? tokens.verifyAccess(options.credential.token, now()) : Promise.resolve(null));
  const queue: { statements: StatementsForViewer<BatchStatements>; settle(result: ReadResult): void }[] = [];

  async function open(): Promise<AppContext> {
    const claims = await readClaims();
    // Loaders of one page start in the same turn; one macrotask later all have registered.
    await new Promise((resolve) => setTimeout(resolve, 0));
    collecting = false;
    const own = sessionStatements(db, claims, now());
    const asked = queue.map((entry) => entry.statements(options.standIn?.actor?.userId ?? claims?.sub ?? ""));
    const [session, ...parts] = await readTogether(db, own, asked).catch((cause: unknown) => {
      logError({ requestId: options.requestId, path: new URL(options.request.url).pathname, code: "READ", cause });
      // Does not retry the reads one by one on an overloaded database.
      if (isOverload(cause)) throw unreadable(cause);
      return readApart(db, own, asked);
    });
    for (const [at, part] of parts.entries()) queue[at]?.settle(part);
    const people = session.rows as unknown as BatchRows<typeof own>;
    refuseUnfinished(people[0]);
    const found = actorFromSession(db, people, claims, now(), config.SECOND_FACTOR);
    const { guest, rules, storedSettings, touch } = found;
    const actor = options.standIn?.actor ?? found.actor;
    if (touch) options.defer(touch);
    return {
      db,
      files: options.env.FILES,
      backups: options.env.BACKUPS,
      scratch: options.env.SCRATCH,
      images: createImageShrinker(options.env.IMAGES),
      kv: options.env.KV,
      messages: createMessenger(config),
      caseReport: createCaseReport(config),
      tokens,
      config,
      actor,
      ...(options.standIn ? { standIn: options.standIn.state } : {}),
      guest,
      rules,
      storedSettings,
      client: { ...requestClient(options.request), ...(options.standIn?.actor ? { userAgent: "" } : {}) },
      origin,
      requestId: options.requestId,
      startedDate,
      now,
      defer: options.defer,
    };
  }

  const context = () => (opened ??= open());

  async function read<T extends BatchStatements>(asked: T | StatementsForViewer<T>) {
    const statements = typeof asked === "function" ? asked : () => asked;
    if (!collecting) {
      const ctx = await context();
      const viewerId = ctx.actor.kind === "guest" ? "" : ctx.actor.userId;
      return { ctx, rows: (await db.batch(concatStatements(statements(viewerId)))) as BatchRows<T> };
    }
    const settled = new Promise<ReadResult>((settle) => queue.push({ statements, settle }));
    const ctx = await context();
    const result = await settled;
    if ("error" in result) throw result.error;
    return { ctx, rows: result.rows as BatchRows<T> };
  }

  return {
    context,
    read,
    async readFor<T extends BatchStatements>(check: (ctx: AppContext) => void, asked: T | StatementsForViewer<T>) {
      if (!options.standIn?.actor && !(await readClaims())) check(await context());
      const found = await read(asked);
      check(found.ctx);
      return found;
    },
    db,
    origin,
    now,
  };
}

type ReadResult = { rows: unknown[] } | { error: AppError };
type ReadParts = [session: { rows: unknown[] }, ...ReadResult[]];

async function readTogether(db: Db, own: BatchStatements, asked: BatchStatements[]): Promise<ReadParts> {
  const results = await batchWithSite(db, concatStatements(own, ...asked), siteStampOf);
  let at = own.length;
  const parts = asked.map((statements) => ({ rows: results.slice(at, (at += statements.length)) }));
  return [{ rows: results.slice(0, own.length) }, ...parts];
}

const unreadable = (cause: unknown) =>
  new AppError("UPSTREAM_UNAVAILABLE", { message: ERRORS.INTERNAL_ERROR.message, cause });

/** D1's documented messages; Drizzle nests them as the cause. */
function isOverload(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return (
    /overloaded|queued for too long|too many requests queued|exceeded (?:its )?(?:CPU time limit|timeout)/i.test(
      cause.message,
    ) || isOverload(cause.cause)
  );
}

/** Reads each part again on its own, so that only the broken one fails. */
async function readApart(db: Db, own: BatchStatements, asked: BatchStatements[]): Promise<ReadParts> {
  const read = async (statements: BatchStatements): Promise<ReadResult> => {
    try {
      return { rows: await db.batch(concatStatements(statements)) };
    } catch (cause) {
      return { error: unreadable(cause) };
    }
  };
  const session = await read(own);
  // The session is unknown, so no one is reported as signed out.
  if ("error" in session) throw session.error;
  return [session, ...(await Promise.all(asked.map(read)))];
}

function concatStatements(...lists: BatchStatements[]): [BatchStatement, ...BatchStatement[]] {
  return lists.flat() as unknown as [BatchStatement, ...BatchStatement[]];
}

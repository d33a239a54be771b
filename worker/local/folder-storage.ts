import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { join, resolve } from "node:path";
import type { Batches } from "#db/batch.ts";
import { checkDatabases, lockFolder } from "./folder-lock.ts";
import type { Project } from "./project.ts";
import { requireMiniflare } from "./require.ts";

const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = requireMiniflare();

interface FolderStorage extends Batches {
  /** @returns null for a missing object */
  readObject(bucket: BucketBinding, key: string): Promise<Uint8Array | null>;
  putObject(bucket: BucketBinding, key: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}
type BucketBinding = "FILES" | "BACKUPS";

// Miniflare's proxies block per statement and leak them, so whole batches go to a Worker.
const WORKER = `export default {
  async fetch(request, env) {
    if (request.headers.get("Authorization") !== env.TOKEN) return new Response(null, { status: 403 });
    const { pathname, searchParams } = new URL(request.url);
    try {
      if (pathname === "/batch") {
        const statements = await request.json();
        await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
        return new Response(null, { status: 204 });
      }
      if (pathname === "/query") return Response.json((await env.DB.prepare(await request.text()).all()).results);
      const bucket = env[searchParams.get("bucket")];
      const key = searchParams.get("key");
      if (request.method === "PUT") {
        await bucket.put(key, await request.arrayBuffer());
        return new Response(null, { status: 204 });
      }
      const object = await bucket.get(key);
      return object ? new Response(object.body) : new Response(null, { status: 404 });
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

export async function openFolderStorage(folder: string, { storage }: Project): Promise<FolderStorage> {
  const unlock = lockFolder(folder);
  let mf: InstanceType<typeof Miniflare> | undefined;
  try {
    checkDatabases(folder);
    const token = randomUUID();
    mf = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        resourcePersistencePath: join(resolve(folder), "v3"),
        cf: false,
        telemetry: { enabled: false },
        log: new Log(LogLevel.ERROR),
        workers: [{ ...storage, name: "storage", modules: true, script: WORKER, bindings: { TOKEN: token } }],
      }),
    );
    const running = mf;
    const ask = askWorker(await running.ready, token);
    return {
      batch: async (statements) => void (await ask("POST", "/batch", JSON.stringify(statements))),
      query: async <T>(sql: string) => JSON.parse(String(await ask("POST", "/query", sql))) as T[],
      readObject: (bucket, key) => ask("GET", objectPath(bucket, key)),
      putObject: async (bucket, key, bytes) => void (await ask("PUT", objectPath(bucket, key), bytes)),
      close: async () => {
        await running.dispose();
        checkDatabases(folder);
        unlock();
      },
    };
  } catch (error) {
    await mf?.dispose();
    unlock();
    throw error;
  }
}

const objectPath = (bucket: BucketBinding, key: string) => `/object?${new URLSearchParams({ bucket, key }).toString()}`;

/**
 * One connection per query: workerd closes idle ones after five seconds. No timeouts, since large queries take long.
 */
const askWorker =
  (origin: URL, token: string) =>
  (method: string, path: string, body?: string | Uint8Array): Promise<Buffer | null> =>
    new Promise((done, fail) => {
      const sent = request(
        new URL(path, origin),
        { method, agent: false, headers: { Authorization: token } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", fail);
          answer.on("end", () => {
            const bytes = Buffer.concat(chunks);
            if (answer.statusCode === 404) done(null);
            else if ((answer.statusCode ?? 500) < 300) done(bytes);
            else fail(new Error(String(bytes) || `workerd: ${answer.statusCode}`));
          });
        },
      );
      sent.on("error", fail);
      sent.end(body);
    });

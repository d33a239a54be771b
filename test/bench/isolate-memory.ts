import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type SiteOptions, startSite } from "#worker/local/site.ts";

/** V8 kills an isolate with a larger heap; the limit of a Worker at Cloudflare. */
export const HEAP_MAX_MB = 128;

/** Counts D1 calls, and makes garbage on request, which identifies the Worker's isolate. */
const WORKER_WITH_COUNTERS = `
import worker from "./index.js";
const sent = { statements: 0, trips: 0 };
let patched = false;
function patch(db) {
  patched = true;
  const statement = Object.getPrototypeOf(db.prepare("SELECT 1"));
  for (const name of ["all", "run", "first", "raw"]) {
    const plain = statement[name];
    statement[name] = function (...given) {
      sent.statements += 1;
      sent.trips += 1;
      return plain.apply(this, given);
    };
  }
  const database = Object.getPrototypeOf(db);
  const batch = database.batch;
  database.batch = function (list) {
    sent.statements += list.length;
    sent.trips += 1;
    return batch.call(this, list);
  };
}
export default {
  fetch(request, env, ctx) {
    if (!patched) patch(env.DB);
    if (new URL(request.url).pathname !== "/bench") return worker.fetch(request, env, ctx);
    let garbage = [];
    for (let n = 0; n < 400; n++) garbage = Array.from({ length: 20_000 }, (_, at) => ({ at }));
    const answer = Response.json({ ...sent, garbage: garbage.length });
    sent.statements = sent.trips = 0;
    return answer;
  },
};
`;

interface IsolateMemory {
  /** MB in use when a collection begins, garbage included. */
  usedMb: number;
  /** MB that remain after a full collection. */
  liveMb: number;
  /** MB of array buffers outside the heap. */
  buffersMb: number;
  totalMb: number;
}
const noMemory = (): IsolateMemory => ({ usedMb: 0, liveMb: 0, buffersMb: 0, totalMb: 0 });

class GarbageCollections {
  private readonly isolates = new Map<string, IsolateMemory & { collections: number }>();
  private own = "";

  readonly onLog = (message: string): void => {
    for (const line of message.split("\n")) this.read(line);
  };

  private read(line: string): void {
    const [, isolate, text] = /^\[\d+:(0x\w+)\]\s+(.*)/.exec(line) ?? [];
    if (!isolate || !text) return;
    let held = this.isolates.get(isolate);
    if (!held) this.isolates.set(isolate, (held = { ...noMemory(), collections: 0 }));
    const [, kind, before, after] = /(Scavenge|Mark-Compact).*? ([\d.]+) \([\d.]+\) -> ([\d.]+) /.exec(text) ?? [];
    if (kind) {
      held.collections += 1;
      held.usedMb = Math.max(held.usedMb, Number(before));
      if (kind === "Mark-Compact") held.liveMb = Math.max(held.liveMb, Number(after));
      held.totalMb = Math.max(held.totalMb, Number(before) + held.buffersMb);
    }
    const [, kilobytes] = /^Backing store memory:\s+(\d+) KB/.exec(text) ?? [];
    if (kilobytes) held.buffersMb = Math.max(held.buffersMb, Number(kilobytes) / 1024);
  }

  settle(): void {
    const [[own = ""] = []] = [...this.isolates].toSorted(([, a], [, b]) => b.collections - a.collections);
    this.own = own;
  }
  reset(): void {
    this.isolates.clear();
  }
  get memory(): IsolateMemory {
    return this.isolates.get(this.own) ?? noMemory();
  }
}

export async function startMeasuredSite(options: Pick<SiteOptions, "persistTo" | "seed">) {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${HEAP_MAX_MB} --trace-gc --trace-gc-verbose`;
  const collections = new GarbageCollections();
  const site = await startSite({
    ...options,
    port: 0,
    quiet: true,
    wrapperModule: WORKER_WITH_COUNTERS,
    onLog: collections.onLog,
  });
  return { site, collections };
}

export function findWorkerdPid(): number {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).split("\n");
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const own = rows.find(([, parent, name]) => Number(parent) === process.pid && name?.includes("workerd"));
  return Number(own?.[0]);
}

export function readPeakRssMb(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

export const resetPeakRss = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

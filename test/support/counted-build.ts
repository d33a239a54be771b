import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { METERED_WORKER } from "./metered-worker.ts";

interface Node {
  type: string;
  start: number;
  end: number;
  body?: Node | Node[];
}
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
const LOOP = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const COUNT = "globalThis.__steps++";

/** Counts function calls and loop turns, which are the same on any machine. */
function withCounters(source: string): string {
  const added = new Map<number, string>();
  /** At one place closing texts precede opening ones. */
  const open = (at: number, text: string) => added.set(at, `${added.get(at) ?? ""}${text}`);
  const close = (at: number, text: string) => added.set(at, `${text}${added.get(at) ?? ""}`);
  const visit = (node: Node): void => {
    const { body } = node;
    const isLoop = LOOP.test(node.type);
    if (body && !Array.isArray(body) && (isLoop || FUNCTION.test(node.type))) {
      if (body.type === "BlockStatement") open(body.start + 1, `${COUNT};`);
      else if (isLoop) {
        open(body.start, `{${COUNT};`);
        close(body.end, "}");
      } else {
        // Before the parentheses of an object.
        open(source.lastIndexOf("=>", body.start) + 2, `(${COUNT},`);
        close(node.end, ")");
      }
    }
    for (const value of Object.values(node).flat()) if (isNode(value)) visit(value);
  };
  visit(parseAst(source) as unknown as Node);
  const places = [...added.keys()].toSorted((a, b) => a - b);
  return (
    places.map((at, index) => source.slice(places[index - 1] ?? 0, at) + added.get(at)).join("") +
    source.slice(places.at(-1))
  );
}

/** Copies the built Worker, with a counter in each function and loop. */
export function writeCountedBuild(from: string, to: string): string {
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" }).filter((each) => /\.m?js$/.test(each)))
    writeFileSync(join(to, name), withCounters(readFileSync(join(to, name), "utf8")));
  return to;
}

/** Work of one request: steps of the Worker's own code, statements, rows that D1 read and wrote. */
export interface Work {
  steps: number;
  statements: number;
  rows: number;
}

/**
 * Wraps the counted Worker: each answer has its work, deferred work included, in `X-Work`, and resets every limit.
 * `/__work` answers the work since its last answer.
 */
export const COUNTED_WORKER = `${METERED_WORKER.replace("export default {", "const metered_worker = {")}
globalThis.__steps = 0;
const work = { statements: 0, rows: 0 };
let pending = [];
let patched = false;
function add(result) {
  for (const { meta } of [result].flat()) work.rows += (meta?.rows_read ?? 0) + (meta?.rows_written ?? 0);
  return result;
}
function patch(db) {
  patched = true;
  const statement = Object.getPrototypeOf(db.prepare("SELECT 1"));
  const { all } = statement;
  for (const name of ["all", "run", "first", "raw"]) {
    const plain = statement[name];
    statement[name] = async function (...given) {
      work.statements += 1;
      // These answers have no row counts, so the statement runs a second time.
      if ((name === "raw" || name === "first") && /^\\s*(?:select|with)\\b/i.test(this.statement)) add(await all.call(this));
      return add(await plain.apply(this, given));
    };
  }
  for (const prototype of new Set([db, db.withSession()].map(Object.getPrototypeOf))) {
    const batch = prototype.batch;
    prototype.batch = async function (list) {
      work.statements += list.length;
      return add(await batch.call(this, list));
    };
  }
}
export default {
  ...metered_worker,
  async fetch(request, env, ctx) {
    if (!patched) patch(env.DB);
    const settle = async () => {
      while (pending.length > 0) await Promise.allSettled(pending.splice(0));
    };
    const count = () => ({ steps: globalThis.__steps, ...work });
    if (new URL(request.url).pathname === "/__work") {
      await settle();
      const answer = Response.json(count());
      globalThis.__steps = work.statements = work.rows = 0;
      return answer;
    }
    const watched = {
      waitUntil: (promise) => (pending.push(promise), ctx.waitUntil(promise)),
      passThroughOnException: () => ctx.passThroughOnException(),
      props: ctx.props,
    };
    const before = count();
    const response = await metered_worker.fetch(request, env, watched);
    const body = response.body && (await response.arrayBuffer());
    await settle();
    const own = Object.fromEntries(Object.entries(count()).map(([name, value]) => [name, value - before[name]]));
    await env.DB.exec("DELETE FROM rate_limit");
    const answer = new Response(body, response);
    answer.headers.set("X-Work", JSON.stringify(own));
    return answer;
  },
};
`;

/** Host of the request that a statement makes when its turn to be killed has come. */
export const KILL_HOST = "kill.example.test";

/**
 * Module source around the built Worker that counts the statements of D1. `/__count` returns the number since
 * `/__kill?at=N`; the Nth statement is begun, and then asks the test to kill workerd.
 */
export const COUNTING_WORKER = `
import worker from "./index.js";
let count = 0;
let killAt = 0;
async function counted(statements, work) {
  const isReached = count < killAt && killAt <= count + statements;
  count += statements;
  const done = work();
  if (isReached) await fetch("http://${KILL_HOST}/").catch(() => {});
  return done;
}
const bare = new WeakMap();
function countingStatement(statement) {
  const counting = {
    bind: (...values) => countingStatement(statement.bind(...values)),
    ...Object.fromEntries(["all", "run", "first", "raw"].map((name) => [name, (...args) => counted(1, () => statement[name](...args))])),
  };
  bare.set(counting, statement);
  return counting;
}
const countingDatabase = (db) => ({
  prepare: (sql) => countingStatement(db.prepare(sql)),
  withSession: (start) => countingDatabase(db.withSession(start)),
  getBookmark: () => db.getBookmark(),
  batch: (statements) => counted(statements.length, () => db.batch(statements.map((each) => bare.get(each)))),
});
const envs = new WeakMap();
function countingEnv(env) {
  if (!envs.has(env)) envs.set(env, { ...env, DB: countingDatabase(env.DB) });
  return envs.get(env);
}
export default {
  fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__count") return Response.json(count);
    if (pathname !== "/__kill") return worker.fetch(request, countingEnv(env), ctx);
    count = 0;
    killAt = Number(searchParams.get("at"));
    return new Response();
  },
};
`;

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

/** Module source around the built Worker that meters each request and scheduled run. */
export const METERED_WORKER = `
import worker from "./index.js";
${stripTypeScriptTypes(readFileSync(join(import.meta.dirname, "platform-meter.ts"), "utf8"))}
globalThis.fetch = meterFetch(globalThis.fetch);
const metered = new WeakMap();
function meteredEnv(env) {
  if (!metered.has(env)) metered.set(env, { ...env, ...meterBindings(env) });
  return metered.get(env);
}
/** Logs refusals even if the Worker caught them. */
async function run(work) {
  try {
    return await runInvocation(work);
  } finally {
    for (const message of takeRefusals()) console.error("platform limit: " + message);
  }
}
/** Reports the read tables on request by header. */
async function fetchMetered(request, env, ctx) {
  const response = await worker.fetch(request, meteredEnv(env), ctx);
  if (!request.headers.has("X-Tell-Tables")) return response;
  const names = [...running().sql].flatMap((sql) => [...sql.matchAll(/\\b(?:from|join|into|update)\\s+"?([a-z_]+)/gi)].map(([, name]) => name.toLowerCase()));
  response.headers.set("X-Tables", [...new Set(names)].join());
  return response;
}
export default {
  fetch: (request, env, ctx) => run(() => fetchMetered(request, env, ctx)),
  scheduled: (event, env, ctx) => run(() => worker.scheduled(event, meteredEnv(env), ctx)),
};
`;

import type { RunningSite } from "#worker/local/site.ts";
import { workerdCpuMs } from "./cpu.ts";
import { requirePresent } from "./require-present.ts";

const SAMPLE_MICROSECONDS = 200;
/** The product's own Worker; the other isolates are the entry, D1, the cache and assets of the local form. */
const OWN = "core:user:hoewon";
/** Samples outside script and native calls. */
const WAITING = ["(idle)", "(program)", "(root)"];

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}
interface Answer {
  id: number;
  result: { profile: Profile };
}

/** Speaks to V8's inspector by the DevTools protocol. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  await new Promise((done, fail) => {
    socket.addEventListener("open", done);
    socket.addEventListener("error", fail);
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  const send = (method: string, params = {}) =>
    new Promise<Answer>((done) => {
      waiting.set((last += 1), done);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, close: () => socket.close() };
}

function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const waits = new Set(nodes.filter(({ callFrame }) => WAITING.includes(callFrame.functionName)).map(({ id }) => id));
  return samples.reduce((sum, node, at) => sum + (waits.has(node) ? 0 : (timeDeltas[at] ?? 0)), 0) / 1000;
}

/**
 * The share of the product's own isolate, which Cloudflare bills, in the CPU of workerd. Samples count elapsed time:
 * true on an idle machine. The site `inspects`.
 */
export async function ownIsolateShare({ mf }: RunningSite, work: () => Promise<void>): Promise<number> {
  const { host } = await mf.getInspectorURL();
  const targets = (await (await fetch(`http://${host}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const urls = targets.map(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl);
  const { send, close } = await connect(requirePresent(urls.find((url) => url.endsWith(OWN))));
  await send("Profiler.enable");
  await send("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
  await send("Profiler.start");
  const before = workerdCpuMs();
  await work();
  const wholeMs = workerdCpuMs() - before;
  const { result } = await send("Profiler.stop");
  close();
  return busyMs(result.profile) / wholeMs;
}

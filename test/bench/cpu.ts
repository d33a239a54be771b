import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;

/** CPU of the programs of these names below these processes (or that are them), milliseconds; on other systems than Linux the time that passed must do. */
export function cpuMsOf(names: readonly string[], roots: readonly number[]): number {
  if (process.platform !== "linux") return performance.now();
  const found = new Map<number, { parent: number; name: string; ticks: number }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      found.set(Number(pid), { parent: Number(rest[1]), name, ticks: Number(rest[11]) + Number(rest[12]) });
    } catch {
      // It ended while we looked.
    }
  }
  let ticks = 0;
  for (const [pid, each] of found) {
    const isBelow = roots.includes(pid) || roots.includes(each.parent);
    if (isBelow && names.some((name) => each.name.startsWith(name))) ticks += each.ticks;
  }
  return ticks * TICK_MS;
}

/** CPU of the workerd processes below this one. */
export const workerdCpuMs = (): number => cpuMsOf(["workerd"], [process.pid]);

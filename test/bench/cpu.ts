import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;

/** CPU of the workerd processes below this one; on other systems than Linux the time that passed must do. */
export function workerdCpuMs(): number {
  if (process.platform !== "linux") return performance.now();
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (stat.includes("(workerd)") && Number(rest[1]) === process.pid) ticks += Number(rest[11]) + Number(rest[12]);
    } catch {
      // It ended while we looked.
    }
  }
  return ticks * TICK_MS;
}

import { readdirSync, readFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1e6;

/** CPU time of all threads of a process in milliseconds. `stat` counts only in ticks of 10 ms. */
function threadsCpuMs(pid: string): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
  return nanoseconds / NANOSECONDS_PER_MS;
}

/**
 * CPU of the named programs among these processes and their children, milliseconds. Elapsed time on systems other than
 * Linux.
 */
export function cpuMsOf(names: readonly string[], roots: readonly number[]): number {
  if (process.platform !== "linux") return performance.now();
  let sum = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      const isBelow = roots.includes(Number(pid)) || roots.includes(parent);
      if (isBelow && names.some((each) => name.startsWith(each))) sum += threadsCpuMs(pid);
    } catch {
      // The process ended in the meantime.
    }
  }
  return sum;
}

export const workerdCpuMs = (): number => cpuMsOf(["workerd"], [process.pid]);
